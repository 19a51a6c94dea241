"""The noncentralities that a t speaks for."""

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import nct

from textassay.stats.variance.noncentral_t import noncentrality_interval


@settings(max_examples=40)  # each asks the distribution function some fifty times
@example(3.7e-108, 1, 0.8)
@given(st.floats(-25, 25), st.integers(1, 200), st.sampled_from([0.8, 0.95, 0.99]))
def test_ends_put_t_at_the_tails(t, df, confidence):
    low, high = noncentrality_interval(t, df, confidence)
    tail = (1 - confidence) / 2
    t = t if abs(t) > 1e-40 else 0.0  # scipy has no value for some that are smaller
    assert nct.sf(t, df, low) == pytest.approx(tail, rel=1e-5)
    assert nct.cdf(t, df, high) == pytest.approx(tail, rel=1e-5)


def test_turning_t_turns_the_interval():
    low, high = noncentrality_interval(1.7, 12, 0.9)
    assert noncentrality_interval(-1.7, 12, 0.9) == pytest.approx((-high, -low))


def test_undefined_t_has_no_interval():
    assert all(math.isnan(end) for end in noncentrality_interval(math.nan, 5, 0.95))
