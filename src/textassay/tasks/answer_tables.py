"""Tables of answers, as the statistics of every task take them: columns, block, with and without exclusions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import pandas as pd

from textassay.analysis.exclusions import compare_exclusions, excluded
from textassay.errors import DataError
from textassay.results import Analysis


def need_columns(table: pd.DataFrame, needed: Collection[str], what: str) -> None:
    """Refuse a table that lacks a column; `what` needs it.

    Raises:
        DataError: a column is missing; the message lists those that are there.
    """
    missing = [column for column in needed if column not in table.columns]
    if missing:
        there = ", ".join(map(str, table.columns)) or "none"
        raise DataError(f"{what} need the column(s) {', '.join(missing)}; there are: {there}")


def rows_named(table: pd.DataFrame, block: str) -> pd.DataFrame:
    """The rows of a block; a table collected elsewhere names none, and then all are its own."""
    return table[table["block"].fillna("").astype(str).isin(["", block])] if "block" in table else table


Recipe = Callable[[pd.DataFrame], Sequence[Analysis]]
"""From a table of answers to what is said of them."""


def with_and_without_exclusions(
    everyone: pd.DataFrame,
    participants: pd.DataFrame,
    recipe: Recipe,
    *,
    of_everyone: Recipe | None = None,
    note: str = "",
) -> list[Analysis]:
    """The recipe's analyses of those kept; where somebody was excluded, also beside those of everyone.

    Args:
        everyone: Answers of all participants.
        participants: With a column `verdict`, if anybody was screened.
        recipe: What is found in answers.
        of_everyone: A shorter recipe for the answers of everyone; what it does not find is not set side by side.
        note: What else is to be said under the table.
    """
    kept = everyone[~everyone["participant"].isin(excluded(participants))]
    found = list(recipe(kept))
    if len(kept) == len(everyone):
        return found
    beside = _together((of_everyone or recipe)(everyone))
    table = compare_exclusions(beside, _together(found), note=note, in_both=of_everyone is not None)
    return [*found, Analysis("exclusions", "With and without exclusions", tables=(table,))]


def _together(analyses: Sequence[Analysis]) -> Analysis:
    return Analysis("all", "All", results=tuple(result for analysis in analyses for result in analysis.results))
