"""What one study or table says of texts, whatever its task: judgements, which of them count errors, and the texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd


@dataclass(frozen=True, eq=False)
class JudgedTexts:
    """Judgements of one block or table."""

    name: str
    """What reports call it."""
    judgements: pd.DataFrame
    """Columns `participant, item, system, criterion, value`; further ones are kept."""
    error_criteria: frozenset[str] = frozenset()
    """Criteria of which less is better."""
    texts: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Item and system → the text that was judged, where it is known."""
    properties: Mapping[str, Mapping[tuple[str, str], str]] = field(default_factory=dict)
    """Column of the texts table → its value for each text, where texts have further columns."""

    def column(self, name: str) -> Mapping[tuple[str, str], str]:
        """A column of the texts table or of the judgements by item and system; empty where there is none."""
        if name in self.properties:
            return self.properties[name]
        return cells_of(self.judgements, name)


def cells_of(table: pd.DataFrame, column: str) -> dict[tuple[str, str], str]:
    """What a table of judgements holds in a column, by item and system; empty where it has no such column.

    >>> cells_of(pd.DataFrame({"item": [1, 2], "system": ["a", "a"], "text": ["It rains.", None]}), "text")
    {('1', 'a'): 'It rains.'}
    """
    if column not in table:
        return {}
    known = table[table[column].notna()]
    keys = zip(known["item"].astype(str), known["system"].astype(str), strict=True)
    return dict(zip(keys, known[column].astype(str), strict=True))
