"""Drawing until an order fits gives the same distribution as counting does."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare, kstest

from textassay.ordering import inversions, sample_of, tau_counts
from textassay.ordering.distributions.sampling import drawn_until_it_fits, order_of_code
from textassay.seeds import Stream


@given(st.integers(2, 30), st.data())
def test_has_inversions_of_the_range(n: int, data: st.DataObject) -> None:
    total = n * (n - 1) // 2
    least = data.draw(st.integers(0, total))
    most = data.draw(st.integers(least, total))
    order = drawn_until_it_fits(n, least, most, Stream(data.draw(st.integers(0, 99)), "range"))
    assert sorted(order) == list(range(n))
    assert least <= inversions(order, list(range(n))) <= most


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


def test_first_units_of_a_long_order_are_as_with_counting() -> None:
    one = [sample_of(200, [5000], seed)[0] for seed in range(300)]
    other = [drawn_until_it_fits(200, 5000, 5000, Stream(seed, "long"))[0] for seed in range(300)]
    assert kstest(one, other).pvalue > 0.001


def test_codes_and_ends() -> None:
    assert order_of_code([0, 1, 2, 3]) == [3, 2, 1, 0]
    assert drawn_until_it_fits(300, 0, 0, Stream(1, "ends")) == list(range(300))
    assert drawn_until_it_fits(300, 44_850, 44_850, Stream(1, "ends")) == list(range(300))[::-1]
