"""ROUGE-N by known answers; test_rouge.py holds orders 1 and 2 against rouge-score."""

from __future__ import annotations

import numpy as np
import pytest
from rouge_score.rouge_scorer import RougeScorer
from rouge_texts import made_up_pairs

from textassay.errors import UsageError
from textassay.metrics import metric, score


def test_worked_example() -> None:
    # Of the bigrams the cat, cat sat, sat on, on the, the mat three are in the reference, which has five as well.
    result = score("rouge-2", ["the cat sat on the mat"], [["the cat is on the mat"]])
    assert result.segments.tolist() == pytest.approx([3 / 5])
    assert result.statistics.tolist() == [[3, 5, 5]]
    assert result.statistics.dtype == np.int32


def test_matches_are_clipped() -> None:
    # "the" counts twice, as often as the reference has it: precision 2/7, recall 2/6.
    result = score("rouge-1", ["the the the the the the the"], [["the cat is on the mat"]])
    assert (result.parts["precision"][0], result.parts["recall"][0]) == (2 / 7, 2 / 6)


def test_pooled_references_are_those_of_the_paper() -> None:
    # Lin (2004), equation 1: recall is matches over words, both summed over references: (2 + 1)/(4 + 2).
    result = score("rouge-1", ["a b"], [["a b c d", "a x"]], multi="pooled")
    assert result.parts["recall"].tolist() == [0.5]


@pytest.mark.parametrize("order", [3, 4, 9])
def test_any_order_equals_rouge_score(order: int) -> None:
    pairs = [(hyp, refs[0]) for hyp, refs in made_up_pairs(300, seed=order)]
    ours = score(
        "rouge-n", [hyp for hyp, _ in pairs], [[ref] for _, ref in pairs], order=order, tokeniser="rouge-score"
    )
    scorer = RougeScorer([f"rouge{order}"])
    expected = [scorer.score(ref, hyp)[f"rouge{order}"].fmeasure for hyp, ref in pairs]
    assert np.abs(ours.segments - expected).max() <= 1e-12
    assert f"|n:{order}|" in ours.signature


@pytest.mark.parametrize(("name", "order"), [("rouge-1", 1), ("rouge-2", 2)])
def test_known_names_are_orders_of_rouge_n(name: str, order: int) -> None:
    pairs = made_up_pairs(50, seed=2)
    texts = [hyp for hyp, _ in pairs], [refs for _, refs in pairs]
    assert np.array_equal(score(name, *texts).statistics, score("rouge-n", *texts, order=order).statistics)


def test_orders_without_words_are_refused() -> None:
    with pytest.raises(UsageError, match="rouge-n: order is 0; it must be at least 1"):
        metric("rouge-n", order=0)
    with pytest.raises(UsageError, match="rouge-2 has no setting 'order'"):
        metric("rouge-2", order=3)


def test_texts_shorter_than_an_n_gram_are_counted() -> None:
    result = score("rouge-n", ["a b"], [["a b"]], order=3)
    assert result.segments.tolist() == [0]
    assert result.warnings == (
        "rouge-n: 1 hypotheses contain fewer than 3 words and score 0",
        "rouge-n: 1 references contain fewer than 3 words",
    )


def test_text_of_100_000_words() -> None:
    text = " ".join(str(number % 977) for number in range(100_000))
    assert score("rouge-2", [text], [[text]]).segments.tolist() == [1.0]
