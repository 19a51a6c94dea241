"""Two variables, checked and standardised."""

import numpy as np
import pytest

from textassay.stats.correlations.pair import product_moment, read_pair, standardised


def test_reason_is_told_where_there_is_no_correlation():
    assert read_pair([1, 2], [3, 4]).undefined == ""
    assert read_pair([1], [2]).undefined == "a correlation needs at least 2 pairs, got 1"
    assert read_pair([1, 2], [3, 3]).undefined == "y is constant (always 3), so there is no correlation"


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_standardised_has_mean_0_and_length_1(scale):
    values = standardised(np.array([1.0, 2.0, 4.0]) * scale)
    assert values.sum() == pytest.approx(0, abs=1e-15)
    assert values @ values == pytest.approx(1)


def test_perfect_is_exactly_one():
    x = np.array([0.1, 0.2, 0.7, 0.4])
    assert product_moment(x, 3 * x + 0.1) == 1.0
    assert product_moment(x, -x) == -1.0
    assert product_moment(x, np.array([0.1, 0.2, 0.7, 0.4000001])) < 1.0
