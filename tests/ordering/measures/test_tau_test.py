"""Tau with its p and the tau of chance."""

from __future__ import annotations

import math
from itertools import permutations

import pytest
from scipy.stats import kendalltau

from textassay.errors import DataError, UsageError
from textassay.ordering import tau, tau_test


def test_p_is_the_share_of_orders_as_extreme() -> None:
    reference = list(range(6))
    order = [1, 0, 2, 4, 3, 5]
    every = [tau(list(each), reference) for each in permutations(reference)]
    found = tau_test(order, reference)
    upper = sum(value >= found.tau - 1e-9 for value in every) / 720
    lower = sum(value <= found.tau + 1e-9 for value in every) / 720
    assert found.p == pytest.approx(2 * min(upper, lower))
    assert tau_test(order, reference, alternative="greater").p == pytest.approx(upper)
    assert tau_test(order, reference, alternative="less").p == pytest.approx(lower)
    # scipy 1.x, exact, of the places
    assert found.p == pytest.approx(kendalltau(order, reference, method="exact").pvalue)


def test_first_unit_fixed() -> None:
    """Only the (n-1)! orders that begin right were possible: chance is 2/n, and p counts those."""
    reference, order = list("abcde"), list("abced")
    every = [tau(["a", *each], reference) for each in permutations("bcde")]
    found = tau_test(order, reference, first_fixed=True)
    assert found.chance == pytest.approx(sum(every) / len(every)) == pytest.approx(2 / 5)
    assert found.p == pytest.approx(2 * sum(value >= found.tau - 1e-9 for value in every) / 24)
    assert found.records()[0]["chance"] == found.chance
    assert tau_test(order, reference).chance == 0
    with pytest.raises(DataError, match="begins with 'b' and the reference with 'a'"):
        tau_test("bacde", reference, first_fixed=True)


def test_long_orders_take_the_normal_distribution() -> None:
    order = [*range(1, 200), 0]
    found = tau_test(order, list(range(200)))
    assert not found.exact
    assert found.p == pytest.approx(kendalltau(order, range(200), method="asymptotic").pvalue)


def test_undefined_with_the_reason() -> None:
    found = tau_test("a", "a")
    assert math.isnan(found.tau)
    assert "needs at least 2 units, got 1" in found.warnings[0]
    only = tau_test("ab", "ab", first_fixed=True)
    assert only.tau == 1
    assert math.isnan(only.p)
    assert "one order only" in only.warnings[0]
    assert math.isnan(tau_test([], []).tau)


def test_common_units_are_reported() -> None:
    found = tau_test("xba", "abc", units="common")
    assert (found.tau, found.n) == (-1, 2)
    assert found.coverage == pytest.approx(2 / 3)
    assert len(found.warnings) == 2


def test_wrong_setting() -> None:
    with pytest.raises(UsageError, match="alternative"):
        tau_test("ab", "ab", alternative="bigger")  # type: ignore[arg-type]
