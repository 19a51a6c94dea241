"""Paths from the assignment problem and local search, and the bound that the assignment gives."""

from __future__ import annotations

import numpy as np
import pytest
from brute_paths import least_cost, random_distances

from textassay.ordering.paths.shortest_path import _closed, _cycles, _patched, near_path, path_cost


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("start", [None, 0, 4])
def test_bound_is_no_higher_than_the_shortest_path(symmetric: bool, start: int | None) -> None:
    for seed in range(15):
        distances = random_distances(7, seed, symmetric=symmetric)
        found = near_path(distances, start, seed=0)
        least = least_cost(distances, start)
        assert sorted(found.order) == list(range(7))
        assert start is None or found.order[0] == start
        assert found.bound <= least + 1e-9
        assert least <= path_cost(distances, found.order) + 1e-9


def test_assignment_that_is_a_path_is_its_own_bound() -> None:
    # Each unit has one near successor, so that the best assignment is the path 0 … 9.
    distances = np.full((10, 10), 5.0)
    distances[np.arange(9), np.arange(1, 10)] = 1.0
    found = near_path(distances, 0, seed=0)
    assert found.order == list(range(10))
    assert found.bound == pytest.approx(9, rel=1e-9)


def test_patching_joins_all_cycles() -> None:
    successor = np.array([1, 0, 3, 4, 2, 6, 5])  # 0 1 | 2 3 4 | 5 6
    assert [len(cycle) for cycle in _cycles(successor)] == [2, 3, 2]
    costs = np.random.default_rng(1).integers(0, 100, (7, 7))
    joined = _patched(costs, successor)
    assert [len(cycle) for cycle in _cycles(joined)] == [7]


def test_patching_takes_the_cheapest_exchange() -> None:
    # Cycles 0 1 and 2 3. Joining by 1 → 2 and 3 → 0 costs 2, everything else 20 or more.
    costs = np.full((4, 4), 10)
    costs[[0, 1, 2, 3], [1, 0, 3, 2]] = 1
    costs[1, 2] = costs[3, 0] = 1
    assert _patched(costs, np.array([1, 0, 3, 2])).tolist() == [1, 2, 3, 0]


def test_closing_costs_nothing() -> None:
    distances = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [2.0, 3.0, 0.0]])
    fixed, low, step = _closed(distances, 1)
    assert fixed[:, 1].tolist() == [0, 0, 0]
    assert low + step * fixed[1, 2] == pytest.approx(3)
    free, _, _ = _closed(distances, None)
    assert free.shape == (4, 4)
    assert not free[3].any()
    assert not free[:, 3].any()
