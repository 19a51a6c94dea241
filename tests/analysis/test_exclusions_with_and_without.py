from __future__ import annotations

import pandas as pd
import pytest

from textassay.analysis.exclusions import with_and_without_exclusions
from textassay.results import Analysis
from textassay.stats import mean_interval

TABLE = pd.DataFrame({"participant": ["p1", "p1", "p2", "p3"], "value": [1.0, 3.0, 4.0, 8.0]})


def recipe(table: pd.DataFrame) -> list[Analysis]:
    values = table["value"].to_numpy()
    return [
        Analysis("means", "Means", results=(mean_interval(values).about("value"),)),
        Analysis("squares", "Squares", results=(mean_interval(values**2).about("square"),)),
    ]


def test_without_exclusions_there_is_nothing_to_compare() -> None:
    everybody = pd.DataFrame({"participant": ["p1", "p2", "p3"]})
    assert [each.name for each in with_and_without_exclusions(TABLE, everybody, recipe)] == ["means", "squares"]


def test_with_exclusions_all_analyses_stand_side_by_side() -> None:
    people = pd.DataFrame({"participant": ["p1", "p2", "p3"], "verdict": ["valid", "valid", "excluded"]})
    means, squares, beside = with_and_without_exclusions(TABLE, people, recipe)
    assert means.records()[0]["value"] == pytest.approx(8 / 3)
    assert squares.records()[0]["value"] == pytest.approx(26 / 3)
    (table,) = beside.tables
    rows = {row["Criterion"]: (row["All"], row["All: n"], row["Kept"], row["Kept: n"]) for row in table.records()}
    assert rows == {"value": (4, 4, pytest.approx(8 / 3), 3), "square": (22.5, 4, pytest.approx(26 / 3), 3)}


def test_a_shorter_recipe_for_everyone_limits_what_is_set_side_by_side() -> None:
    people = pd.DataFrame({"participant": ["p1", "p2", "p3"], "verdict": ["valid", "valid", "excluded"]})

    def shorter(table: pd.DataFrame) -> list[Analysis]:
        return recipe(table)[:1]

    *_, beside = with_and_without_exclusions(TABLE, people, recipe, of_everyone=shorter, note="No squares.")
    (table,) = beside.tables
    assert [row["Criterion"] for row in table.records()] == ["value"]
    assert table.records()[0]["Kept"] == pytest.approx(8 / 3)
    assert table.note.endswith("No squares.")


def test_those_excluded_without_an_answer_change_nothing() -> None:
    people = pd.DataFrame({"participant": ["p1", "p2", "p3", "p4"], "verdict": ["valid"] * 3 + ["excluded"]})
    assert [each.name for each in with_and_without_exclusions(TABLE, people, recipe)] == ["means", "squares"]
