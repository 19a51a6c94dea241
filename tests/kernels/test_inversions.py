"""The compiled loop, its plain-Python fallback and the definition give the same numbers of inversions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.kernels.choice import VARIABLE, compiled
from textassay.kernels.inversions import inversion_counts


def by_definition(row: list[int]) -> int:
    return sum(row[i] > row[j] for i in range(len(row)) for j in range(i + 1, len(row)))


def counted(rows: object, kernel: str, place: object = None) -> list[int]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, kernel)
        return inversion_counts(rows, place).tolist()  # type: ignore[arg-type]


def both(rows: object, place: object = None) -> list[int]:
    found = counted(rows, "auto", place)
    assert found == counted(rows, "python", place)
    return found


permutations = st.integers(1, 12).flatmap(lambda n: st.lists(st.permutations(range(n)), min_size=1, max_size=5))


def test_loop_is_compiled_here() -> None:
    assert compiled()


@given(permutations)
def test_like_the_definition(rows: list[list[int]]) -> None:
    assert both(rows) == [by_definition(row) for row in rows]


@given(permutations, st.randoms(use_true_random=False))
def test_numbers_can_be_replaced(rows: list[list[int]], random: object) -> None:
    n = len(rows[0])
    place = np.random.default_rng(random.getrandbits(32)).permutation(n)  # type: ignore[attr-defined]
    assert both(rows, place) == [by_definition([int(place[unit]) for unit in row]) for row in rows]


@pytest.mark.parametrize("n", [1, 2, 22, 23, 24, 63, 64, 65, 255, 256, 257, 300, 1023, 1025])
@pytest.mark.parametrize("kind", ["int16", "int32", "int64", "uint64"])
def test_short_and_long_rows_of_every_type(n: int, kind: str) -> None:
    draw = np.random.Generator(np.random.PCG64(n))
    rows = np.array([draw.permutation(n) for _ in range(7)]).astype(kind)
    assert both(rows)[:2] == [by_definition(row) for row in rows[:2].tolist()]


@pytest.mark.parametrize("m", [1, 511, 512, 513, 1030])
def test_blocks_of_rows(m: int) -> None:
    draw = np.random.Generator(np.random.PCG64(m))
    rows = np.argsort(draw.random((m, 9)), axis=1).astype(np.int8)
    assert both(rows) == [by_definition(row) for row in rows.tolist()]


def test_reversed_rows_have_all_pairs() -> None:
    for n in (20, 400, 70_000):
        assert both(np.arange(n)[::-1][None]) == [math.comb(n, 2)]


def test_rows_that_are_not_contiguous() -> None:
    assert both(np.array([[0, 1], [2, 0], [1, 2]]).T) == [1, 1]


def test_nothing_gives_nothing() -> None:
    assert both(np.zeros((0, 5), dtype=int)) == []
    assert both(np.zeros((2, 0), dtype=int)) == [0, 0]


@pytest.mark.parametrize("n", [3, 300])
@pytest.mark.parametrize("value", [0, -1, "n"])
@pytest.mark.parametrize("kernel", ["auto", "python"])
def test_a_row_that_is_no_permutation_is_named(n: int, value: int | str, kernel: str) -> None:
    rows = np.tile(np.arange(n), (3, 1))
    rows[2, 1] = n if value == "n" else value
    with pytest.raises(DataError, match="row 2 is not a permutation"):
        counted(rows, kernel)


@pytest.mark.parametrize(
    ("rows", "place", "message"),
    [
        ([0, 1, 2], None, "shape"),
        ([[0.5, 1.0]], None, "whole numbers"),
        ([[0, 1]], [0, 0], "place must be a permutation"),
        ([[0, 1]], [0, 1, 2], "place must be a permutation"),
    ],
)
def test_wrong_arguments(rows: object, place: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        counted(rows, "auto", place)
