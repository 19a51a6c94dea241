"""Reading times made ready for analysis: which trials count, which times are replaced, and how many that were."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from textassay.errors import DataError
from textassay.results import Record, Result, Table
from textassay.tasks.reading.outliers import replace_outliers

TRIAL = ["participant", "item", "system"]
"""The columns that name a trial; a text is read for the first time once only."""
_NEEDED = [*TRIAL, "rt_ms"]
_TRUE, _FALSE = ("true", "1", "1.0", "yes"), ("false", "0", "0.0", "no")


@dataclass(frozen=True, kw_only=True)
class Preparation(Result):
    """What was left out and what was replaced."""

    trials: int
    """Texts read for the first time."""
    asked: int
    """… after which a question was answered."""
    wrong: int
    """… with a wrong answer, left out."""
    restarted: int
    """… that were begun again after the page was loaded again (and answered rightly), left out."""
    times: int
    """Times of single units in the trials that are left."""
    replaced: int
    """… replaced by the cut-off."""
    k: float
    """The cut-off in standard deviations."""

    def records(self) -> list[Record]:
        """One record a count, with its share."""
        left_out = {"after a wrong answer": (self.wrong, self.asked), "as begun again": (self.restarted, self.trials)}
        return [
            self.record("trials", self.trials, n=self.trials),
            *(self._counted(f"trials left out {why}", *counts) for why, counts in left_out.items()),
            self._counted("unit times replaced", self.replaced, self.times),
        ]

    def _counted(self, what: str, part: int, whole: int) -> Record:
        return self.record(what, part, n=whole, share=part / whole if whole else math.nan)

    def as_table(self) -> Table:
        """The counts as a report shows them."""
        rows = [(record["statistic"], record["value"], record["n"], record.get("share")) for record in self.records()]
        note = (
            f"Lapata (2006): trials with a wrong answer are left out; times beyond {self.k:g} standard deviations of "
            "the participant's mean are replaced by that limit. Shares are of the number in column n."
        )
        return Table(
            "preparation", "What was left out and replaced", ("What", "Number", "n", "Share"), tuple(rows), note
        )


@dataclass(frozen=True)
class Prepared:
    """Reading times that can be analysed."""

    units: pd.DataFrame
    """One row a unit of the trials that count; `rt_ms` with outliers replaced."""
    answers: pd.DataFrame
    """One row a trial after which a question was answered: `participant, item, system, correct`."""
    counts: Preparation
    warnings: tuple[str, ...]


def prepare(table: pd.DataFrame, k: float) -> Prepared:
    """Sort out what counts: first readings of main trials, rightly answered, not begun again; replace outliers.

    Raises:
        DataError: a column is missing; the message lists those that are there.
    """
    missing = [column for column in _NEEDED if column not in table.columns]
    if missing and table.empty:
        table = table.reindex(columns=[*table.columns, *missing])  # nobody has answered, so nobody has made the columns
    elif missing:
        there = ", ".join(map(str, table.columns)) or "none"
        raise DataError(f"reading times need the column(s) {', '.join(missing)}; there are: {there}")
    first, warnings = _first_readings(table)
    is_answer = _filled(first, "question")
    units, gaps = _with_times(first[~is_answer])
    answers = _answers(first, is_answer)
    keys = _keys(units)
    wrong = keys.isin(_keys(answers[~answers["correct"].astype(bool)]))
    restarted = pd.to_numeric(_column(units, "restarts"), errors="coerce").fillna(0).to_numpy() > 0
    kept = units[~wrong & ~restarted].copy()
    replaced = replace_outliers(kept["rt_ms"].to_numpy(), kept["participant"].to_numpy(), k)
    kept["rt_ms"] = replaced.values
    counts = Preparation(
        method="preparation of reading times",
        settings={"cutoff_sd": k, "outliers": "replaced by the cut-off, one pass, unit times", "n": len(kept)},
        trials=int(keys.nunique()),
        asked=len(answers),
        wrong=int(keys[wrong].nunique()),
        restarted=int(keys[~wrong & restarted].nunique()),
        times=len(kept),
        replaced=replaced.n,
        k=k,
    )
    return Prepared(kept, answers, counts, (*warnings, *gaps, *_powerless(replaced.powerless, kept, k)))


def _first_readings(table: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Main trials; repeats, which are second readings, are counted and left out."""
    frame = table.reset_index(drop=True)
    kind = _column(frame, "kind").fillna("main").astype(str).replace("", "main")
    repeat = (kind == "repeat") | (pd.to_numeric(_column(frame, "repeat"), errors="coerce").fillna(0) > 0)
    main = frame[(kind == "main") & ~repeat].copy()
    for column in TRIAL:
        main[column] = main[column].fillna("").astype(str)
    named = (main[TRIAL] != "").all(axis=1)
    again = int(_keys(frame[repeat]).nunique())
    warnings = [f"{again} trial(s) were second readings of the same text; they are left out"] if again else []
    if not named.all():
        warnings.append(f"{int((~named).sum())} row(s) name no participant, item or system; they are left out")
    return main[named], warnings


def _with_times(units: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Units that have a time; the others counted."""
    times = pd.to_numeric(units["rt_ms"], errors="coerce").astype(float)
    fit = np.isfinite(times) & (times >= 0)
    warnings = [f"{int((~fit).sum())} unit(s) have no time; they are left out"] if not fit.all() else []
    return units.assign(rt_ms=times)[fit], warnings


def _answers(first: pd.DataFrame, is_answer: pd.Series[bool]) -> pd.DataFrame:
    """One row a trial: whether all its questions were answered rightly, by the questions' rows or the units'."""
    known = first.assign(correct=_column(first, "correct").map(_as_bool))
    known = known[known["correct"].notna()]
    # The rows of questions tell it best; a table collected elsewhere may have units only.
    rows = known[is_answer.reindex(known.index)] if is_answer.any() else known
    return rows.groupby(TRIAL, sort=False)["correct"].agg(all).reset_index()


def _powerless(names: Sequence[str], kept: pd.DataFrame, k: float) -> list[str]:
    if not names:
        return []
    most = int(kept["participant"].isin(list(names)).groupby(kept["participant"]).sum().max())
    limit = f"of n values none can lie beyond (n-1)/√n standard deviations, here {(most - 1) / math.sqrt(most):.3f}"
    few = f"{len(names)} participant(s) have so few times (at most {most}) that none could be replaced"
    return [f"{few}: {limit}, and the cut-off is {k:g}"]


def _column(frame: pd.DataFrame, name: str) -> pd.Series[Any]:
    return frame[name].astype(object) if name in frame else pd.Series(None, index=frame.index, dtype=object)


def _filled(frame: pd.DataFrame, name: str) -> pd.Series[bool]:
    return _column(frame, name).fillna("").astype(str).str.strip() != ""


def _as_bool(value: Any) -> bool | None:
    text = str(value).strip().lower()
    return True if text in _TRUE else False if text in _FALSE else None


def _keys(frame: pd.DataFrame) -> pd.Series[Any]:
    """Each row's trial as one value."""
    return pd.Series(
        list(zip(*(frame[column].astype(str) for column in TRIAL), strict=True)), frame.index, dtype=object
    )
