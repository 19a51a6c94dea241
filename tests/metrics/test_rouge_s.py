"""ROUGE-S equals a slow implementation straight from its definition."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from rouge_texts import made_up_pairs

from textassay.errors import DataError
from textassay.kernels.choice import VARIABLE
from textassay.metrics import score, tokeniser
from textassay.metrics.rouge_s import skip_bigrams


def by_definition(hypothesis: str, reference: str, gap: int) -> tuple[int, int, int]:
    """Matches and numbers of skip-bigrams (i, j) with i < j ≤ i + gap + 1."""
    tables = []
    for text in (hypothesis, reference):
        words = tokeniser("unicode-words").words(text)
        places = ((i, j) for i in range(len(words)) for j in range(i + 1, len(words)) if gap < 0 or j <= i + gap + 1)
        tables.append(Counter((words[i], words[j]) for i, j in places))
    return (tables[0] & tables[1]).total(), tables[0].total(), tables[1].total()


@pytest.mark.parametrize("gap", [-1, 0, 1, 4, 30])
def test_equals_the_definition(gap: int) -> None:
    pairs = [(hyp, refs[0]) for hyp, refs in made_up_pairs(300, seed=30 + gap)]
    result = score("rouge-s", [hyp for hyp, _ in pairs], [[ref] for _, ref in pairs], gap=gap)
    assert result.statistics.tolist() == [list(by_definition(hyp, ref, gap)) for hyp, ref in pairs]
    assert result.statistics.dtype == np.int32
    assert f"|gap:{gap}|" in result.signature


@pytest.mark.parametrize("name", ["rouge-s", "rouge-s4"])
def test_worked_examples(name: str) -> None:
    # ROUGE-1.5.5 -2 4: 3 of 6 and 1 of 6 skip-bigrams; texts of four words have none with a larger gap.
    hypotheses = ["police kill the gunman", "the gunman kill police", "word"]
    result = score(name, hypotheses, [["police killed the gunman"], ["police killed the gunman"], ["word"]])
    assert result.segments.tolist() == pytest.approx([0.5, 0.16667, 0], abs=5e-6)


def test_a_gap_of_0_gives_rouge_2() -> None:
    pairs = made_up_pairs(100, seed=7)
    texts = [hyp for hyp, _ in pairs], [refs for _, refs in pairs]
    assert np.array_equal(score("rouge-s", *texts, gap=0).statistics, score("rouge-2", *texts).statistics)


def test_a_gap_of_4_has_its_own_name() -> None:
    pairs = made_up_pairs(100, seed=8)
    texts = [hyp for hyp, _ in pairs], [refs for _, refs in pairs]
    assert np.array_equal(score("rouge-s4", *texts).statistics, score("rouge-s", *texts, gap=4).statistics)


@pytest.mark.parametrize("gap", [-1, 0, 3, 100])
def test_number_of_skip_bigrams(gap: int) -> None:
    lengths = np.arange(12)
    counted = [sum(1 for i in range(n) for j in range(i + 1, n) if gap < 0 or j <= i + gap + 1) for n in lengths]
    assert skip_bigrams(lengths, gap).tolist() == counted


def test_long_texts() -> None:
    text = " ".join(str(number % 5000) for number in range(100_000))
    assert score("rouge-s4", [text], [[text]]).segments.tolist() == [1.0]
    with pytest.raises(DataError, match="a text of 100000 words has 4999950000 skip-bigrams with a gap of any length"):
        score("rouge-s", [text], [[text]])


def test_more_than_can_be_pooled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "auto")  # the fallback takes minutes, and what is tested is not its business
    # 50,000 words have 1,249,975,000 skip-bigrams; twice that is more than int32 holds.
    text = "a " * 50_000
    with pytest.raises(DataError, match="sum up to 2499950000, more than can be kept"):
        score("rouge-s", [text], [[text, text]], multi="pooled")
