from __future__ import annotations

import math

import pytest

from textassay.ordering import GivenOrder, pairs_of_people, reorderings, system_agreement

ORDERS = {"p": ("abcd", "abcd"), "q": ("abcd", "abdc"), "r": ("abdc", "abcd"), "odd": ("dcba", "dcba")}
GIVEN = [GivenOrder(f"S{k}", by, order) for by, orders in ORDERS.items() for k, order in enumerate(orders)]


def test_means_over_texts() -> None:
    found = pairs_of_people(reorderings(GIVEN))
    pairs = {(one, other): (tau, n) for one, other, tau, n in found.pairs}
    assert len(pairs) == 6
    assert pairs["p", "q"] == (pytest.approx((1 + 2 / 3) / 2), 2)
    own = {each.name: each for each in found.persons}
    assert own["odd"].mean_tau < 0 < own["p"].mean_tau
    expected = system_agreement({by: {f"S{k}": o for k, o in enumerate(orders)} for by, orders in ORDERS.items()})
    assert [each.p for each in found.persons] == pytest.approx(expected.p.tolist())
    assert len(found.records()) == 4 + 6


def test_texts_that_only_one_of_two_ordered_do_not_count() -> None:
    found = pairs_of_people(reorderings([*GIVEN[:3], GivenOrder("S9", "r", "ab")]))
    assert [(one, other, n) for one, other, _, n in found.pairs] == [("p", "q", 1)]
    assert all(math.isnan(each.p) for each in found.persons)
    assert found.warnings == ("fewer than three people ordered all texts: outliers cannot be tested for",)
