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


# --- ROUGE-SU, in the mode of ROUGE-1.5.5 and in the paper's, equals a slow implementation of each ------------------


def by_definition_su(hypothesis: str, reference: str, gap: int, mode: str) -> tuple[int, int, int]:
    """The paper: a mark before the text pairs with every word. The program: a loop over all places but the last."""
    tables = []
    for text in (hypothesis, reference):
        words = tokeniser("unicode-words").words(text)
        table: Counter[tuple[str, ...]] = Counter()
        if mode == "paper":
            table.update(("<s>", word) for word in words)
        for i in range(len(words) - 1):
            if mode == "1.5.5":
                table[(words[i],)] += 1
            last = len(words) if gap < 0 else min(len(words), i + gap + 2)
            table.update((words[i], words[j]) for j in range(i + 1, last))
        tables.append(table)
    return (tables[0] & tables[1]).total(), tables[0].total(), tables[1].total()


@pytest.mark.parametrize("mode", ["1.5.5", "paper"])
@pytest.mark.parametrize("gap", [-1, 0, 4])
def test_equals_the_definition_su(gap: int, mode: str) -> None:
    pairs = [(hyp, refs[0]) for hyp, refs in made_up_pairs(300, seed=40 + gap)]
    result = score("rouge-su", [hyp for hyp, _ in pairs], [[ref] for _, ref in pairs], gap=gap, mode=mode)
    assert result.statistics.tolist() == [list(by_definition_su(hyp, ref, gap, mode)) for hyp, ref in pairs]
    assert result.statistics.dtype == np.int32
    assert f"|mode:{mode}|gap:{gap}|" in result.signature


# ROUGE-1.5.5 -2 4 -u; the paper's by hand: 6 of 10, 4 of 10, 1 of 1.
@pytest.mark.parametrize(
    ("mode", "expected"), [("1.5.5", [0.55556, 0.22222, 0.0]), ("paper", [0.6, 0.4, 1.0])], ids=["1.5.5", "paper"]
)
def test_worked_examples_su(mode: str, expected: list[float]) -> None:
    hypotheses = ["police kill the gunman", "the gunman kill police", "word"]
    references = [["police killed the gunman"], ["police killed the gunman"], ["word"]]
    assert score("rouge-su4", hypotheses, references, mode=mode).segments.tolist() == pytest.approx(expected, abs=5e-6)


def test_one_word_counts_by_the_paper_only() -> None:
    assert score("rouge-su4", ["word"], [["word"]], mode="paper").warnings == ()
    assert score("rouge-su4", ["word"], [["word"]]).warnings == (
        "rouge-su4: 1 hypotheses contain fewer than 2 words and score 0",
        "rouge-su4: 1 references contain fewer than 2 words",
    )


def test_a_gap_of_4_has_its_own_name_su() -> None:
    pairs = made_up_pairs(100, seed=9)
    texts = [hyp for hyp, _ in pairs], [refs for _, refs in pairs]
    assert np.array_equal(score("rouge-su4", *texts).statistics, score("rouge-su", *texts, gap=4).statistics)
