"""acc_eq with calibrated ties: known answers, brute force, folds and the chance level."""

from __future__ import annotations

import math
from itertools import combinations, permutations

import numpy as np
import pytest

from textassay.meta.coefficients import By
from textassay.meta.tie_calibration import CalibratedAccuracy, calibrated_accuracy
from textassay.stats.samples import FloatArray

KNOWN: dict[By | None, tuple[float, float, float]] = {
    "item": (0.8333333333333334, 0.625, 0.4777777777777778),
    "system": (0.78, 0.75, 0.42),
    None: (0.7891737891737892, 0.625, 0.4757834757834758),
}
"""mt-metrics-eval 68a481a, KendallWithTiesOpt(sample_rate=1.0): best accuracy, its ε, and the accuracy at ε = 0."""


@pytest.mark.parametrize("by", KNOWN)
def test_known_answers(wmt_people: FloatArray, wmt_metric: FloatArray, by: By | None) -> None:
    found = calibrated_accuracy(wmt_people, wmt_metric, by)
    assert (found.in_sample, found.epsilon, found.without_ties) == pytest.approx(KNOWN[by], abs=1e-12)
    assert found.without_ties <= found.in_sample
    assert found.all_tied <= found.in_sample


def accuracy_at(people: FloatArray, scores: FloatArray, epsilon: float) -> float:
    """The mean over items, pair by pair."""
    values = []
    for x, y in zip(people, scores, strict=True):
        there = np.flatnonzero(~(np.isnan(x) | np.isnan(y)))
        agreed = [
            np.sign(x[a] - x[b]) == (0 if abs(y[a] - y[b]) <= epsilon + 1e-9 else np.sign(y[a] - y[b]))
            for a, b in combinations(there, 2)
        ]
        values += [np.mean(agreed)] if agreed else []
    return float(np.mean(values))


def test_every_epsilon_was_tried(gaps: tuple[FloatArray, FloatArray]) -> None:
    people, scores = gaps[0] // 2, gaps[1]  # 0 and 1: people tie half of the pairs
    tried = {epsilon: accuracy_at(people, scores, epsilon) for epsilon in range(6)}
    found = calibrated_accuracy(people, scores)
    assert found.epsilon > 0
    assert found.in_sample == pytest.approx(max(tried.values()))
    assert found.epsilon == min(epsilon for epsilon, value in tried.items() if value > found.in_sample - 1e-9)
    assert found.all_tied == pytest.approx(accuracy_at(people, scores, 99))
    assert found.without_ties == pytest.approx(tried[0])


def test_folds_leave_one_item_out(gaps: tuple[FloatArray, FloatArray]) -> None:
    people, scores = gaps[0] // 2, gaps[1]
    held_out = []
    for item in range(len(people)):
        rest = np.delete(np.arange(len(people)), item)
        epsilon = calibrated_accuracy(people[rest], scores[rest], chance_draws=0).epsilon
        held_out.append(accuracy_at(people[[item]], scores[[item]], epsilon))
    found = calibrated_accuracy(people, scores, folds=len(people))
    assert found.value == pytest.approx(np.mean(held_out))
    assert found.value < found.in_sample


def test_equal_gaps_that_rounding_splits_are_one() -> None:
    # 0.3 - 0.2 and 0.2 - 0.1 differ in their last digit: ε has to hold both
    found = calibrated_accuracy([[1, 1, 2], [2, 2, 1]], [[0.2, 0.3, 0.9], [0.2, 0.1, 0.9]])
    assert 0.3 - 0.2 < 0.2 - 0.1 == found.epsilon


def test_tenths_are_calibrated_as_whole_numbers() -> None:
    # in tenths, gaps of held-out texts differ from ε by rounding alone
    random = np.random.Generator(np.random.PCG64(39))
    for _ in range(20):
        people, scores = random.integers(0, 3, (6, 4)).astype(float), random.integers(0, 5, (6, 4)).astype(float)
        whole, tenths = (calibrated_accuracy(people, side, folds=3, chance_draws=0) for side in (scores, scores / 10))
        assert tenths.value == pytest.approx(whole.value)


def test_chance_is_what_exchanged_systems_reach() -> None:
    # three systems: all 6 exchanges, each with the best of all ε
    people, scores = np.array([[1.0, 1, 2]]), np.array([[0.0, 1, 3]])
    reached = [
        max(accuracy_at(people[:, order], scores, epsilon) for epsilon in (0, 1, 2, 3))
        for order in permutations(range(3))
    ]
    assert calibrated_accuracy(people, scores).chance == pytest.approx(np.mean(reached))


def test_an_unrelated_metric_is_near_chance_and_a_good_one_above() -> None:
    random = np.random.Generator(np.random.PCG64(1))
    people = random.integers(0, 3, (60, 6)).astype(float)
    unrelated = calibrated_accuracy(people, random.normal(size=people.shape), chance_draws=20)
    good = calibrated_accuracy(people, people + 0.2 * random.normal(size=people.shape), chance_draws=20)
    assert unrelated.value == pytest.approx(unrelated.chance, abs=0.05)
    assert good.value > 0.9 > good.chance + 0.2


def test_the_same_seed_gives_the_same(gaps: tuple[FloatArray, FloatArray]) -> None:
    def run(seed: int) -> CalibratedAccuracy:
        return calibrated_accuracy(gaps[0] // 2, gaps[1], folds=3, seed=seed)

    assert run(1).value == run(1).value
    assert len({run(seed).value for seed in range(6)}) > 1


def test_what_cannot_be_calibrated(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = calibrated_accuracy([[1, math.nan]], [[1, 2]])
    assert (nothing.groups, nothing.reason) == (0, "no group has two texts with a judgement and a score")
    one = calibrated_accuracy([[1, 2, 2]], [[1, 8, 9]])
    assert math.isnan(one.value)
    assert one.in_sample == 1.0
    assert one.reason == "no fold of items leaves pairs on both sides"
    constant = calibrated_accuracy([[1, 2], [1, 1]], [[5, 5], [5, 5]])
    assert (constant.in_sample, constant.epsilon, constant.chance) == (0.5, 0.0, 0.5)
    monkeypatch.setattr("textassay.meta.tie_calibration.PAIRS_LIMIT", 5)
    many = calibrated_accuracy(np.zeros((6, 2)), np.zeros((6, 2)), None)
    assert math.isnan(many.in_sample)
    assert many.reason == "66 pairs are more than 5; group by item"
