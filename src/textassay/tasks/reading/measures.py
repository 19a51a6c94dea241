"""What is measured of reading times besides: logarithms, residuals, the course of the session, the speed of reading."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from textassay.results import Analysis, Table
from textassay.stats import (
    LogTimes,
    PositionEffects,
    ResidualTimes,
    log_times,
    position_effects,
    residual_times,
)
from textassay.tasks.reading.preparation import CUTOFF_SD, TRIAL, prepare

WORD_TIME, TIME, RESIDUAL_TIME = "time per word in ms", "time per unit in ms", "residual time per unit in ms"
"""What the measures are called in results."""
SUBJECTS = {
    WORD_TIME: "Reading time per word",
    TIME: "Reading time per unit",
    RESIDUAL_TIME: "Residual reading time per unit",
    "comprehension": "Comprehension",
}
"""Measure → heading of its section."""
WORD, WORD_LOG, LOG, RESIDUAL = "word_ms", "log_word_ms", "log_ms", "residual_ms"
"""Their columns beside `rt_ms`."""
WORDS, UNITS = "words a second", "units a second"
_CARRIED = ("block", "kind", "practice", "repeat", "position")
"""What tells whether a judgement counts, where it is known."""
_LENGTH = "length of the unit"
_PLACES = {"position": "place of the text in the session", "unit_position": "place of the unit in its text"}


@dataclass(frozen=True)
class ReadingMeasures:
    """Reading times on all their scales."""

    units: pd.DataFrame
    """One row per unit, with `log_ms`; with `word_ms` and `log_word_ms` where words are known; and with `residual_ms`
    where lengths are known and differ."""
    logs: LogTimes
    residuals: ResidualTimes | None
    positions: tuple[PositionEffects, ...]
    warnings: tuple[str, ...]

    @property
    def scales(self) -> dict[str, str]:
        """What is compared, the one to lead first → its column; of single words, time per unit is the same again."""
        single = WORD in self.units and bool((self.units[WORD] == self.units["rt_ms"]).all())
        named = {WORD_TIME: WORD, **({} if single else {TIME: "rt_ms"}), RESIDUAL_TIME: RESIDUAL}
        return {name: column for name, column in named.items() if column in self.units}

    @property
    def trials(self) -> pd.DataFrame:
        """One row per trial: the means of its units."""
        scales = [column for column in ("rt_ms", WORD, WORD_LOG, LOG, RESIDUAL) if column in self.units]
        units, places = self.units, _numbers(self.units, "position")
        if places is not None:
            units, scales = units.assign(position=places), [*scales, "position"]
        return units.groupby(TRIAL, sort=False)[scales].mean().reset_index()

    def analysis(self) -> Analysis:
        """What else times depend on, as far as it is known."""
        results = tuple(result for result in (self.logs, self.residuals, *self.positions) if result is not None)
        return Analysis("courses", "What else times depend on", results, self._tables(), warnings=self.warnings)

    def _tables(self) -> tuple[Table, ...]:
        slopes = [(_LENGTH, "character", test) for test in (self.residuals.tests if self.residuals else ())]
        slopes += [(found.by, "place", found.slope) for found in self.positions]
        rows = tuple((what, each, x.estimate, *x.ci, x.statistic, x.df, x.p) for what, each, x in slopes)
        note = (
            "Milliseconds for one more character or place: the mean over participants of their own slopes, with "
            "Student's t (Lorch & Myers 1990). Residual times are what the length of a unit leaves of its time."
        )
        heads = ("Times and …", "For one more", "Slope", "Low", "High", "t", "df", "p")
        return (Table("courses", "What else times depend on", heads, rows, note, detail=True),) if rows else ()


def measured(units: pd.DataFrame, confidence: float) -> ReadingMeasures:
    """Logarithms, residuals on length, and position effects of prepared times."""
    times, people = units["rt_ms"].to_numpy(dtype=float), units["participant"].to_numpy()
    logs = log_times(times).about(TIME)
    units = units.assign(**{LOG: np.asarray(logs.values, dtype=float)})
    words = _words(units)
    if words is not None:
        units = units.assign(**{WORD: units["rt_ms"] / words, WORD_LOG: units[LOG] - np.log(words)})
    length = _numbers(units, "length")
    residuals = None
    if length is not None and length.nunique() > 1:
        residuals = residual_times(times, people, {_LENGTH: length.to_numpy()}, confidence=confidence)
        residuals = residuals.about(TIME)
        units = units.assign(**{RESIDUAL: np.asarray(residuals.residuals, dtype=float)})
    positions = tuple(
        position_effects(times, people, places.to_numpy(), confidence=confidence).about(TIME, what)
        for column, what in _PLACES.items()
        if (places := _numbers(units, column)) is not None and places.nunique() > 1
    )
    named = [("logarithms", logs), ("residual times", residuals), *((found.by, found) for found in positions)]
    warnings = [f"{what}: {text}" for what, found in named if found is not None for text in found.warnings]
    return ReadingMeasures(units, logs, residuals, positions, tuple(warnings))


def leading_logs(units: pd.DataFrame) -> tuple[str, pd.Series[float]]:
    """What a reader is told of first, and its logarithm for each unit: time per word, else per unit; for power."""
    logs = pd.Series(log_times(units["rt_ms"].to_numpy(dtype=float)).values, index=units.index, dtype=float)
    words = _words(units)
    return (TIME, logs) if words is None else (WORD_TIME, logs - np.log(words))


def _words(units: pd.DataFrame) -> pd.Series[float] | None:
    """The words of each unit, if they are known of all."""
    words = _numbers(units, "words")
    return words if words is not None and bool((words > 0).all()) else None


def _numbers(units: pd.DataFrame, column: str) -> pd.Series[float] | None:
    """A column of numbers, if it is there without a gap."""
    if column not in units:
        return None
    numbers = pd.to_numeric(units[column], errors="coerce").astype(float)
    return numbers if bool(np.isfinite(numbers).all()) else None


def speeds(table: pd.DataFrame, cutoff_sd: float = CUTOFF_SD) -> pd.DataFrame:
    """One judgement a participant and text: words a second, or units a second where the words are not known.

    The higher, the better. As in the analysis of times, first readings with right answers count, and outliers are
    replaced.

    Args:
        table: Reading times.
        cutoff_sd: Times further from the participant's mean than this many standard deviations are replaced.
    """
    units = prepare(table, cutoff_sd).units
    counted = "words" in units and bool(units["words"].notna().all())
    units = units.assign(amount=units["words"].astype(float) if counted else 1.0)
    by = [*TRIAL, *(column for column in _CARRIED if column in units)]
    totals = units.groupby(by, sort=False, dropna=False)[["amount", "rt_ms"]].sum().reset_index()
    totals = totals[totals["rt_ms"] > 0]
    judged: pd.DataFrame = totals[by].assign(
        criterion=WORDS if counted else UNITS, value=1000 * totals["amount"] / totals["rt_ms"]
    )
    return judged
