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


def texts_in(table: pd.DataFrame) -> dict[tuple[str, str], str]:
    """The texts that a table of judgements holds in a column `text`; empty where it has none.

    >>> texts_in(pd.DataFrame({"item": [1, 2], "system": ["a", "a"], "text": ["It rains.", None]}))
    {('1', 'a'): 'It rains.'}
    """
    if "text" not in table:
        return {}
    known = table[table["text"].notna()]
    keys = zip(known["item"].astype(str), known["system"].astype(str), strict=True)
    return dict(zip(keys, known["text"].astype(str), strict=True))
