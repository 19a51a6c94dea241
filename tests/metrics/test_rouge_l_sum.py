"""ROUGE-Lsum by known answers; test_rouge.py holds it against rouge-score."""

from __future__ import annotations

import numpy as np
import pytest
from rouge_texts import made_up_pairs

from textassay.kernels import compiled
from textassay.metrics import score


def test_worked_example() -> None:
    # Lin (2004), section 3.2: r = w1 w2 w3 w4 w5, c1 = w1 w2 w6 w7 w8, c2 = w1 w3 w8 w9 w5. The union of the longest
    # common subsequences is w1 w2 w3 w5: recall 4/5, precision 4/10.
    result = score("rouge-lsum", ["w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5"], [["w1 w2 w3 w4 w5"]])
    assert (result.parts["recall"][0], result.parts["precision"][0]) == (0.8, 0.4)
    assert result.statistics.tolist() == [[4, 10, 5]]
    assert result.statistics.dtype == np.int32


def test_lines_without_words_are_nothing() -> None:
    plain = score("rouge-lsum", ["a b\nc"], [["c\na b"]])
    spread = score("rouge-lsum", ["\n\na b\n \n…\nc\n"], [["\nc\n\na b"]])
    assert plain.statistics.tolist() == spread.statistics.tolist() == [[3, 3, 3]]


def test_one_sentence_gives_rouge_l() -> None:
    pairs = [(hyp.replace("\n", " "), [ref.replace("\n", " ") for ref in refs]) for hyp, refs in made_up_pairs(200, 8)]
    texts = [hyp for hyp, _ in pairs], [refs for _, refs in pairs]
    assert np.array_equal(score("rouge-lsum", *texts).statistics, score("rouge-l", *texts).statistics)


def test_sentences_can_be_found_by_rules() -> None:
    # Two sentences in another order; the full stop of the title ends none.
    hypothesis, reference = "Dr. Ada came. She stayed.", "She stayed. Dr. Ada came."
    assert score("rouge-lsum", [hypothesis], [[reference]]).segments.tolist() == pytest.approx([3 / 5])
    found = score("rouge-lsum", [hypothesis], [[reference]], sentences="split")
    assert found.segments.tolist() == [1.0]
    assert "|sentences:split|lang:en|" in found.signature


def test_order_of_sentences_makes_no_difference() -> None:
    sentences = ["one two three", "four five", "six one"]
    forward, backward = "\n".join(sentences), "\n".join(sentences[::-1])
    assert score("rouge-lsum", [forward], [[backward]]).segments.tolist() == [1.0]


def test_text_of_100_000_words() -> None:
    words = 100_000 if compiled() else 20_000  # the fallback would take ten seconds
    text = " ".join(str(number) for number in range(words))
    assert score("rouge-lsum", [text], [[text]]).segments.tolist() == [1.0]
