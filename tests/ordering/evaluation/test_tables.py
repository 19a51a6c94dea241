"""Tables of evaluated orders."""

from __future__ import annotations

import pytest

from textassay.ordering import Given, evaluate_orders, system_agreement
from textassay.ordering.evaluation import tables

GIVEN = [Given("1", "A", "badc"), Given("2", "A", "wv"), Given("1", "B", "abcd"), Given("2", "B", "vw")]


def test_tables_show_what_was_found() -> None:
    found = evaluate_orders(GIVEN, {"1": ["abcd", "abdc"], "2": ["vw"]})
    summary = tables.summary(found).records()
    assert [row["By"] for row in summary] == ["A", "B"]
    assert summary[0]["tau"] == pytest.approx((0.5 - 1) / 2)
    assert tables.distances(found).columns == ("By", "Cayley", "Ulam", "displacement", "within 1", "first", "last")
    several = tables.references(found)
    assert several is not None
    row = several.records()[1]
    assert row["Highest"] == pytest.approx((5 / 6 + 1) / 2)
    assert row["Weighted tau"] == pytest.approx(1)
    assert row["Exact"] is True
    assert len(tables.each_order(found).rows) == 4


def test_one_reference_each_needs_no_table_of_several() -> None:
    assert tables.references(evaluate_orders(GIVEN, {"1": ["abcd"], "2": ["vw"]})) is None


def test_agreement_names_outliers() -> None:
    same = dict.fromkeys(range(5), "abcde")
    found = system_agreement({"A": same, "B": same, "C": same, "D": dict.fromkeys(range(5), "edcba")})
    table = tables.agreement(found)
    assert table.columns == ("System", "A", "B", "C", "D", "Mean with others", "p", "Outlier")
    assert [row["Outlier"] for row in table.records()] == [False, False, False, True]
