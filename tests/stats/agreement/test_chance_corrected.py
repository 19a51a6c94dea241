"""Counts of agreement and the linear form of a coefficient."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.stats.agreement.chance_corrected import chance_corrected, count_agreement, undefined

tables = st.integers(2, 6).flatmap(
    lambda units: st.lists(st.lists(st.integers(1, 3), min_size=units, max_size=units), min_size=2, max_size=5)
)


def test_counts_by_hand():
    # Units aab, bb, c: pairs that agree 1/3, 1, none; shares (2/3, 1/3, 0), (0, 1, 0), (0, 0, 1).
    data = count_agreement([["a", "b", "c"], ["a", "b", None], ["b", None, None]], None, "identity", "kappa")
    assert data.by_unit == pytest.approx([1 / 3, 1, 0])
    assert data.observed == pytest.approx(2 / 3)
    assert data.shares == pytest.approx(np.array([2 / 3, 4 / 3, 1]) / 3)
    assert data.mean_of_categories(np.array([3.0, 6.0, 1.0])) == pytest.approx([4, 6, 1])
    assert not data.one_category
    assert len(data.warnings()) == 1


@given(tables)
def test_standard_error_without_chance_is_that_of_a_mean(table):
    # For p_e = 0 the coefficient is a plain mean over units, and its standard error that of a mean.
    data = count_agreement(table, [1, 2, 3], "identity", "kappa")
    found = chance_corrected(data, 0.0, np.zeros(data.ratings.units), 0.95)
    assert found.value == pytest.approx(data.by_unit.mean())
    assert found.se == pytest.approx(data.by_unit.std(ddof=1) / np.sqrt(data.ratings.units), abs=1e-12)


@given(tables)
def test_identity_weights_by_pairs_equal_counting(table):
    plain = count_agreement(table, [1, 2, 3], "identity", "kappa")
    linear = count_agreement(table, [1, 2, 3], "linear", "kappa")
    assert np.all(linear.by_unit >= plain.by_unit - 1e-12)
    assert linear.counts.unequal_pairs(plain.weights.between) == pytest.approx(np.zeros(len(table[0])))


def test_undefined_keeps_its_reason():
    assert undefined("why").warnings == ("why",)
    assert np.isnan(undefined("why").value)
