"""The compiled search and its fallback find the same tour, no longer than the one they begin with."""

from __future__ import annotations

from itertools import count, pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.kernels.choice import VARIABLE
from textassay.kernels.tours import MOST, _sizes, held_karp, tour_search


def searched(costs: object, tour: object, kernel: str, **more: object) -> tuple[list[int], int]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, kernel)
        found, length = tour_search(costs, tour, **{"kicks": 0, **more})  # type: ignore[arg-type]
    return found.tolist(), length


def length_of(costs: np.ndarray, tour: list[int]) -> int:
    return int(sum(costs[a, b] for a, b in zip(tour, [*tour[1:], tour[0]], strict=True)))


def _matrix(n: int, seed: int, symmetric: bool, few: bool) -> np.ndarray:
    drawn = np.random.default_rng(seed).integers(-5, 4 if few else 10**9, size=(n, n))
    return drawn + drawn.T if symmetric else drawn


matrices = st.builds(
    _matrix,
    st.integers(3, 14),
    st.integers(0, 10**6),
    st.booleans(),
    st.booleans(),
)


@settings(max_examples=40, deadline=None)
@given(matrices, st.integers(0, 2**64 - 1), st.integers(0, 40))
def test_loop_and_fallback_find_the_same_tour(costs: np.ndarray, seed: int, kicks: int) -> None:
    begin = list(range(len(costs)))
    found, length = searched(costs, begin, "auto", seed=seed, kicks=kicks)
    assert (found, length) == searched(costs, begin, "python", seed=seed, kicks=kicks)
    assert sorted(found) == begin
    assert found[0] == 0
    assert length == length_of(costs, found) <= length_of(costs, begin)


@pytest.mark.parametrize("kernel", ["auto", "python"])
@pytest.mark.parametrize("asked", [1, 2, 5])
def test_a_search_that_is_stopped_gives_the_best_tour_so_far(kernel: str, asked: int) -> None:
    costs, begin = _matrix(60, 3, symmetric=False, few=False), list(range(60))
    times = count(1)
    stopped, length = searched(costs, begin, kernel, kicks=10**9, stop=lambda: next(times) >= asked)
    assert next(times) <= asked + 2
    assert sorted(stopped) == begin
    assert length == length_of(costs, stopped) <= length_of(costs, begin)


@pytest.mark.parametrize("kernel", ["auto", "python"])
def test_being_asked_whether_to_stop_changes_nothing(kernel: str) -> None:
    costs = _matrix(40, 5, symmetric=True, few=False)
    never = searched(costs, range(40), kernel, kicks=50, stop=lambda: False)
    assert never == searched(costs, range(40), kernel, kicks=50)


def test_what_the_question_raises_is_raised() -> None:
    def interrupted() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        searched(_matrix(30, 5, symmetric=True, few=False), range(30), "auto", kicks=50, stop=interrupted)


@pytest.mark.parametrize("symmetric", [True, False])
def test_small_tours_are_shortest_after_some_kicks(symmetric: bool) -> None:
    for seed in range(20):
        costs = _matrix(8, seed, symmetric, few=False)
        shortest = min(length_of(costs, [0, *rest]) for rest in permutations(range(1, 8)))
        assert searched(costs, range(8), "auto", kicks=500, seed=seed)[1] == shortest


def test_points_on_a_circle_need_no_kicks() -> None:
    angle = np.random.default_rng(1).permutation(60) * np.pi / 30
    points = np.column_stack([np.cos(angle), np.sin(angle)])
    costs = np.rint(1e6 * np.linalg.norm(points[:, None] - points, axis=2)).astype(np.int64)
    # 60 chords of 2 sin(pi/60), each rounded.
    assert searched(costs, range(60), "auto", kicks=300)[1] == 60 * round(1e6 * 2 * np.sin(np.pi / 60))


def test_search_ends_at_its_target() -> None:
    costs = _matrix(40, 3, symmetric=True, few=False)
    settled = searched(costs, range(40), "auto", kicks=0)
    assert searched(costs, range(40), "auto", kicks=10_000, target=settled[1]) == settled
    assert searched(costs, range(40), "auto", kicks=10_000)[1] < settled[1]


@pytest.mark.parametrize(
    ("costs", "tour", "message"),
    [
        (np.zeros((2, 2), dtype=int), [0, 1], "n of at least 3"),
        (np.zeros((3, 4), dtype=int), [0, 1, 2], r"\(3, 4\)"),
        (np.zeros((3, 3)), [0, 1, 2], "whole numbers"),
        (np.full((3, 3), 2**60), [0, 1, 2], "up to"),
        (np.zeros((3, 3), dtype=int), [0, 1, 1], "each of the nodes 0 … 2 once"),
        (np.zeros((3, 3), dtype=int), [0, 1], "each of the nodes"),
    ],
)
def test_wrong_arguments_are_refused(costs: np.ndarray, tour: list[int], message: str) -> None:
    with pytest.raises(DataError, match=message):
        tour_search(costs, tour, kicks=1)


# --- The compiled loop, its fallback and all permutations give the same least costs ---------------------------------


def table(distances: object, kernel: str) -> np.ndarray:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, kernel)
        return held_karp(distances)  # type: ignore[arg-type]


def by_permutations(distances: np.ndarray, subset: int, last: int) -> float:
    others = [unit + 1 for unit in range(len(distances) - 1) if subset >> unit & 1]
    if last + 1 not in others:
        return float("inf")
    paths = ([0, *order] for order in permutations(others) if order[-1] == last + 1)
    return min(sum(distances[a, b] for a, b in pairwise(path)) for path in paths)


whole = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.lists(st.integers(-50, 50), min_size=n, max_size=n), min_size=n, max_size=n)
)


@given(whole)
def test_every_place_is_the_least_of_all_permutations(rows: list[list[int]]) -> None:
    distances = np.array(rows, dtype=float)
    found = table(distances, "auto")
    n = len(rows)
    expected = [[by_permutations(distances, subset, last) for last in range(n - 1)] for subset in range(1 << (n - 1))]
    assert found.tolist() == expected
    assert table(distances, "python").tolist() == expected


def test_loop_and_fallback_agree_to_the_last_bit() -> None:
    distances = np.random.default_rng(2).normal(size=(12, 12))
    assert np.array_equal(table(distances, "auto"), table(distances, "python"))


def test_bits_are_counted_without_numpy_2() -> None:
    assert _sizes(6).tolist() == [number.bit_count() for number in range(64)]


@pytest.mark.parametrize("wrong", [[[0.0]], np.zeros((3, 2)), np.zeros((MOST + 1, MOST + 1)), [1.0, 2.0]])
def test_wrong_shapes_are_refused(wrong: object) -> None:
    with pytest.raises(DataError, match=r"shape \(n, n\) with n from 2 to 20"):
        held_karp(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_infinite_distances_are_refused(value: float) -> None:
    with pytest.raises(DataError, match="finite"):
        held_karp([[0.0, value], [1.0, 0.0]])
