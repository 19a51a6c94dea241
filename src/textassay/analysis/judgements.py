"""Judgements as the recipes want them: which answers count, which are repeats, what was omitted and why."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from textassay.errors import DataError

CELL = ["participant", "item", "system", "criterion"]
"""The columns that name one judgement."""
Strings = NDArray[np.object_]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.intp]
FloatArray = NDArray[np.float64]
UNJUDGED = "cannot_judge"
"""Column that says yes where the answer was that this cannot be judged."""
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
        return list(self.main["criterion"].unique())

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
    # Arrays, not data frames, up to the end: power reads thousands of small tables, and each step of pandas takes long.
    found = _sorted_rows(frame)
    main, repeats = (_taken(frame, rows, found.values) for rows in (found.main, found.repeats))
    return Judgements(main, repeats, tuple(found.warnings))


@dataclass(frozen=True)
class _SortedRows:
    """Which rows count, and what becomes of the others."""

    values: FloatArray
    shown: BoolArray
    named: BoolArray
    main: IntArray
    repeats: IntArray
    warnings: list[str]


def _sorted_rows(frame: pd.DataFrame) -> _SortedRows:
    kind = _kinds(frame)
    shown = np.isin(kind, ["", "main", "repeat"]) & ~_flag(frame, "practice")
    values = pd.to_numeric(frame["value"], errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    cell, named = _cells(frame)
    unjudged = _flag(frame, UNJUDGED)  # counted in missing_answers.py
    counts = shown & named & np.isfinite(values) & ~unjudged
    warnings = _omitted(shown & ~named, shown & named & ~counts & ~unjudged, int(shown.sum()))
    rows = _in_order(frame, np.flatnonzero(counts))
    again = (_flag(frame, "repeat") | (kind == "repeat"))[rows]
    twice = np.zeros(len(rows), dtype=bool)
    twice[~again] = pd.Index(cell[rows][~again]).duplicated()
    if twice.any():
        warnings.append(
            f"{int(twice.sum())} answer(s) repeat an earlier one of the same participant without being marked so; "
            "the first counts, the others are taken as repeats"
        )
    again |= twice
    return _SortedRows(values, shown, named, rows[~again], rows[again], warnings)


def reasons_omitted(frame: pd.DataFrame) -> Strings:
    """Why each row of a table of judgements is not among the main answers; empty where it is.

    >>> rows = pd.DataFrame({"participant": ["p", "p"], "item": ["i", "i"], "system": ["s", "s"],
    ...                      "criterion": ["c", "c"], "value": [3, 4]})
    >>> reasons_omitted(rows).tolist()
    ['', 'repeats an earlier answer']
    """
    found = _sorted_rows(frame)
    why = np.where(found.named, "has no value", "names no participant, item, system or criterion").astype(object)
    why[found.named & _flag(frame, UNJUDGED)] = "could not be judged"
    why[~found.shown] = "practice or attention check"
    why[found.repeats] = "repeats an earlier answer"
    why[found.main] = ""
    return why


def without_unjudged(frame: pd.DataFrame) -> pd.DataFrame:
    """Without the answers that a text cannot be judged."""
    return frame[~_flag(frame, UNJUDGED)] if UNJUDGED in frame else frame


def said_unjudged(frame: pd.DataFrame) -> pd.DataFrame:
    """The first answers of main trials, with 1 as `value` where the answer was "cannot judge", and 0 elsewhere."""
    values = pd.to_numeric(frame["value"], errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    said = np.where(_flag(frame, UNJUDGED), 1.0, np.where(np.isfinite(values), 0.0, np.nan))
    return read_judgements(frame.drop(columns=UNJUDGED, errors="ignore").assign(value=said)).main


def need_columns(table: pd.DataFrame, needed: Collection[str], what: str) -> None:
    """Refuse a table that lacks a column; `what` needs it.

    Raises:
        DataError: a column is missing; the message lists those that are there.
    """
    missing = [column for column in needed if column not in table.columns]
    if missing:
        there = ", ".join(map(str, table.columns)) or "none"
        raise DataError(f"{what} need the column(s) {', '.join(missing)}; there are: {there}")


def _kinds(frame: pd.DataFrame) -> Strings:
    """The kind of each trial; empty where it is not known."""
    if "kind" not in frame:
        return np.full(len(frame), "", dtype=object)
    kind = frame["kind"].to_numpy(dtype=object)
    return np.where(pd.isna(kind), "", kind).astype(str).astype(object)


def _cells(frame: pd.DataFrame) -> tuple[IntArray, BoolArray]:
    """A number for each row, the same where participant, item, system and criterion are; and whether all are named."""
    cell, named = np.zeros(len(frame), dtype=np.int64), np.ones(len(frame), dtype=bool)
    for column in CELL:
        codes, names = pd.factorize(frame[column])
        texts = pd.factorize(np.array([*map(str, names), ""], dtype=object))[0]  # the last one: nothing has code -1
        empty = np.array([*(str(name) == "" for name in names), True])
        named &= ~empty[codes]
        cell = pd.factorize(cell * len(empty) + texts[codes])[0]
    return cell, named


def _omitted(bare: BoolArray, gone: BoolArray, number: int) -> list[str]:
    """What was omitted, counted."""
    reasons = {
        "name no participant, item, system or criterion": int(bare.sum()),
        "have no value or an infinite one": int(gone.sum()),
    }
    return [f"{count} of {number} answers {why}; they are omitted" for why, count in reasons.items() if count]


def _in_order(frame: pd.DataFrame, rows: IntArray) -> IntArray:
    """By position within the participant where it is known, else as in the table."""
    if "position" not in frame:
        return rows
    place = pd.to_numeric(frame["position"], errors="coerce").to_numpy(dtype=float, na_value=np.nan)[rows]
    return np.asarray(rows[np.argsort(place, kind="stable")])


def _taken(frame: pd.DataFrame, rows: IntArray, values: FloatArray) -> pd.DataFrame:
    """These rows, with names that are texts and values that are numbers."""
    table = frame.iloc[rows].reset_index(drop=True)
    return table.assign(**{column: table[column].astype(str) for column in CELL}, value=values[rows])


def _flag(frame: pd.DataFrame, column: str) -> BoolArray:
    """A column of yes and no, however it was written; a column that is not there is no throughout."""
    if column not in frame:
        return np.zeros(len(frame), dtype=bool)
    codes, written = pd.factorize(frame[column])
    return np.array([*map(_is_set, written), False])[codes]  # the last one: nothing has code -1


def _is_set(value: Any) -> bool:
    return str(value).strip().lower() not in _FALSE


def in_order(names: Collection[str], wanted: Sequence[str]) -> list[str]:
    """The names in the wanted order; those not named there follow in alphabetical order.

    >>> in_order({"a", "b", "c"}, ["c", "x"])
    ['c', 'a', 'b']
    """
    first = [name for name in wanted if name in names]
    return [*first, *sorted(set(names) - set(first))]
