from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations

import pytest

from textassay.design.order import shifted, williams_square, zigzag

SIZES = range(1, 14)


@pytest.mark.parametrize("n", SIZES)
def test_every_row_and_column_holds_every_symbol(n: int) -> None:
    rows = williams_square(n)
    assert all(sorted(row) == list(range(n)) for row in rows)
    for place in range(n):
        column = Counter(row[place] for row in rows)
        assert set(column.values()) == {len(rows) // n}


@pytest.mark.parametrize("n", SIZES[1:])
def test_every_ordered_pair_of_neighbours_is_there_equally_often(n: int) -> None:
    # Williams (1949): one square does it for an even number of treatments, two are needed for an odd one.
    rows = williams_square(n)
    assert len(rows) == (n if n % 2 == 0 else 2 * n)
    pairs = Counter(pair for row in rows for pair in pairwise(row))
    assert set(pairs) == set(permutations(range(n), 2))
    assert set(pairs.values()) == {1 if n % 2 == 0 else 2}


@pytest.mark.parametrize("n", [n for n in SIZES if n % 2 == 0])
def test_steps_of_an_even_zigzag_are_all_different(n: int) -> None:
    assert sorted((b - a) % n for a, b in pairwise(zigzag(n))) == list(range(1, n))


def test_shifting_all_the_way_round_changes_nothing() -> None:
    assert shifted(zigzag(7), 7) == zigzag(7)
