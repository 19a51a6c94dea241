"""ROUGE-SU, in the mode of ROUGE-1.5.5 and in the paper's, equals a slow implementation of each."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from rouge_texts import made_up_pairs

from textassay.metrics import score, tokeniser


def by_definition(hypothesis: str, reference: str, gap: int, mode: str) -> tuple[int, int, int]:
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
def test_equals_the_definition(gap: int, mode: str) -> None:
    pairs = [(hyp, refs[0]) for hyp, refs in made_up_pairs(300, seed=40 + gap)]
    result = score("rouge-su", [hyp for hyp, _ in pairs], [[ref] for _, ref in pairs], gap=gap, mode=mode)
    assert result.statistics.tolist() == [list(by_definition(hyp, ref, gap, mode)) for hyp, ref in pairs]
    assert result.statistics.dtype == np.int32
    assert f"|mode:{mode}|gap:{gap}|" in result.signature


# ROUGE-1.5.5 -2 4 -u; the paper's by hand: 6 of 10, 4 of 10, 1 of 1.
@pytest.mark.parametrize(
    ("mode", "expected"), [("1.5.5", [0.55556, 0.22222, 0.0]), ("paper", [0.6, 0.4, 1.0])], ids=["1.5.5", "paper"]
)
def test_worked_examples(mode: str, expected: list[float]) -> None:
    hypotheses = ["police kill the gunman", "the gunman kill police", "word"]
    references = [["police killed the gunman"], ["police killed the gunman"], ["word"]]
    assert score("rouge-su4", hypotheses, references, mode=mode).segments.tolist() == pytest.approx(expected, abs=5e-6)


def test_one_word_counts_by_the_paper_only() -> None:
    assert score("rouge-su4", ["word"], [["word"]], mode="paper").warnings == ()
    assert score("rouge-su4", ["word"], [["word"]]).warnings == (
        "rouge-su4: 1 hypotheses have fewer than 2 words and score 0",
        "rouge-su4: 1 references have fewer than 2 words",
    )


def test_a_gap_of_4_has_its_own_name() -> None:
    pairs = made_up_pairs(100, seed=9)
    texts = [hyp for hyp, _ in pairs], [refs for _, refs in pairs]
    assert np.array_equal(score("rouge-su4", *texts).statistics, score("rouge-su", *texts, gap=4).statistics)
