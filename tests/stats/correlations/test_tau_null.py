"""Kendall's S under the null hypothesis against enumeration and published counts."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textassay.stats.correlations.pair_counts import count_pairs
from textassay.stats.correlations.tau_null import exact_tails, inversion_counts, permutation_tails, s_variance

values = st.lists(st.integers(0, 4), min_size=5, max_size=5).filter(lambda row: len(set(row)) > 1)


def s_of(x, y):
    return count_pairs(np.array(x, dtype=float), np.array(y, dtype=float)).s


def test_orders_of_eight_sentences():
    # All 8! orders by their inversions, as published for the ordering of eight sentences.
    first = [1, 7, 27, 76, 174, 343, 602, 961, 1415, 1940, 2493, 3017, 3450, 3736]
    assert inversion_counts(8, 28) == [*first, 3836, *reversed(first)]
    assert sum(inversion_counts(8, 28)) == math.factorial(8)


@given(st.permutations(range(5)))
def test_without_ties_both_ways_of_counting_agree(order):
    x, y = np.arange(5.0), np.array(order, dtype=float)
    assert exact_tails(count_pairs(x, y)) == pytest.approx(permutation_tails(x, y), abs=1e-14)


@settings(max_examples=20)
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
