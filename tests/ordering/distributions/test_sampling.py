"""Random orders with a given tau: uniform, and always of that tau."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare, kstest

from textassay.errors import DataError, UsageError
from textassay.ordering import inversions, sample_of, sample_order, tau, tau_counts
from textassay.ordering.distributions.sampling import _below, drawn_until_it_fits, order_of_code
from textassay.seeds import Stream

DRAWS = 6000


@given(st.integers(2, 20), st.data())
def test_has_the_inversions_that_were_asked_for(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n * (n - 1) // 2))
    order = sample_of(n, [k], data.draw(st.integers(0, 2**32)))
    assert sorted(order) == list(range(n))
    assert inversions(order, list(range(n))) == k


@pytest.mark.parametrize("k", [3, 5, 6])
def test_orders_with_so_many_inversions_are_equally_likely(k: int) -> None:
    """Chi-squared over all orders of five with k inversions; 15, 22 and 20 of them."""
    stream = Stream(11, "uniform", k)
    seen = Counter(tuple(sample_of(5, [k], stream)) for _ in range(DRAWS))
    every = [order for order in permutations(range(5)) if inversions(order, range(5)) == k]  # type: ignore[arg-type]
    assert len(every) == tau_counts(5)[k]
    assert chisquare([seen[order] for order in every]).pvalue > 0.001
    assert sum(seen.values()) == sum(seen[order] for order in every)


def test_orders_of_a_bin_are_equally_likely() -> None:
    stream = Stream(12, "uniform bin")
    seen = Counter(tuple(sample_order(5, 0.2, 0.8, stream)) for _ in range(DRAWS))
    every = [order for order in permutations(range(5)) if 0.19 < tau(order, list(range(5))) < 0.79]
    assert chisquare([seen[order] for order in every]).pvalue > 0.001
    assert set(seen) == set(every)


def test_same_seed_same_order() -> None:
    assert sample_order(8, -0.25, 0, 7) == sample_order(8, -0.25, 0, 7)
    assert len({tuple(sample_order(8, -0.25, 0, seed)) for seed in range(20)}) > 15


def test_long_orders() -> None:
    for n, low, high in ((100, 0.5, 0.75), (200, -0.01, 0.01), (200, -1, -0.9), (201, 0.5, 0.75), (1000, -0.75, -0.5)):
        assert low <= tau(sample_order(n, low, high, 1), list(range(n))) < high


def test_both_ends() -> None:
    assert sample_order(6, 1, 1, 1) == [0, 1, 2, 3, 4, 5]
    assert sample_order(6, -1, -1, 1) == [5, 4, 3, 2, 1, 0]
    assert sample_of(1, [0], 1) == [0]


def test_large_numbers_are_drawn_evenly() -> None:
    stream, n = Stream(3, "large"), 3 * 10**30
    draws = [_below(n, stream) for _ in range(3000)]
    assert all(0 <= draw < n for draw in draws)
    assert chisquare([sum(draw // 10**30 == part for draw in draws) for part in range(3)]).pvalue > 0.001


def test_no_order_in_the_range() -> None:
    with pytest.raises(
        DataError, match=r"no order of 4 units has a tau from 0\.1 to 0\.2; the nearest are 0\.3333 and 0"
    ):
        sample_order(4, 0.1, 0.2, 1)


@pytest.mark.parametrize(
    ("n", "k", "message"),
    [
        (0, [0], "whole number of at least 1"),
        (300, [0, 2], r"beyond 200 units the numbers of inversions must follow each other.*2 between 0 and 2"),
        (300, range(44_800, 44_900), "0 to 44850 inversions"),
        (4, [7], "0 to 6 inversions"),
        (4, [], "0 to 6 inversions"),
    ],
)
def test_wrong_arguments(n: int, k: Sequence[int], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        sample_of(n, k, 1)


# --- Drawing until an order fits gives the same distribution as counting does ---------------------------------------


@given(st.integers(2, 30), st.data())
def test_has_inversions_of_the_range(n: int, data: st.DataObject) -> None:
    total = n * (n - 1) // 2
    least = data.draw(st.integers(0, total))
    most = data.draw(st.integers(least, total))
    order = drawn_until_it_fits(n, least, most, Stream(data.draw(st.integers(0, 99)), "range"))
    assert sorted(order) == list(range(n))
    assert least <= inversions(order, list(range(n))) <= most


@pytest.mark.long
@pytest.mark.parametrize(("least", "most"), [(3, 3), (2, 4), (6, 9), (0, 10), (3, 7), (8, 8)])
def test_orders_of_a_range_are_equally_likely(least: int, most: int) -> None:
    stream = Stream(5, "uniform", least, most)
    seen = Counter(tuple(drawn_until_it_fits(5, least, most, stream)) for _ in range(1500))
    every = [order for order in permutations(range(5)) if least <= inversions(order, range(5)) <= most]  # type: ignore[arg-type]
    assert len(every) == sum(tau_counts(5)[least : most + 1])
    assert set(seen) <= set(every)
    assert chisquare([seen[order] for order in every]).pvalue > 0.001


def test_inversions_within_a_wide_range_are_as_common_as_counts_say() -> None:
    # 30 units, the fifth of the orders' range that has tau from .2 to .6: rare there, commonest at its edge
    inside = range(87, 175)
    counts = tau_counts(30)
    shares = [sum(counts[inside.start : k + 1]) / sum(counts[k] for k in inside) for k in inside]
    stream = Stream(6, "wide")
    drawn = [inversions(drawn_until_it_fits(30, 87, 174, stream), list(range(30))) for _ in range(400)]
    # the p of Kolmogorov and Smirnov is too large for a distribution with steps: a test that errs on the safe side
    assert kstest(drawn, lambda ks: np.array([shares[int(k) - 87] for k in ks])).pvalue > 0.001


@pytest.mark.long
def test_first_units_of_a_long_order_are_as_with_counting() -> None:
    one = [sample_of(200, [5000], seed)[0] for seed in range(300)]
    other = [drawn_until_it_fits(200, 5000, 5000, Stream(seed, "long"))[0] for seed in range(300)]
    assert kstest(one, other).pvalue > 0.001


def test_codes_and_ends() -> None:
    assert order_of_code([0, 1, 2, 3]) == [3, 2, 1, 0]
    assert drawn_until_it_fits(300, 0, 0, Stream(1, "ends")) == list(range(300))
    assert drawn_until_it_fits(300, 44_850, 44_850, Stream(1, "ends")) == list(range(300))[::-1]
