"""The compiled loop, its fallback and all permutations give the same least costs."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.kernels.choice import VARIABLE
from textassay.kernels.tours import MOST, _sizes, held_karp


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


@settings(max_examples=60)
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
