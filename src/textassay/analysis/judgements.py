"""Judgements as the recipes want them: which answers count, which are repeats, what was omitted and why."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from textassay.errors import DataError

CELL = ["participant", "item", "system", "criterion"]
"""The columns that name one judgement."""
_FALSE = {"", "0", "0.0", "false", "no", "nan", "none", "<na>"}


@dataclass(frozen=True)
class Judgements:
    """Answers sorted into those that count and those that repeat an earlier one."""

    main: pd.DataFrame
    """First answers of main trials: one row per participant, item, system and criterion, in the order given."""
    repeats: pd.DataFrame
    """Answers of the same participant to the same trial a second time."""
    warnings: tuple[str, ...]
    """What was omitted, counted."""

    @property
    def criteria(self) -> list[str]:
        """The criteria, in the order in which they first appear."""
        return list(dict.fromkeys(self.main["criterion"]))

    def of(self, criterion: str) -> Judgements:
        """Those of one criterion."""
        return Judgements(
            self.main[self.main["criterion"] == criterion],
            self.repeats[self.repeats["criterion"] == criterion],
            (),
        )


def read_judgements(frame: pd.DataFrame) -> Judgements:
    """Sort a table of judgements into main answers and repeats.

    Practice and attention checks do not count. An answer is a repeat where the columns `kind` or `repeat` say so, or
    where the same participant has judged the same text before.

    Raises:
        DataError: a column is missing; the message lists those that are there.
    """
    need_columns(frame, [*CELL, "value"], "judgements")
    frame = frame.reset_index(drop=True)
    kind = frame["kind"].astype(object) if "kind" in frame else pd.Series("", index=frame.index, dtype=object)
    kind = kind.where(kind.notna(), "").astype(str)
    shown = kind.isin(["", "main", "repeat"]) & ~_flag(frame, "practice")
    table, warnings = _without_gaps(frame[shown])
    table = _in_order(table)
    again = _flag(table, "repeat") | (kind[table.index] == "repeat")
    twice = table[~again].duplicated(CELL)
    if twice.any():
        warnings.append(
            f"{int(twice.sum())} answer(s) repeat an earlier one of the same participant without being marked so; "
            "the first counts, the others are taken as repeats"
        )
    again |= twice.reindex(table.index, fill_value=False)
    return Judgements(table[~again].reset_index(drop=True), table[again].reset_index(drop=True), tuple(warnings))


def need_columns(table: pd.DataFrame, needed: Collection[str], what: str) -> None:
    """Refuse a table that lacks a column; `what` needs it.

    Raises:
        DataError: a column is missing; the message lists those that are there.
    """
    missing = [column for column in needed if column not in table.columns]
    if missing:
        there = ", ".join(map(str, table.columns)) or "none"
        raise DataError(f"{what} need the column(s) {', '.join(missing)}; there are: {there}")


def _without_gaps(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Rows with all names and a finite value; the others counted."""
    table = frame.copy()
    values = pd.to_numeric(table["value"], errors="coerce").astype(float)
    bare = table[CELL].isna().any(axis=1) | (table[CELL].astype(str) == "").any(axis=1)
    gone = ~np.isfinite(values) & ~bare
    warnings = []
    if bare.any():
        warnings.append(f"{int(bare.sum())} of {len(table)} answers name no participant, item, system or criterion")
    if gone.any():
        warnings.append(f"{int(gone.sum())} of {len(table)} answers have no value or an infinite one")
    table["value"] = values
    table = table[~bare & ~gone]
    for column in CELL:
        table[column] = table[column].astype(str)
    return table, [f"{warning}; they are omitted" for warning in warnings]


def _in_order(table: pd.DataFrame) -> pd.DataFrame:
    """By position within the participant where it is known, else as in the table."""
    if "position" not in table:
        return table
    place = pd.to_numeric(table["position"], errors="coerce").astype(float)
    return table.loc[place.sort_values(kind="stable").index]


def _flag(frame: pd.DataFrame, column: str) -> pd.Series[bool]:
    """A column of yes and no, however it was written; a column that is not there is no throughout."""
    if column not in frame:
        return pd.Series(data=False, index=frame.index, dtype=bool)
    return frame[column].map(_is_set).astype(bool)


def _is_set(value: Any) -> bool:
    return str(value).strip().lower() not in _FALSE


def in_order(names: Collection[str], wanted: Sequence[str]) -> list[str]:
    """The names in the wanted order; those not named there follow in alphabetical order.

    >>> in_order({"a", "b", "c"}, ["c", "x"])
    ['c', 'a', 'b']
    """
    first = [name for name in wanted if name in names]
    return [*first, *sorted(set(names) - set(first))]
