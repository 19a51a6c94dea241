"""Distinct-n and the type-token ratio, counted with sets."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from made_up_segments import ADVERSARIAL_SEGMENTS, Segment, made_up_segments

from textassay.errors import UsageError
from textassay.metrics import metric, score


def grams(text: str, n: int) -> list[tuple[str, ...]]:
    words = text.split()
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


def agrees(texts: list[str]) -> None:
    for n in (1, 2, 3):
        every = [gram for text in texts for gram in grams(text, n)]
        expected = len(set(every)) / len(every) if every else math.nan
        found = score("distinct-n", texts, tokeniser="none", order=n).corpus
        assert found == pytest.approx(expected, nan_ok=True)
        alone = score("distinct-n", texts, tokeniser="none", order=n, level="text")
        assert alone.segments.tolist() == pytest.approx(
            [len(set(grams(text, n))) / max(len(grams(text, n)), 1) for text in texts]
        )
        assert alone.corpus == pytest.approx(alone.segments.mean())
    words = [word for text in texts for word in text.split()]
    ratio = len(set(words)) / len(words) if words else math.nan
    assert score("type-token-ratio", texts, tokeniser="none").corpus == pytest.approx(ratio, nan_ok=True)


def test_equal_sets() -> None:
    agrees([text for text, _ in made_up_segments(1000, seed=5)])


@settings(max_examples=25)
@given(ADVERSARIAL_SEGMENTS)
def test_equal_sets_on_adversarial_unicode(segments: list[Segment]) -> None:
    agrees([text for text, _ in segments])


def test_chunks_share_n_grams(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [text for text, _ in made_up_segments(100, seed=5)]
    whole = score("distinct-n", texts)
    monkeypatch.setattr("textassay.metrics.contract.Metric.chunk", 7)
    assert score("distinct-n", texts).corpus == whole.corpus
    assert score("distinct-n", texts).corpus_parts == whole.corpus_parts


def test_output_without_n_grams_is_undefined_and_says_why() -> None:
    found = score("distinct-n", ["word", ""])
    assert math.isnan(found.corpus)
    assert found.warnings == ("distinct-n: 2 hypotheses contain fewer than 2 words",)


def test_divided_by_words() -> None:
    # Li et al.: "a b", "b c" and "a b": two different bigrams over six words.
    assert score("distinct-n", ["a b c", "a b", "a"], per="words").corpus == pytest.approx(2 / 6)


def test_signature_says_at_which_level() -> None:
    assert "|level:output|" in score("distinct-n", ["a"]).signature
    assert "|corpus:whole|" in score("distinct-n", ["a"]).signature
    assert "|corpus:mean|" in score("distinct-n", ["a"], level="text").signature


def test_impossible_order_is_refused() -> None:
    with pytest.raises(UsageError, match="order is 0"):
        metric("distinct-n", order=0)
