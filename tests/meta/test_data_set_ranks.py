"""Ranks over data sets against published tables of Friedman's test, and against all orders written out."""

from __future__ import annotations

import math
from itertools import permutations, product

import numpy as np
import pytest

from textassay.errors import DataError
from textassay.meta.data_set_ranks import DataSetRanks, rank_over_data_sets
from textassay.stats import friedman


def ranked(orders: list[tuple[int, ...]]) -> DataSetRanks:
    """From ranks, 1 being the best."""
    return rank_over_data_sets(-np.array(orders, dtype=float), "ABCDEFGH"[: len(orders)], "vwxyz"[: len(orders[0])])


@pytest.mark.parametrize(
    ("orders", "chi2", "p"),
    [  # Hollander & Wolfe (1999), Table A.22
        ([(1, 2, 3)] * 3, 6.0, 0.028),
        ([(1, 2, 3), (1, 3, 2), (1, 2, 3)], 4.667, 0.194),
        ([(1, 2, 3)] * 3 + [(2, 1, 3)], 6.5, 0.042),
        ([(1, 2, 3, 4)] * 2, 6.0, 0.042),
    ],
)
def test_published_tables(orders: list[tuple[int, ...]], chi2: float, p: float) -> None:
    assert friedman(orders).chi2 == pytest.approx(chi2, abs=5e-4)
    found = ranked(orders)
    assert (found.exact, found.p) == (True, pytest.approx(p, abs=5e-4))


def test_pairs_are_counted_over_all_orders() -> None:
    # two data sets: (1,2,3) and (1,3,2); every pair of orders written out, without the first held
    found = ranked([(1, 2, 3), (1, 3, 2)])
    sums = [np.add(a, b) for a, b in product(permutations((1, 2, 3)), repeat=2)]
    for (a, first), (b, second) in product(enumerate("vwx"), repeat=2):
        if a < b:
            gap = abs((2, 5, 5)[a] - (2, 5, 5)[b])
            assert found.pairs[first, second].p == pytest.approx(np.mean([np.ptp(each) >= gap for each in sums]))
            alone = np.mean([abs(each[a] - each[b]) >= gap for each in sums])
            assert found.pairs[first, second].p_raw == pytest.approx(alone)
    assert found.pairs["v", "w"].favours == "v"


def test_it_keeps_its_level() -> None:
    # the first of three data sets held, all orders of the others: no p is too often small
    every = [ranked([(1, 2, 3), *others]) for others in product(permutations((1, 2, 3)), repeat=2)]
    for level in (0.05, 0.1, 0.2):
        assert np.mean([found.p <= level for found in every]) <= level
        assert np.mean([min(pair.p for pair in found.pairs) <= level for found in every]) <= level
    assert min(found.p for found in every) == pytest.approx(every[0].least_p) == pytest.approx(1 / 36)


def test_many_orders_are_drawn() -> None:
    agreement = np.arange(40.0).reshape(8, 5)
    found = rank_over_data_sets(agreement, list("ABCDEFGH"), list("vwxyz"), draws=99)
    assert (found.exact, found.orders, found.p, found.w) == (False, 100, 0.01, 1.0)
    assert found.mean_ranks.tolist() == [5, 4, 3, 2, 1]
    again = rank_over_data_sets(agreement[:, ::-1], list("ABCDEFGH"), list("vwxyz"), draws=99, seed=1)
    assert again.p == found.p


def test_ties_and_what_cannot_be_ranked() -> None:
    tied = rank_over_data_sets([[0.5, 0.5, 0.1], [0.4, 0.4, 0.3]], "AB", "xyz")
    assert tied.ranks.tolist() == [[1.5, 1.5, 3], [1.5, 1.5, 3]]
    assert tied.p == pytest.approx(1 / 3)  # the second has its lowest where the first has, one of three places
    alone = rank_over_data_sets([[0.5, 0.4]], "A", "xy")
    assert (math.isnan(alone.p), math.isnan(alone.pairs["x", "y"].p)) == (True, True)
    assert alone.reason.startswith("metrics cannot be compared: at least 2 data sets")
    with pytest.raises(DataError, match="missing or infinite: B × y"):
        rank_over_data_sets([[0.5, 0.4], [0.3, math.nan]], "AB", "xy")
