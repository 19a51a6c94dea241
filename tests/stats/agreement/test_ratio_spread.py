"""The sum of squared relative differences against all pairs, for every kind of spread."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.stats.agreement.ratio_spread import ratio_spread


def all_pairs(values, counts):
    a, b = values[:, None], values
    with np.errstate(invalid="ignore"):
        apart = np.nan_to_num(((a - b) / (a + b)) ** 2)  # 0 and 0 do not differ
    return counts @ apart @ counts


@pytest.mark.parametrize("spread", [1e-9, 1e-4, 0.1, 1, 5])
@pytest.mark.parametrize("zero", [True, False])
def test_nodes_equal_all_pairs(spread, zero):
    draw = np.random.default_rng(4)
    values = np.unique(np.exp(spread * draw.normal(size=1500)))
    values = np.concatenate([[0.0], values]) if zero else values
    counts = draw.integers(1, 6, size=values.size).astype(float)
    compressed = ratio_spread(values, direct=0)
    assert compressed.nodes.size < values.size
    assert compressed.sum(counts) == pytest.approx(all_pairs(values, counts), rel=1e-12)
    assert ratio_spread(values, direct=10_000).sum(counts) == pytest.approx(all_pairs(values, counts), rel=1e-12)


@given(st.lists(st.floats(1e-3, 1e6), min_size=1, max_size=30, unique=True), st.booleans())
def test_few_values_equal_all_pairs(values, zero):
    sorted_values = np.array(sorted([0.0] * zero + values))
    counts = np.arange(1.0, sorted_values.size + 1)
    found = ratio_spread(sorted_values).sum(counts)
    assert found == pytest.approx(all_pairs(sorted_values, counts), rel=1e-9, abs=1e-12)


def test_values_over_the_whole_range_of_floats():
    values = np.array([0.0, 1e-300, 1.0, 1e300])
    assert ratio_spread(values).sum(np.ones(4)) == pytest.approx(12)  # every pair differs by the whole


def test_zero_alone():
    assert ratio_spread(np.array([0.0])).sum(np.array([5.0])) == 0


def test_value_on_a_node_counts_once():
    # The middle Chebyshev points of even degree never hit; the ends of stretches and exact nodes must not divide by 0.
    values = np.exp(np.linspace(0, 1, 2049))
    assert ratio_spread(values, direct=0).sum(np.ones(2049)) == pytest.approx(all_pairs(values, np.ones(2049)))
