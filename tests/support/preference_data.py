"""Preferences by hand, and of the form that Belz & Kow (2010) collected."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from textassay.results import Analysis, Record


def preferences_by_hand() -> pd.DataFrame:
    """Three people, two items, systems A and B."""
    rows = [
        ("p", "i", -4, "A"), ("p", "j", -2, "A"),
        ("q", "i", -1, "B"), ("q", "j", 3, "B"),
        ("r", "i", 0, "A"), ("r", "j", 0, "B"),
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["participant", "item", "value", "left"])
    return frame.assign(system_a="A", system_b="B", criterion="clarity")


def all_pairs(systems: int, people: int, items: int, seed: int = 1, *, gap: float = 0.0) -> pd.DataFrame:
    """Everybody judges every item once, the pairs of systems in turn; neighbours in quality are `gap` apart."""
    draw = np.random.default_rng(seed)
    pairs = list(combinations(range(systems), 2))
    rows = []
    for person in range(people):
        for item in range(items):
            a, b = pairs[(person + item) % len(pairs)]
            value = gap * (b - a) + 10 * draw.normal()
            rows.append((f"p{person}", f"i{item}", f"s{a}", f"s{b}", round(value), f"s{draw.choice([a, b])}"))
    columns = ["participant", "item", "system_a", "system_b", "value", "left"]
    return pd.DataFrame(rows, columns=columns).assign(criterion="clarity")


def topline(systems: int = 10, items: int = 30, seed: int = 2) -> pd.DataFrame:
    """Each system beside the last one, itself included; each item once, by as many people as there are systems."""
    draw = np.random.default_rng(seed)
    top = f"s{systems - 1}"
    rows = [
        (f"p{(system + item) % systems}", f"i{item}", f"s{system}", top, round(10 * draw.normal()), f"s{system}")
        for system in range(systems)
        for item in range(items)
    ]
    columns = ["participant", "item", "system_a", "system_b", "value", "left"]
    return pd.DataFrame(rows, columns=columns).assign(criterion="clarity")


def by_name(analyses: Any) -> dict[str, Analysis]:
    """Analyses by their names."""
    return {analysis.name: analysis for analysis in analyses}


def records(analysis: Analysis, statistic: str, of: str = "clarity") -> dict[str, Record]:
    """The records of a statistic, by what they are by; the first of each."""
    found: dict[str, Record] = {}
    for record in analysis.records():
        if record["statistic"] == statistic and record["of"] == of:
            found.setdefault(record["by"], record)
    return found


def table_of(analysis: Analysis, name: str) -> list[Record]:
    """The rows of a table."""
    return next(table for table in analysis.tables if table.name == name).records()
