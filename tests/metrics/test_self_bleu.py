"""Self-BLEU: figures of NLTK, and a slow implementation that compares each text with all others."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from made_up_segments import ADVERSARIAL_SEGMENTS, Segment, made_up_segments

from textassay.errors import UsageError
from textassay.metrics import TextSegments, metric, score


def slow_self_bleu(texts: list[str]) -> list[float]:
    split = [text.split() for text in texts]

    def grams(words: list[str], n: int) -> Counter[tuple[str, ...]]:
        return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))

    def bleu(words: list[str], others: list[list[str]]) -> float:
        logs = 0.0
        for n in range(1, 5):
            highest: Counter[tuple[str, ...]] = Counter()
            for other in others:
                highest |= grams(other, n)
            matches = (grams(words, n) & highest).total()
            if n == 1 and not matches:
                return 0.0
            logs += math.log((matches or 0.1) / max(len(words) - n + 1, 1)) / 4
        closest = min((abs(len(other) - len(words)), len(other)) for other in others)[1]
        return math.exp(logs + min(0, 1 - closest / len(words)))

    return [bleu(words, split[:row] + split[row + 1 :]) for row, words in enumerate(split)]


def agrees(texts: list[str]) -> None:
    assert score("self-bleu", texts, tokeniser="none").segments.tolist() == pytest.approx(slow_self_bleu(texts))


def test_equals_slow_implementation() -> None:
    texts = [text for text, _ in made_up_segments(60, seed=5)]
    agrees(texts + texts[:10])


@settings(max_examples=25)
@given(ADVERSARIAL_SEGMENTS)
def test_equals_slow_implementation_on_adversarial_unicode(segments: list[Segment]) -> None:
    agrees([text for text, _ in segments])


def test_figures_of_nltk() -> None:
    # sentence_bleu of NLTK 3.9 with SmoothingFunction().method1, each text against the three others.
    texts = ["the cat sat on the mat today", "the cat is on the mat", "a dog sat on the red mat", "no"]
    assert score("self-bleu", texts, tokeniser="none").segments.tolist() == pytest.approx(
        [0.274941620352113, 0.21506254256566312, 0.17567205239427922, 0]
    )


def test_equal_texts_are_wholly_repeated() -> None:
    assert score("self-bleu", ["a b c d e"] * 3).corpus == pytest.approx(1)


def test_short_texts() -> None:
    # "a b" and "a b": orders 3 and 4 have a tenth of one n-gram each, (1·1·.1·.1)^(1/4) = .1^(1/2); or omitted.
    texts = ["a b", "a b"]
    assert score("self-bleu", texts).segments.tolist() == pytest.approx([0.1**0.5] * 2)
    assert score("self-bleu", texts, short="excluded").segments.tolist() == pytest.approx([1, 1])
    assert score("self-bleu", ["a"]).segments.tolist() == [0]
    assert score("self-bleu", texts, smoothing_value=0.0).segments.tolist() == [0, 0]


def test_impossible_settings_are_refused() -> None:
    with pytest.raises(UsageError, match="max_order is 0"):
        metric("self-bleu", max_order=0)
    with pytest.raises(UsageError, match="smoothing_value is 2"):
        metric("self-bleu", smoothing_value=2.0)


def test_statistics_need_a_survey() -> None:
    with pytest.raises(UsageError, match="needs to see all texts first"):
        metric("self-bleu").statistics(TextSegments(["a"], [()]))
