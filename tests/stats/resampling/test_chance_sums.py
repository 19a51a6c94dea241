"""Exact tails: counting whole numbers, enumerating others, and neither."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.stats.resampling.chance_sums import sign_flip_tails, subset_sum_tails

numbers = st.one_of(st.integers(-5, 5).map(float), st.sampled_from([0.5, 1.5, -2.5, 1 / 3, np.pi, -np.e, 0.1]))


@given(st.lists(numbers, min_size=1, max_size=7))
def test_signs_are_all_gone_through(values):
    sums = [float(np.dot(signs, values)) for signs in product((-1, 1), repeat=len(values))]
    lower = np.mean([s <= sum(values) + 1e-9 for s in sums])
    upper = np.mean([s >= sum(values) - 1e-9 for s in sums])
    assert sign_flip_tails(np.array(values)) == pytest.approx((lower, upper))


@given(st.lists(numbers, min_size=2, max_size=8), st.integers(1, 7))
def test_subsets_are_all_gone_through(values, size):
    size = min(size, len(values) - 1)
    sums = [sum(chosen) for chosen in combinations(values, size)]
    lower = np.mean([s <= sum(values[:size]) + 1e-9 for s in sums])
    upper = np.mean([s >= sum(values[:size]) - 1e-9 for s in sums])
    assert subset_sum_tails(np.array(values), size) == pytest.approx((lower, upper))


def test_many_ratings_are_counted_and_many_other_numbers_are_not():
    draw = np.random.Generator(np.random.PCG64(2))
    ratings = draw.integers(-4, 5, 300).astype(float)
    lower, upper = sign_flip_tails(ratings)
    # The normal approximation: sum / √Σd².
    z = ratings.sum() / np.sqrt((ratings**2).sum())
    assert 1 - upper == pytest.approx(0.5 * (1 + np.tanh(0.7978845608 * (z + 0.044715 * z**3))), abs=0.02)
    assert lower + upper > 1
    assert sign_flip_tails(draw.normal(size=21)) is None
    assert subset_sum_tails(draw.integers(1, 6, 80).astype(float), 40) is not None
    assert subset_sum_tails(draw.normal(size=21), 10) is None


def test_nothing_but_zeros():
    assert sign_flip_tails(np.zeros(30)) == (1.0, 1.0)
    assert subset_sum_tails(np.full(30, 2.5), 10) == (1.0, 1.0)
