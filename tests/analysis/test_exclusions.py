"""Whose answers count, and which rows belong to a block."""

from __future__ import annotations

import pandas as pd

from textassay.analysis.exclusions import excluded, rows_of_block


def test_excluded_are_those_whose_verdict_says_so() -> None:
    people = pd.DataFrame({"participant": ["p", "q", "r"], "verdict": ["valid", "excluded", None]})
    assert excluded(people) == ["q"]
    assert excluded(people[["participant"]]) == []


def test_rows_belong_by_block_and_criterion() -> None:
    rows = [("one", "clarity"), ("two", "clarity"), ("one", "style"), (None, "clarity"), ("", "clarity")]
    table = pd.DataFrame(rows, columns=["block", "criterion"])
    assert list(rows_of_block(table, "one", ["clarity"]).index) == [0, 3, 4]
    assert list(rows_of_block(table[["criterion"]], "one", ["clarity"]).index) == [0, 1, 3, 4]
