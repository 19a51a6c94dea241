"""Concordant, discordant and tied pairs against plain counting."""

from itertools import combinations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from textassay.stats.correlations.pair_counts import count_pairs, inversions

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
    assert inversions(np.array(codes, dtype=np.intp)) == sum(a > b for a, b in combinations(codes, 2))


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
