"""Tables of evaluated orders."""

from __future__ import annotations

import pytest

from textassay.analysis.orders.evaluation import (
    evaluation_analysis,
    lengths_table,
    orders_table,
    parts_table,
    several_references_table,
    summary_table,
    system_agreement_analysis,
    system_agreement_table,
)
from textassay.analysis.orders.scored_orders import evaluate_orders
from textassay.errors import UsageError
from textassay.ordering import GivenOrder, system_agreement

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
    assert parts_table(found).columns[:5] == ("By", "adjacent", "continuity", "first", "last")
    row = several_references_table(found).records()[1]
    assert row["Orders"] == 1  # the other has one reference
    assert row["Highest"] == pytest.approx(5 / 6)
    assert row["Weighted tau"] == pytest.approx(1)
    assert row["Exact"] is True
    assert len(orders_table(found).rows) == 4


def test_one_reference_each_needs_no_table_of_several() -> None:
    found = evaluation_analysis(evaluate_orders(GIVEN, {"1": ["abcd"], "2": ["vw"]}), each_order=True)
    assert [table.name for table in found.tables] == ["orders", "order-parts", "each-order"]


def lengths_of(*lengths: int, classes: list[int] | None = None) -> list[tuple[str, str, int, float]]:
    references = {str(n): [list(range(n))] for n in lengths}
    given = [GivenOrder(str(n), "A", list(range(n))) for n in lengths]
    given += [GivenOrder(str(n), "B", list(range(n))[::-1]) for n in lengths]
    table = lengths_table(evaluate_orders(given, references), classes)
    return [(row["Units"], row["By"], row["Orders"], row["tau"]) for row in table.records()]


def test_means_by_length() -> None:
    assert lengths_of(2, 7) == [("2", "A", 1, 1), ("2", "B", 1, -1), ("7", "A", 1, 1), ("7", "B", 1, -1)]
    many = lengths_of(*range(2, 13))
    assert [row[:3] for row in many if row[1] == "A"] == [("2–5", "A", 4), ("6–10", "A", 5), ("11–12", "A", 2)]
    own = lengths_of(2, 3, 4, 60, classes=[3])
    assert [row[:3] for row in own if row[1] == "A"] == [("2–3", "A", 2), ("4–60", "A", 2)]
    assert sum(row[2] for row in lengths_of(*range(2, 90))) == 2 * 88


@pytest.mark.parametrize("classes", [[5, 5], [10, 5], [0]])
def test_lengths_must_rise(classes: list[int]) -> None:
    with pytest.raises(UsageError, match="lengths rise from at least 1"):
        lengths_of(3, 4, classes=classes)


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
