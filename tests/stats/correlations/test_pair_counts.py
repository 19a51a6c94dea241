"""Concordant, discordant and tied pairs against plain counting."""

import math
from itertools import combinations, permutations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from textassay.stats.correlations.pair_counts import (
    count_inversions,
    count_pairs,
    exact_tails,
    mahonian_numbers,
    permutation_tails,
    s_variance,
)

pairs = st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=2, max_size=25)


@given(pairs)
def test_equals_plain_counting(data):
    found = count_pairs(*np.array(data, dtype=float).T)
    signs = [(np.sign(a[0] - b[0]), np.sign(a[1] - b[1])) for a, b in combinations(data, 2)]
    assert found.concordant == sum(x * y > 0 for x, y in signs)
    assert found.discordant == sum(x * y < 0 for x, y in signs)
    assert found.tied_x == sum(x == 0 for x, _ in signs)
    assert found.tied_y == sum(y == 0 for _, y in signs)
    assert found.tied_both == sum(x == y == 0 for x, y in signs)
    assert found.pairs == len(signs)


@given(st.lists(st.integers(0, 40), max_size=40))
def test_inversions_equal_plain_counting(codes):
    assert count_inversions(np.array(codes, dtype=np.intp)) == sum(a > b for a, b in combinations(codes, 2))


def test_a_hundred_thousand_values_equal_scipy():
    generator = np.random.Generator(np.random.PCG64(5))
    x = generator.integers(0, 5_000, 100_000)
    y = x + generator.normal(scale=3_000, size=x.size)
    assert count_pairs(x.astype(float), y).tau_b == pytest.approx(scipy.stats.kendalltau(x, y).statistic, rel=1e-12)


@given(pairs.filter(lambda rows: len({x for x, _ in rows}) > 1 and len({y for _, y in rows}) > 1))
def test_coefficients_equal_scipy(data):
    x, y = np.array(data, dtype=float).T
    found = count_pairs(x, y)
    assert found.tau_b == pytest.approx(scipy.stats.kendalltau(x, y).statistic, abs=1e-12)
    assert found.tau_c == pytest.approx(scipy.stats.kendalltau(x, y, variant="c").statistic, abs=1e-12)
    assert found.somers_d == pytest.approx(scipy.stats.somersd(x, y).statistic, abs=1e-12)
    assert abs(found.tau_a) <= abs(found.tau_b) <= abs(found.gamma) + 1e-12


# --- Kendall's S under the null hypothesis against enumeration and published counts ---------------------------------


values = st.lists(st.integers(0, 4), min_size=5, max_size=5).filter(lambda row: len(set(row)) > 1)


def s_of(x, y):
    return count_pairs(np.array(x, dtype=float), np.array(y, dtype=float)).s


def test_orders_of_eight_sentences():
    # All 8! orders by their inversions, as published for the ordering of eight sentences.
    first = [1, 7, 27, 76, 174, 343, 602, 961, 1415, 1940, 2493, 3017, 3450, 3736]
    assert mahonian_numbers(8, 28) == [*first, 3836, *reversed(first)]
    assert sum(mahonian_numbers(8, 28)) == math.factorial(8)


@given(st.permutations(range(5)))
def test_without_ties_both_ways_of_counting_agree(order):
    x, y = np.arange(5.0), np.array(order, dtype=float)
    assert exact_tails(count_pairs(x, y)) == pytest.approx(permutation_tails(x, y), abs=1e-14)


@given(values, values)
def test_with_ties_equals_plain_enumeration(x, y):
    observed = s_of(x, y)
    all_s = [s_of(x, order) for order in permutations(y)]
    expected = np.mean([s <= observed for s in all_s]), np.mean([s >= observed for s in all_s])
    assert permutation_tails(np.array(x, dtype=float), np.array(y, dtype=float)) == pytest.approx(expected)
    # S has mean 0 over all pairings, so its variance is the mean of its squares.
    counts = count_pairs(np.array(x, dtype=float), np.array(y, dtype=float))
    assert s_variance(counts) == pytest.approx(np.mean(np.square(all_s)))


def test_two_values_have_a_variance():
    assert s_variance(count_pairs(np.array([1.0, 2.0]), np.array([2.0, 1.0]))) == 1.0
