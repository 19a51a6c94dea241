"""Shortest paths: equal to trying all, proved where they are called exact, and what is refused."""

from __future__ import annotations

import json
import time

import numpy as np
import pytest
from brute_paths import least_cost, random_distances

from textassay.errors import DataError, UsageError
from textassay.ordering.paths import shortest_path as module
from textassay.ordering.paths.shortest_path import (
    _closed,
    _cycles,
    _patched,
    best_path,
    near_path,
    path_cost,
    shortest_path,
)
from textassay.ordering.unit_similarity import distances_of

B = [[4, 2, 1, 0], [2, 5, 3, 1], [1, 3, 6, 2], [0, 1, 2, 3]]


def checked(distances: np.ndarray, found: module.ShortestPath, start: int | None) -> None:
    """What every result must keep, exact or not."""
    assert sorted(found.order) == list(range(len(distances)))
    assert start is None or found.order[0] == start
    assert found.cost == pytest.approx(sum(distances[a, b] for a, b in zip(found.order, found.order[1:], strict=False)))
    assert found.lower_bound <= found.cost
    assert found.exact == (found.lower_bound == found.cost)
    assert (found.gap == 0) == found.exact
    assert bool(found.warnings) != found.exact


def test_worked_example() -> None:
    found = shortest_path(distances_of(B))
    assert found.order == (0, 1, 2, 3)
    assert found.cost == pytest.approx(1.5337, abs=5e-5)
    assert found.exact
    assert found.lower_bound == found.cost


@pytest.mark.parametrize("symmetric", [True, False])
def test_equal_to_trying_all_for_500_matrices(symmetric: bool) -> None:
    for seed in range(250):
        n = 1 + seed % 9
        distances = random_distances(n, seed, symmetric=symmetric)
        start = (None, 0, n - 1)[seed % 3] if n < 9 or seed % 2 else 0
        found = shortest_path(distances, start)
        assert found.cost == pytest.approx(least_cost(distances, start), abs=1e-12), (seed, n, start)
        assert found.exact
        checked(distances, found, start)


@pytest.mark.parametrize("symmetric", [True, False])
def test_bounds_are_equal_to_trying_all(symmetric: bool) -> None:
    for seed in range(60):
        n = 3 + seed % 6
        distances = random_distances(n, 1000 + seed, symmetric=symmetric)
        start = (None, 0, n - 1)[seed % 3]
        found = module._by_bounds(distances, start, 100, 0, module.TimeLimit(10.0, None))
        assert found.cost == pytest.approx(least_cost(distances, start), abs=1e-9), (seed, n, start)
        assert found.exact, (seed, n, start)
        checked(distances, found, start)


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("start", [None, 3])
def test_bounds_agree_with_all_subsets_at_15_units(symmetric: bool, start: int | None) -> None:
    for seed in range(6):
        distances = random_distances(15, 50 + seed, symmetric=symmetric)
        found = module._by_bounds(distances, start, 100, 0, module.TimeLimit(10.0, None))
        assert found.exact
        assert found.cost == pytest.approx(shortest_path(distances, start).cost, rel=1e-9)


@pytest.mark.parametrize("start", [None, 0, 17])
def test_points_on_a_line_are_walked_from_end_to_end(start: int | None) -> None:
    # 40 points: from an end the walk is 39 long; from point 17 it goes to the nearer end first, 17 + 39.
    place = np.arange(40.0)
    distances = np.abs(place[:, None] - place)
    found = shortest_path(distances, start)
    assert found.cost == {None: 39, 0: 39, 17: 56}[start]
    assert found.exact
    checked(distances, found, start)


def test_many_units_come_with_a_bound_and_a_gap() -> None:
    distances = random_distances(60, 1, symmetric=True)
    near = shortest_path(distances, proved_to=20)
    best = shortest_path(distances)
    checked(distances, near, 0)
    assert best.exact
    assert near.lower_bound <= best.cost + 1e-9
    assert best.cost <= near.cost + 1e-9
    assert near.gap < 0.05


def test_beyond_the_linear_program_the_assignment_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BOUNDED", 20)
    distances = random_distances(30, 4, symmetric=True)
    near = shortest_path(distances)
    assert near.method == "shortest path (local search)"
    assert "not proved to be shortest" in near.warnings[0]
    checked(distances, near, 0)
    monkeypatch.undo()
    assert near.lower_bound <= shortest_path(distances).cost <= near.cost + 1e-9


def test_a_time_limit_leaves_a_gap_that_is_said() -> None:
    # The linear program leaves halves, and an integer program can do nothing about them in a microsecond.
    stopped = [shortest_path(random_distances(90, seed, symmetric=False), time_limit=1e-6) for seed in range(1, 4)]
    assert any(not found.exact and "not proved" in found.warnings[0] for found in stopped)
    for seed, found in zip(range(1, 4), stopped, strict=True):
        checked(random_distances(90, seed, symmetric=False), found, 0)


@pytest.mark.parametrize("start", [None, 0])
def test_a_time_limit_covers_local_search(start: int | None) -> None:
    distances = random_distances(600, 1, symmetric=False)
    whole = time.process_time()
    found = shortest_path(distances, start, time_limit=0.3, clock=time.process_time)
    assert time.process_time() - whole < 2  # 5 s without a limit; the assignment problem comes before the search
    assert found.settings["stopped"] == "local search"
    assert "local search was stopped by the time limit of 0.3 seconds" in found.warnings[1]
    checked(distances, found, start)


def test_what_time_is_left_is_for_bound_and_proof() -> None:
    distances = random_distances(60, 2, symmetric=False)
    stops = []
    for seconds in (1, 200, 10**6):
        ticks = iter(range(10**7))
        found = shortest_path(distances, time_limit=seconds, clock=lambda ticks=ticks: next(ticks))  # type: ignore[misc]
        checked(distances, found, 0)
        stops.append(found.settings.get("stopped"))
    assert stops[0] == "local search"
    assert stops[-1] is None
    assert found == shortest_path(distances, time_limit=10**6)  # enough time gives what no clock gives


@pytest.mark.parametrize("value", [0.0, 1.0, -2.5])
@pytest.mark.parametrize("start", [None, 0])
def test_equal_distances_make_every_order_shortest(value: float, start: int | None) -> None:
    found = shortest_path(np.full((25, 25), value), start)
    assert found.cost == 24 * value
    assert found.exact


def test_a_large_number_forbids_a_step() -> None:
    # Only from each unit to the next is allowed; the one path without a forbidden step is 0 … 24.
    distances = np.full((25, 25), 1e6)
    distances[np.arange(24), np.arange(1, 25)] = 1.0
    found = shortest_path(distances, None)
    assert found.order == tuple(range(25))
    assert found.cost == 24
    assert found.exact


def test_free_path_of_symmetric_distances_begins_with_the_smaller_end() -> None:
    for n in (7, 26):
        order = shortest_path(random_distances(n, 8, symmetric=True), None).order
        assert order[0] < order[-1]


def test_the_same_seed_gives_the_same_path_and_twins_do_too(monkeypatch: pytest.MonkeyPatch) -> None:
    distances = random_distances(24, 11, symmetric=True)
    found = shortest_path(distances, seed=5, proved_to=20)
    monkeypatch.setenv("TEXTASSAY_KERNELS", "python")
    assert shortest_path(distances, seed=5, proved_to=20) == found


def test_one_and_two_units() -> None:
    assert shortest_path([[7.0]]).order == (0,)
    assert shortest_path([[7.0]], None).cost == 0
    assert shortest_path([[0, 2], [1, 0]]).order == (0, 1)
    free = shortest_path([[0, 2], [1, 0]], None)
    assert (free.order, free.cost) == ((1, 0), 1)


def test_record_says_all() -> None:
    (record,) = json.loads(shortest_path(distances_of(B)).to_json())["records"]
    assert record["statistic"] == "path cost"
    assert record["order"] == "0 1 2 3"
    assert record["exact"] is True
    assert "n:4|start:0|symmetric:True|exact:True" in record["signature"]


def test_path_cost_is_rounded_once() -> None:
    distances = np.full((11, 11), 0.1)
    assert path_cost(distances, range(11)) == 1.0


@pytest.mark.parametrize(
    ("distances", "message"),
    [
        ([[0, 1], [float("nan"), 0]], "nan in row 1, column 0"),
        ([[0, float("inf")], [1, 0]], "inf in row 0, column 1"),
        ([[0, 1, 2], [1, 0, 2]], "square"),
        ([], "square"),
    ],
)
def test_wrong_distances_are_refused(distances: list[list[float]], message: str) -> None:
    with pytest.raises(DataError, match=message):
        shortest_path(distances)


@pytest.mark.parametrize("start", [-1, 2, True, "0", 0.0])
def test_wrong_start_is_refused(start: object) -> None:
    with pytest.raises(UsageError, match="start must be the number of a unit, 0 to 1"):
        shortest_path([[0, 1], [1, 0]], start)  # type: ignore[arg-type]


@pytest.mark.parametrize("settings", [{"time_limit": 0}, {"time_limit": float("nan")}, {"seed": -1}, {"seed": True}])
def test_wrong_settings_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(UsageError, match=next(iter(settings))):
        shortest_path([[0, 1], [1, 0]], **settings)  # type: ignore[arg-type]


# --- Held and Karp's paths against trying all -----------------------------------------------------------------------


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("n", [1, 2, 3, 5, 7])
def test_equal_to_trying_all(n: int, symmetric: bool) -> None:
    for seed in range(10):
        distances = random_distances(n, seed, symmetric=symmetric)
        for start in (None, *range(n)):
            order = best_path(distances, start)
            assert sorted(order) == list(range(n))
            assert start is None or order[0] == start
            assert path_cost(distances, order) == pytest.approx(least_cost(distances, start), abs=1e-12)


def test_twin_gives_the_same_path(monkeypatch: pytest.MonkeyPatch) -> None:
    distances = random_distances(10, 3, symmetric=False)
    found = best_path(distances, None), best_path(distances, 4)
    monkeypatch.setenv("TEXTASSAY_KERNELS", "python")
    assert (best_path(distances, None), best_path(distances, 4)) == found


# --- Paths from the assignment problem and local search, and the bound that the assignment gives --------------------


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
