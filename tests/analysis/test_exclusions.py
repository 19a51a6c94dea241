"""Whose answers count."""

from __future__ import annotations

import pandas as pd

from textassay.analysis.exclusions import excluded


def test_excluded_are_those_whose_verdict_says_so() -> None:
    people = pd.DataFrame({"participant": ["p", "q", "r"], "verdict": ["valid", "excluded", None]})
    assert excluded(people) == ["q"]
    assert excluded(people[["participant"]]) == []
