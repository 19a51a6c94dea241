"""Tables of evaluated orders."""

from __future__ import annotations

import pytest

from textassay.analysis.orders.evaluation import (
    distances_table,
    evaluation_analysis,
    orders_table,
    several_references_table,
    summary_table,
    system_agreement_analysis,
    system_agreement_table,
)
from textassay.ordering import GivenOrder, evaluate_orders, system_agreement

GIVEN = [
    GivenOrder("1", "A", "badc"),
    GivenOrder("2", "A", "wv"),
    GivenOrder("1", "B", "abcd"),
    GivenOrder("2", "B", "vw"),
]


def test_tables_show_what_was_found() -> None:
    found = evaluate_orders(GIVEN, {"1": ["abcd", "abdc"], "2": ["vw"]})
    summary = summary_table(found).records()
    assert [row["By"] for row in summary] == ["A", "B"]
    assert summary[0]["tau"] == pytest.approx((0.5 - 1) / 2)
    assert distances_table(found).columns == ("By", "Cayley", "Ulam", "displacement", "within 1", "first", "last")
    row = several_references_table(found).records()[1]
    assert row["Highest"] == pytest.approx((5 / 6 + 1) / 2)
    assert row["Weighted tau"] == pytest.approx(1)
    assert row["Exact"] is True
    assert len(orders_table(found).rows) == 4


def test_one_reference_each_needs_no_table_of_several() -> None:
    found = evaluation_analysis(evaluate_orders(GIVEN, {"1": ["abcd"], "2": ["vw"]}), each_order=True)
    assert [table.name for table in found.tables] == ["orders", "order-distances", "each-order"]


def test_two_systems_cannot_stand_apart_from_each_other() -> None:
    assert system_agreement_analysis(GIVEN) is None
    third = [GivenOrder("1", "C", "abcd"), GivenOrder("3", "C", "xy")]
    found = system_agreement_analysis([*GIVEN, *third])
    assert found is not None
    assert len(found.tables[0].rows) == 3
    assert system_agreement_analysis([*GIVEN, third[1]]) is None  # no item that all have


def test_agreement_names_outliers() -> None:
    same = dict.fromkeys(range(5), "abcde")
    found = system_agreement({"A": same, "B": same, "C": same, "D": dict.fromkeys(range(5), "edcba")})
    table = system_agreement_table(found)
    assert table.columns == ("System", "A", "B", "C", "D", "Mean with others", "p", "Outlier")
    assert [row["Outlier"] for row in table.records()] == [False, False, False, True]
