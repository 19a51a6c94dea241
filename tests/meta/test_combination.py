"""Metrics combined by regression."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.meta.combination import combine

GENERATOR = np.random.default_rng(11)
ITEMS, SYSTEMS = 60, 5
TRUTH = GENERATOR.normal(size=(ITEMS, SYSTEMS))
GOOD = {
    "first": 3 * TRUTH + 3 * GENERATOR.normal(size=TRUTH.shape) + 100,
    "second": TRUTH + GENERATOR.normal(size=TRUTH.shape),
}
PEOPLE = TRUTH + 0.3 * GENERATOR.normal(size=TRUTH.shape) + 5 * GENERATOR.normal(size=(ITEMS, 1))


def within(predicted: np.ndarray) -> float:
    """The correlation of deviations from the means of items."""
    there = ~np.isnan(predicted).any(axis=1)
    one, other = (each[there] - each[there].mean(axis=1, keepdims=True) for each in (predicted, PEOPLE))
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


def test_two_metrics_with_different_errors_are_better_together() -> None:
    found = combine(PEOPLE, GOOD)
    assert (found.texts, found.folds) == (ITEMS * SYSTEMS, 10)
    alone = max(within(each) for each in GOOD.values())
    assert within(found.predicted) > alone + 0.05
    assert within(found.predicted) < within(found.fitted)
    assert found.weights["first"] == pytest.approx(found.weights["second"], rel=0.3)  # per standard deviation


def test_without_a_penalty_it_is_least_squares() -> None:
    """With much data the penalty is next to nothing, and the weights are those of a plain regression."""
    rows = np.stack([*GOOD.values()]) - np.stack([*GOOD.values()]).mean(axis=2, keepdims=True)
    design = (rows / rows.reshape(2, -1).std(axis=1)[:, None, None]).reshape(2, -1).T
    judged = (PEOPLE - PEOPLE.mean(axis=1, keepdims=True)).ravel()
    expected = np.linalg.lstsq(design, judged, rcond=None)[0]
    assert list(combine(PEOPLE, GOOD).weights.values()) == pytest.approx(list(expected), rel=0.02)


def test_noise_predicts_nothing_where_it_was_left_out() -> None:
    """Twenty metrics of noise fit the texts that they were fitted to, and no others."""
    found = [
        combine(PEOPLE, {str(k): np.random.default_rng(100 * n + k).normal(size=PEOPLE.shape) for k in range(20)})
        for n in range(12)
    ]
    assert np.mean([within(each.fitted) for each in found if np.ptp(each.fitted) > 0]) > 0.1
    assert abs(np.mean([within(each.predicted) for each in found if np.ptp(each.predicted) > 0])) < 0.08
    assert abs(np.mean([within(each.chosen) for each in found])) < 0.08


def test_a_text_is_never_predicted_from_itself() -> None:
    """Another judgement of one item changes the predictions of the others and not its own."""
    before = combine(PEOPLE, GOOD, folds=ITEMS).predicted
    changed = PEOPLE.copy()
    changed[7] = GENERATOR.normal(size=SYSTEMS) * 10
    after = combine(changed, GOOD, folds=ITEMS).predicted
    assert after[7] == pytest.approx(before[7])
    assert np.all(np.abs(after - before).max(axis=1)[np.arange(ITEMS) != 7] > 0)


def test_systems_left_out() -> None:
    found = combine(PEOPLE, GOOD, left_out="systems")
    assert found.folds == SYSTEMS
    assert within(found.predicted) == pytest.approx(within(combine(PEOPLE, GOOD).predicted), abs=0.05)


def test_gaps_and_constant_metrics() -> None:
    people = PEOPLE.copy()
    people[0, 0] = people[1, 1:] = np.nan  # item 1 has one text left, which has nothing to be compared with
    found = combine(people, {**GOOD, "constant": np.full(PEOPLE.shape, 0.1)})
    assert found.texts == ITEMS * SYSTEMS - 1 - SYSTEMS
    assert np.isnan(found.predicted[0, 0])
    assert np.isnan(found.predicted[1]).all()
    assert found.weights["constant"] == 0


def test_one_text_an_item() -> None:
    one = {name: scores[:, :1] for name, scores in GOOD.items()}
    found = combine(TRUTH[:, :1], one, folds=5)
    assert np.corrcoef(found.predicted[:, 0], TRUTH[:, 0])[0, 1] > 0.6


def test_what_is_refused() -> None:
    with pytest.raises(UsageError, match="folds is 1"):
        combine(PEOPLE, GOOD, folds=1)
    with pytest.raises(UsageError, match="left_out must be one of items, systems"):
        combine(PEOPLE, GOOD, left_out="raters")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="a combination needs two or more"):
        combine(PEOPLE, {"first": GOOD["first"]})
    with pytest.raises(DataError, match="15 texts have a judgement and a score by each of 2 metrics"):
        combine(PEOPLE[:3], {name: scores[:3] for name, scores in GOOD.items()})
    with pytest.raises(DataError, match="all texts are of one item"):
        combine(TRUTH.reshape(1, -1), {name: scores.reshape(1, -1) for name, scores in GOOD.items()})
