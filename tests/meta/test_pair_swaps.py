"""Pairs swapped between two metrics: the sign test that they are, weights of items, and what has no p."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from textassay.meta.coefficients import grouped
from textassay.meta.pair_swaps import compare_system_pairs, compare_text_pairs
from textassay.meta.tie_calibration import calibrated_accuracy


def test_swapped_pairs_of_systems_are_a_sign_test() -> None:
    random = np.random.Generator(np.random.PCG64(3))
    people, first, second = random.normal(size=(3, 12))
    found = compare_system_pairs(people, first, second)
    one, other = np.triu_indices(12, 1)
    right = [np.sign(side[one] - side[other]) == np.sign(people[one] - people[other]) for side in (first, second)]
    gained, n = int((right[0] & ~right[1]).sum()), int((right[0] != right[1]).sum())
    assert found.p == pytest.approx(scipy_stats.binomtest(gained, n).pvalue)
    assert (found.first, found.second, found.n) == (right[0].mean(), right[1].mean(), n)


def test_system_pairs_without_p() -> None:
    assert compare_system_pairs([1, 1, 1], [1, 2, 3], [1, 2, 3]).reason == "people order no pair of systems"
    assert compare_system_pairs([1, 2, 3], [1, 2, 3], [4, 5, 6]).p == 1.0


def three(gaps: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.Generator(np.random.PCG64(5))
    people = random.integers(0, 4, (9, 5)).astype(float)
    first, second = people + 0.5 * random.normal(size=people.shape), people + random.normal(size=people.shape)
    people[random.random(people.shape) < gaps] = np.nan
    return people, first, second


def test_swapped_pairs_of_texts_are_a_sign_test_with_each_metrics_own_ties() -> None:
    people, first, second = three(0)
    best = [calibrated_accuracy(people, side) for side in (first, second)]
    found = compare_text_pairs(people, first, second, epsilons=(best[0].epsilon + 1e-9, best[1].epsilon + 1e-9))
    assert (found.first, found.second) == pytest.approx((best[0].in_sample, best[1].in_sample))
    # ten pairs per item: the difference is (gained - lost) / 90, gained + lost = n
    gained = round((found.n + found.difference * 90) / 2)
    assert (found.p, found.exact) == (pytest.approx(scipy_stats.binomtest(gained, found.n).pvalue), True)


def test_pairs_of_items_with_fewer_texts_weigh_more() -> None:
    people, first, second = three(0.2)
    found = compare_text_pairs(people, first, second, draws=4999)
    assert found.first == pytest.approx(grouped(people, first, "item", "acc-eq").mean)
    assert found.second == pytest.approx(grouped(people, second, "item", "acc-eq").mean)
    # every discordant pair ±1 / pairs of its item, written out
    steps = []
    for x, a, b in zip(people, first, second, strict=True):
        one, other = (np.flatnonzero(~np.isnan(x))[place] for place in np.triu_indices((~np.isnan(x)).sum(), 1))
        truth, *said = (np.sign(side[one] - side[other]) for side in (x, a, b))
        right = [side == truth for side in said]
        steps += [1 / one.size] * int((right[0] != right[1]).sum())
    signs = np.random.Generator(np.random.PCG64(1)).choice([-1, 1], (20000, len(steps)))
    drawn = np.abs(signs @ np.array(steps)) / len(people)
    assert found.p == pytest.approx(np.mean(drawn >= abs(found.difference) - 1e-9), abs=0.02)
    assert (found.exact, found.n, found.resamples) == (False, len(steps), 4999)


def test_text_pairs_without_p() -> None:
    nothing = compare_text_pairs([[1, np.nan]], [[1, 2]], [[2, 1]])
    assert (nothing.reason, nothing.n) == ("no item has two texts", 0)
    assert compare_text_pairs([[1, 2]], [[1, 2]], [[3, 4]]).p == 1.0
