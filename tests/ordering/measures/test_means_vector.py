"""The means vector of a set of orders."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from textassay.errors import DataError, UsageError
from textassay.ordering import means_agreement, means_vector, spearman, tau

MADNANI = [[2, 3, 4, 5, 6, 1]] * 3 + [[6, 1, 2, 3, 4, 5]] * 3


def test_example_of_madnani() -> None:
    """Madnani et al. 2007, figure 3; coefficients by scipy."""
    found = means_agreement(MADNANI, [1, 2, 3, 4, 5, 6])
    assert found.means.tolist() == [4, 2, 3, 4, 5, 3]
    assert [round(value, 4) for value in (found.r, found.rho, found.tau_b)] == [0.2548, 0.2060, 0.2148]
    wanted = np.arange(6)
    assert found.r == pytest.approx(stats.pearsonr(found.means, wanted).statistic)
    assert found.tau_b == pytest.approx(stats.kendalltau(found.means, wanted).statistic)


@given(st.integers(3, 7).flatmap(lambda n: st.tuples(st.permutations(range(n)), st.permutations(range(n)))))
def test_one_order_gives_the_measures_of_that_order(orders: tuple[list[int], list[int]]) -> None:
    order, target = orders
    found = means_agreement([order], target)
    assert found.tau_b == pytest.approx(tau(order, target))
    assert found.rho == pytest.approx(spearman(order, target))


def test_numbering_of_another_order_compares_lists() -> None:
    found = means_agreement(["bac", "abc"], "cab", numbering="abc")
    assert found.means.tolist() == [1.5, 1.5, 3]
    assert found.r == pytest.approx(stats.pearsonr([1.5, 1.5, 3], [3, 1, 2]).statistic)
    assert "lists are compared, not orders" in found.warnings[0]
    assert [record["statistic"] for record in found.records()] == ["pearson", "spearman", "tau-b"]


def test_equal_means_are_undefined_with_the_reason() -> None:
    found = means_agreement(["ab", "ba"], "ab")
    assert np.isnan([found.r, found.rho, found.tau_b]).all()
    assert "constant" in found.warnings[0]


def test_wrong_arguments() -> None:
    with pytest.raises(UsageError, match="say in `numbering` which order numbers them"):
        means_vector(["ab"])
    with pytest.raises(DataError, match="there are no orders"):
        means_vector([])
    with pytest.raises(DataError, match="lacks units"):
        means_vector([[1, 2]], [1, 2, 3])
