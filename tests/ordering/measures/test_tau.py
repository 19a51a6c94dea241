"""Kendall's tau of orders."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

import textassay.ordering.measures.tau as module
from textassay.errors import DataError, UsageError
from textassay.ordering import inversions, tau, tau_batch, tau_matrix, tau_test

REFERENCE = list(range(1, 11))
SYSTEM_1 = [2, 1, 5, 3, 4, 6, 7, 9, 8, 10]
SYSTEM_2 = [10, 2, 3, 4, 5, 6, 7, 8, 9, 1]


def test_example_of_lapata() -> None:
    """Lapata 2006, ten items; S and tau recomputed by hand: 1 - 4 S / 90."""
    assert [inversions(SYSTEM_1, REFERENCE), inversions(SYSTEM_2, REFERENCE), inversions(SYSTEM_1, SYSTEM_2)] == [
        4,
        17,
        19,
    ]
    found = [tau(SYSTEM_1, REFERENCE), tau(SYSTEM_2, REFERENCE), tau(SYSTEM_1, SYSTEM_2)]
    assert [round(value, 4) for value in found] == [0.8222, 0.2444, 0.1556]


@given(st.integers(2, 30).flatmap(lambda n: st.tuples(st.permutations(range(n)), st.permutations(range(n)))))
def test_like_scipy_on_places_and_the_same_both_ways(orders: tuple[list[int], list[int]]) -> None:
    one, other = orders
    places = np.argsort(one), np.argsort(other)
    assert tau(one, other) == pytest.approx(kendalltau(*places).statistic)
    assert tau(one, other) == tau(other, one)
    assert tau(one[::-1], other) == pytest.approx(-tau(one, other))


def test_a_million_units() -> None:
    draw = np.random.Generator(np.random.PCG64(3))
    one, other = draw.permutation(200_000), draw.permutation(200_000)
    assert tau(one, other) == pytest.approx(kendalltau(np.argsort(one), np.argsort(other)).statistic)


def test_batch_checks_the_reference() -> None:
    with pytest.raises(DataError, match=r"reference\[0\] is not a permutation"):
        tau_batch([[0, 1]], [1, 1])


# --- Tau of all pairs -----------------------------------------------------------------------------------------------


def drawn(m: int, n: int, seed: int) -> np.ndarray:
    return np.argsort(np.random.Generator(np.random.PCG64(seed)).random((m, n)), axis=1)


@pytest.mark.parametrize("n", [2, 5, 40])
def test_like_one_pair_after_the_other(n: int) -> None:
    rows, columns = drawn(6, n, 1), drawn(4, n, 2)
    expected = [[tau(one, other) for other in columns] for one in rows]
    assert tau_matrix(rows, columns) == pytest.approx(np.array(expected))
    names = [[f"u{unit}" for unit in row] for row in rows.tolist()]
    others = [[f"u{unit}" for unit in row] for row in columns.tolist()]
    assert tau_matrix(names, others) == pytest.approx(np.array(expected))
    own = tau_matrix(rows)
    assert own == pytest.approx(own.T)
    assert np.diag(own) == pytest.approx(np.ones(6))


def test_blocks_and_long_orders_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = drawn(5, 30, 3)
    whole = tau_matrix(rows)
    monkeypatch.setattr(module, "_AT_ONCE", 50)
    assert tau_matrix(rows) == pytest.approx(whole)
    monkeypatch.setattr(module, "_LONG", 10)
    assert tau_matrix(rows) == pytest.approx(whole)


def test_one_unit_has_no_tau() -> None:
    assert math.isnan(tau_matrix(["a", "a"])[0, 1])


def test_orders_of_other_units_are_refused() -> None:
    with pytest.raises(DataError, match=r"orders\[1\]"):
        tau_matrix(["abc", "abd"])
    with pytest.raises(DataError, match=r"orders\[0\]"):
        tau_matrix(["abc"], ["abd"])


# --- Tau with its p and the tau of chance ---------------------------------------------------------------------------


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
