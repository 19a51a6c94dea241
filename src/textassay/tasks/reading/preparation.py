"""Reading times made ready for analysis: which trials count, which times are replaced, and how many that were."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from textassay.analysis.judgements import need_columns
from textassay.results import Record, Result, Table
from textassay.stats import CorrectTrials, ReplacedOutliers, correct_trials, replace_outliers

TRIAL = ["participant", "item", "system"]
"""The columns that name a trial; a text is read for the first time once only."""
_NEEDED = [*TRIAL, "rt_ms"]
CUTOFF_SD = 2.5
"""The limit for outliers of a table that belongs to no study."""
USED = (*_NEEDED, "question", "correct", "restarts", "kind", "repeat", "words", "timed_out")
"""All columns that it and the leading test look at, where they are there."""
_TIMED_OUT = "trials ended by the time limit"
_TRUE, _FALSE = ("true", "1", "1.0", "yes"), ("false", "0", "0.0", "no")


@dataclass(frozen=True, kw_only=True)
class Preparation(Result):
    """What was omitted and what was replaced."""

    trials: int
    """Texts read for the first time."""
    answers: CorrectTrials
    """… after which a question was answered, and those with a wrong answer, which are omitted."""
    restarted: int
    """… that were begun again after the page was loaded again (and answered rightly), omitted."""
    outliers: ReplacedOutliers
    """Times of single units in the trials that are left, and those replaced by the cut-off."""
    k: float
    """The cut-off in standard deviations."""
    timed_out: int | None = None
    """Texts that the time limit ended; nothing where there was no limit."""

    def records(self) -> list[Record]:
        """One record per count, with its share."""
        answers, outliers = self.answers, self.outliers
        ended = [] if self.timed_out is None else [self._counted(_TIMED_OUT, self.timed_out, self.trials)]
        return [
            self.record("trials", self.trials, n=self.trials),
            *ended,
            self.record("trials excluded after a wrong answer", answers.wrong, n=answers.asked, share=answers.share),
            self._counted("trials left out as begun again", self.restarted, self.trials),
            self.record("unit times replaced", outliers.n_replaced, n=outliers.n, share=outliers.share),
        ]

    def _counted(self, what: str, part: int, whole: int) -> Record:
        return self.record(what, part, n=whole, share=part / whole if whole else math.nan)

    def as_table(self) -> Table:
        """The counts as a report shows them."""
        rows = [(record["statistic"], record["value"], record["n"], record.get("share")) for record in self.records()]
        note = (
            f"Lapata (2006): trials with a wrong answer are omitted; times beyond {self.k:g} standard deviations of "
            "the participant's mean are replaced by that limit. Shares are of the number in column n."
        )
        if self.timed_out is not None:
            note += " Of a text that the time limit ended, the units read before count."
        return Table(
            "preparation",
            "What was omitted and replaced",
            ("What", "Number", "n", "Share"),
            tuple(rows),
            note,
            detail=True,
        )


@dataclass(frozen=True)
class PreparedTimes:
    """Reading times that can be analysed."""

    units: pd.DataFrame
    """One row per unit of the trials that count; `rt_ms` with outliers replaced."""
    answers: pd.DataFrame
    """One row per trial after which a question was answered: `participant, item, system, correct`."""
    ended: pd.DataFrame
    """Where there was a time limit, one row per trial: `participant, item, system, timed_out`; else empty."""
    counts: Preparation
    warnings: tuple[str, ...]


def prepare(table: pd.DataFrame, k: float) -> PreparedTimes:
    """Sort out what counts: first readings of main trials, rightly answered, not begun again; replace outliers.

    Raises:
        DataError: a column is missing; the message lists those that are there.
    """
    if table.empty:  # nobody has answered, so nobody has made the columns
        table = table.reindex(columns=list(dict.fromkeys([*table.columns, *_NEEDED])))
    need_columns(table, _NEEDED, "reading times")
    first, warnings = _first_readings(table)
    correct = [_as_bool(cell) for cell in _column(first, "correct")]
    answered = correct_trials(correct, first.groupby(TRIAL, sort=False).ngroup().to_numpy())
    first = first.assign(correct=pd.Series(correct, first.index, object), right=np.asarray(answered.keep, dtype=bool))
    ended, first = _ended_by_limit(first)
    units, gaps = _with_times(first[~_filled(first, "question")])
    restarted = (pd.to_numeric(_column(units, "restarts"), errors="coerce").fillna(0) > 0) & units["right"]
    kept = units[units["right"] & ~restarted].drop(columns="right")
    outliers = replace_outliers(kept["rt_ms"].to_numpy(dtype=float), kept["participant"].to_numpy(), k=k)
    counts = Preparation(
        method="preparation of reading times",
        settings={"cutoff_sd": k, "outliers": "replaced by the cut-off, one pass, unit times", "n": len(kept)},
        trials=max(_trials(units), len(ended)),
        answers=answered,
        restarted=_trials(units[restarted]),
        outliers=outliers,
        k=k,
        timed_out=int(ended["timed_out"].sum()) if len(ended) else None,
    )
    known = first[first["correct"].notna()]
    right = known.groupby(TRIAL, sort=False)["correct"].agg(all).reset_index()
    silent = answered.warnings if answered.asked else ()
    ready = kept.assign(rt_ms=np.asarray(outliers.values, dtype=float))
    return PreparedTimes(ready, right, ended, counts, (*warnings, *gaps, *silent, *outliers.warnings))


def _first_readings(table: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Main trials; repeats, which are second readings, are counted and omitted."""
    frame = table.reset_index(drop=True)
    kind = _column(frame, "kind").fillna("main").astype(str).replace("", "main")
    repeat = (kind == "repeat") | (pd.to_numeric(_column(frame, "repeat"), errors="coerce").fillna(0) > 0)
    main = frame[(kind == "main") & ~repeat].copy()
    for column in TRIAL:
        main[column] = main[column].fillna("").astype(str)
    named = (main[TRIAL] != "").all(axis=1)
    again = _trials(frame[repeat])
    warnings = [f"{again} trial(s) were second readings of the same text; they are omitted"] if again else []
    if not named.all():
        warnings.append(f"{int((~named).sum())} row(s) name no participant, item or system; they are omitted")
    return main[named], warnings


def _ended_by_limit(first: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Which trials a time limit ended; and the rows without the unit that was on the screen then, which has no time."""
    flags = pd.Series([_as_bool(cell) for cell in _column(first, "timed_out")], first.index, object)
    known = first[TRIAL].assign(timed_out=flags)[flags.notna()]
    ended = known.groupby(TRIAL, sort=False)["timed_out"].agg(all).reset_index()
    unread = flags.eq(True) & ~_filled(first, "question") & pd.to_numeric(first["rt_ms"], errors="coerce").isna()  # noqa: FBT003 -- elementwise
    return ended, first[~unread]


def _with_times(units: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Units that have a time; the others counted."""
    times = pd.to_numeric(units["rt_ms"], errors="coerce").astype(float)
    fit = np.isfinite(times) & (times >= 0)
    warnings = [f"{int((~fit).sum())} unit(s) have no time; they are omitted"] if not fit.all() else []
    return units.assign(rt_ms=times)[fit], warnings


def _trials(frame: pd.DataFrame) -> int:
    return int(frame.groupby(TRIAL, sort=False).ngroups)


def _column(frame: pd.DataFrame, name: str) -> pd.Series[Any]:
    return frame[name].astype(object) if name in frame else pd.Series(None, index=frame.index, dtype=object)


def _filled(frame: pd.DataFrame, name: str) -> pd.Series[bool]:
    return _column(frame, name).fillna("").astype(str).str.strip() != ""


def _as_bool(value: Any) -> bool | None:
    text = str(value).strip().lower()
    return True if text in _TRUE else False if text in _FALSE else None
