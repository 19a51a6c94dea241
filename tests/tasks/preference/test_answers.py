"""Preferences in one order, and what they say of single systems."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest

from textassay.errors import DataError
from textassay.tasks.preference.answers import as_judgements, read_preferences, system_scores

COLUMNS = ["participant", "item", "system_a", "system_b", "value", "left"]


def table(*rows: tuple[Any, ...], **more: Any) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=COLUMNS).assign(criterion="clarity", **more)


def test_pair_in_both_orders_becomes_one() -> None:
    frame = table(("p", "i", "A", "B", 3, "A"), ("p", "j", "B", "A", 3, "A"), ("q", "j", "B", "A", -1, None))
    main = read_preferences(frame).main
    assert list(main["system"]) == ["A – B"] * 3
    assert list(main["value"]) == [3, -3, 1]
    # with A on the left, 3 for B is towards the right, and -3 for A is towards the left
    assert list(main["towards_right"][:2]) == [3, -3]
    assert math.isnan(main["towards_right"][2])


def test_side_of_an_unturned_pair() -> None:
    main = read_preferences(table(("p", "i", "A", "B", -5, "A"), ("p", "j", "A", "B", -5, "B"))).main
    assert list(main["towards_right"]) == [-5, 5]


def test_practice_repeats_and_gaps_do_not_count() -> None:
    rows = [("p", item, "A", "B", 1, "A") for item in ("i", "j", "k")] + [("p", "l", "A", None, 1, "A")]
    judged = read_preferences(table(*rows, kind=["main", "practice", "repeat", "main"]))
    assert list(judged.main["item"]) == ["i"]
    assert list(judged.repeats["item"]) == ["k"]
    assert judged.warnings == ("1 of 3 answers name no participant, item, system or criterion; they are omitted",)


def test_missing_column_is_told() -> None:
    with pytest.raises(DataError, match=r"preferences need the column\(s\) system_b; there are: "):
        read_preferences(table(("p", "i", "A", "B", 1, "A")).drop(columns="system_b"))


def test_each_answer_scores_both_systems() -> None:
    found = system_scores(read_preferences(table(("p", "i", "A", "B", 3, "A"), ("p", "i", "A", "C", -2, "C"))).main)
    assert found.topline is None
    scores = list(zip(found.scores["system"], found.scores["value"], strict=True))
    assert scores == [("A", -3), ("B", 3), ("A", 2), ("C", -2)]


def test_beside_a_topline_only_the_other_is_scored() -> None:
    rows = [("p", "i", "A", "T", 3, "A"), ("p", "j", "T", "T", -1, "T"), ("p", "k", "T", "B", 4, "T")]
    found = system_scores(read_preferences(table(*rows)).main)
    assert found.topline == "T"
    assert list(zip(found.scores["system"], found.scores["value"], strict=True)) == [("A", -3), ("T", -1), ("B", 4)]


def test_system_beside_itself_without_a_topline_is_left_out() -> None:
    rows = [("p", "i", "A", "B", 3, "A"), ("p", "j", "A", "A", 1, "A"), ("p", "k", "B", "C", 4, "B")]
    found = system_scores(read_preferences(table(*rows)).main)
    assert (found.topline, found.left_out, len(found.scores)) == (None, 1, 4)


def test_judgements_are_means_of_a_text_for_a_participant() -> None:
    rows = [("p", "i", "A", "B", 3, "A"), ("p", "i", "A", "C", -1, "C"), ("q", "i", "A", "B", 0, "B")]
    found = as_judgements(table(*rows))
    values = {(row.participant, row.system): row.value for row in found.itertuples()}
    # A had -3 and +1 from p
    assert values == {("p", "A"): -1, ("p", "B"): 3, ("p", "C"): -1, ("q", "A"): 0, ("q", "B"): 0}
    assert list(found.columns) == ["participant", "item", "system", "criterion", "value"]
