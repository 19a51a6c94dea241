"""Whose answers count, and which rows of a table belong to a block."""

from __future__ import annotations

from collections.abc import Collection

import pandas as pd


def excluded(participants: pd.DataFrame) -> list[str]:
    """The participants whom screening has excluded; nobody where the table has no column `verdict`."""
    if "verdict" not in participants:
        return []
    return [str(name) for name in participants.loc[participants["verdict"] == "excluded", "participant"]]


def rows_of_block(table: pd.DataFrame, block: str, criteria: Collection[str]) -> pd.DataFrame:
    """The block's rows; a table collected elsewhere names no block, and then its criteria tell."""
    own = table["criterion"].isin(list(criteria))
    if "block" in table:
        named = table["block"].fillna("").astype(str)
        own &= named.isin(["", block])
    return table[own]
