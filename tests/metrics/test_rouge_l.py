"""ROUGE-L by known answers; test_rouge.py holds it against rouge-score."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.metrics import score


def test_worked_example() -> None:
    # Lin (2004), section 3.1, with beta 1: "police kill the gunman" shares police-the-gunman with "police killed the
    # gunman", 3 of 4 words; "the gunman kill police" shares the-gunman, 2 of 4.
    hypotheses = ["police kill the gunman", "the gunman kill police"]
    result = score("rouge-l", hypotheses, [["police killed the gunman"]] * 2)
    assert result.segments.tolist() == [0.75, 0.5]
    assert result.corpus == 0.625
    assert result.parts["lcs"].tolist() == [3, 2]
    assert result.parts["precision"].tolist() == result.parts["recall"].tolist() == [0.75, 0.5]
    assert result.corpus_parts == {"precision": 0.625, "recall": 0.625}
    assert result.statistics.dtype == np.int32


def test_stemming() -> None:
    # "killed" and "kill" have the same stem, so all four words are in common.
    result = score("rouge-l", ["police kill the gunman"], [["police killed the gunman"]], stem=True)
    assert result.segments.tolist() == [1.0]


def test_several_references() -> None:
    # Against "a b": P = R = F = 1. Against "a b c d": L = 2, P = 1, R = 1/2, F = 2/3. Against "x": 0.
    references = [["x", "a b c d", "a b"], ["a b c d"]]
    best = score("rouge-l", ["a b", "a b"], references)
    assert best.segments.tolist() == pytest.approx([1, 2 / 3])
    assert best.parts["reference_words"].tolist() == [2, 4]
    mean = score("rouge-l", ["a b", "a b"], references, multi="mean")
    assert mean.segments.tolist() == pytest.approx([5 / 9, 2 / 3])  # (0 + 2/3 + 1)/3
    assert mean.parts["recall"].tolist() == pytest.approx([0.5, 0.5])  # (0 + 1/2 + 1)/3
    assert mean.corpus == pytest.approx((5 / 9 + 2 / 3) / 2)
    pooled = score("rouge-l", ["a b", "a b"], references, multi="pooled")
    assert pooled.parts["recall"].tolist() == pytest.approx([4 / 7, 0.5])  # (0 + 2 + 2)/(1 + 4 + 2)
    assert pooled.parts["precision"].tolist() == pytest.approx([4 / 6, 1])
    assert pooled.statistics.dtype == np.int32
    jackknife = score("rouge-l", ["a b", "a b"], references, multi="jackknife")
    # Left out in turn: "x" leaves 1 as the best, "a b c d" leaves 1, "a b" leaves 2/3.
    assert jackknife.segments.tolist() == pytest.approx([(1 + 1 + 2 / 3) / 3, 2 / 3])
    assert jackknife.parts["recall"].tolist() == pytest.approx([(1 + 1 + 1 / 2) / 3, 1 / 2])
    for result in (best, mean, pooled, jackknife):
        assert f"nrefs:1-3|multi:{result.metric.settings.signature_fields()['multi']}|" in result.signature


def test_first_of_equally_good_references_is_taken() -> None:
    # F is 2/3 for both: precision 1/2, recall 1 against "a"; the same numbers turned round against "a b c d".
    result = score("rouge-l", ["a b"], [["a", "a b c d"]])
    assert result.parts["reference_words"].tolist() == [1]


def test_an_empty_reference_counts_in_the_mean() -> None:
    assert score("rouge-l", ["a"], [["a", ""]], multi="mean").segments.tolist() == [0.5]


def test_text_of_100_000_words() -> None:
    text = " ".join(str(number) for number in range(100_000))
    assert score("rouge-l", [text], [[text]]).segments.tolist() == [1.0]
