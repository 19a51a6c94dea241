"""Kappa over positions."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from textassay.errors import DataError, UsageError
from textassay.ordering import (
    kappa_of_matrix,
    means_agreement,
    means_vector,
    position_accuracy,
    position_kappa,
    position_matrix,
    spearman,
    tau,
)
from textassay.stats import cohen_kappa_matrix

WEIGHTS: tuple[Literal["none", "linear", "quadratic"], ...] = ("none", "linear", "quadratic")
MADNANI = [[5, 0, 0, 1, 0], [1, 3, 1, 0, 1], [0, 2, 2, 1, 1], [0, 0, 2, 2, 2], [0, 1, 1, 2, 2]]
sets = st.integers(2, 6).flatmap(lambda n: st.lists(st.permutations(range(n)), min_size=1, max_size=6))


def test_example_of_madnani() -> None:
    """Madnani et al. 2007: 14 of 30 in place, (14/30 - 1/5) / (4/5)."""
    assert kappa_of_matrix(MADNANI) == pytest.approx(1 / 3)


@given(sets)
def test_identities(orders: list[list[int]]) -> None:
    n = len(orders[0])
    target = list(range(n))
    found = position_kappa(orders, target)
    accuracy = np.mean([position_accuracy(order, target) for order in orders])
    assert found.accuracy == pytest.approx(accuracy)
    assert found.kappa == pytest.approx((accuracy - 1 / n) / (1 - 1 / n))
    assert found.kappa >= -1 / (n - 1) - 1e-12
    quadratic = position_kappa(orders, target, weights="quadratic").kappa
    assert quadratic == pytest.approx(np.mean([spearman(order, target) for order in orders]), abs=1e-12)


@pytest.mark.parametrize("weights", WEIGHTS)
@given(sets)
def test_like_cohens_kappa_of_the_matrix(
    weights: Literal["none", "linear", "quadratic"], orders: list[list[int]]
) -> None:
    target = sorted(orders[0], reverse=True)
    found = position_kappa(orders, target, weights=weights)
    assert found.matrix.sum() == len(orders) * len(target)
    assert kappa_of_matrix(found.matrix, weights=weights) == pytest.approx(found.kappa, abs=1e-12)
    cohen = cohen_kappa_matrix(found.matrix, weights="identity" if weights == "none" else weights)
    assert cohen.kappa == pytest.approx(found.kappa, abs=1e-12)


def test_least_value_is_reached() -> None:
    for n in (2, 3, 5):
        assert position_kappa([np.roll(np.arange(n), 1).tolist()], list(range(n))).kappa == pytest.approx(-1 / (n - 1))


def test_chance_gives_none() -> None:
    every = [list(order) for order in permutations("abcd")]
    for weights in WEIGHTS:
        assert position_kappa(every, "abcd", weights=weights).kappa == pytest.approx(0, abs=1e-12)


def test_matrix_has_positions_in_rows() -> None:
    # b stands first twice, a once
    assert position_matrix(["bac", "bca", "abc"], "abc").tolist() == [[1, 2, 0], [1, 1, 1], [1, 0, 2]]


def test_several_references_and_one_output() -> None:
    """m_ij: how often the i-th unit of the output stands in position j over the references (Madnani et al. 2007)."""
    matrix = position_matrix(["abc", "acb"], "bac")  # columns are b, a, c
    assert matrix.T.tolist() == [[0, 1, 1], [2, 0, 0], [0, 1, 1]]


def test_result_is_a_number_and_has_a_record() -> None:
    found = position_kappa(["ab", "ba"], "ab").about("text 1")
    assert float(found) == found.kappa == 0
    record = found.records()[0]
    assert (record["value"], record["of"], record["n"], record["units"]) == (0, "text 1", 2, 2)


def test_one_unit_is_undefined_with_the_reason() -> None:
    found = position_kappa([["a"]], ["a"])
    assert math.isnan(found.kappa)
    assert "at least 2 units" in found.warnings[0]


def test_wrong_arguments() -> None:
    with pytest.raises(UsageError, match="weights must be one of none, linear, quadratic"):
        position_kappa(["ab"], "ab", weights="cubic")  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"orders\[0\]: the order lacks units of the reference: 'c'"):
        position_kappa(["ab"], "abc")
    for wrong in ([[1, 2]], [[0, 0], [0, 0]], [[1, -1], [0, 1]]):
        with pytest.raises(DataError, match="square table of counts"):
            kappa_of_matrix(wrong)


# --- The means vector of a set of orders ----------------------------------------------------------------------------


MADNANI_MEANS_VECTOR = [[2, 3, 4, 5, 6, 1]] * 3 + [[6, 1, 2, 3, 4, 5]] * 3


def test_example_of_madnani_means_vector() -> None:
    """Madnani et al. 2007, figure 3; coefficients by scipy."""
    found = means_agreement(MADNANI_MEANS_VECTOR, [1, 2, 3, 4, 5, 6])
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


def test_wrong_arguments_means_vector() -> None:
    with pytest.raises(UsageError, match="say in `numbering` which order numbers them"):
        means_vector(["ab"])
    with pytest.raises(DataError, match="there are no orders"):
        means_vector([])
    with pytest.raises(DataError, match="lacks units"):
        means_vector([[1, 2]], [1, 2, 3])
