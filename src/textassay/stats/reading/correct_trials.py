"""Trials whose questions were answered rightly: those after a wrong answer are excluded, and counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.results import Record
from textassay.stats.labels import Column
from textassay.stats.samples import FloatArray, coded, same_length
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class CorrectTrials(Statistic):
    """Which rows to keep, and how many trials that leaves out."""

    keep: tuple[bool, ...]
    """One per row."""
    trials: int
    asked: int
    """Trials with at least one answer."""
    wrong: int
    """Trials with a wrong answer: all their rows go."""

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.keep)

    @property
    def share(self) -> float:
        """Wrong of asked; nan where nothing was asked."""
        return self.wrong / self.asked if self.asked else math.nan

    def records(self) -> list[Record]:
        """One record: the number of trials omitted and their share of those that were asked about."""
        more: Record = {"share": self.share, "asked": self.asked, "rows_kept": sum(self.keep)}
        return [self.record("trials left out after a wrong answer", self.wrong, n=self.trials, **more)]


def correct_trials(correct: Sequence[Any] | npt.NDArray[Any], trials: Column) -> CorrectTrials:
    """Keep the trials of which no question was answered wrongly, as is usual in self-paced reading (Just et al. 1982).

    Purpose: leave trials with a wrong answer out of an analysis of times, and count them.

    A row is kept where the number of wrong answers in its trial = 0. The answer may be on every row of its trial,
    or on one of them with nothing on the others. Trials without any answer are kept, and said in the warnings.

    R: `ave(as.integer(!correct), trial, FUN = function(w) sum(w, na.rm = TRUE)) == 0`.

    Example:
        >>> found = correct_trials([True, True, False, False, None], ["t1", "t1", "t2", "t2", "t3"])
        >>> found.keep, found.wrong, found.asked
        ((True, True, False, False, True), 1, 2)

    Args:
        correct: One per row: true or 1, false or 0, or nothing (None, nan).
        trials: The trial of each row.

    Raises:
        DataError: unequal lengths, a missing trial, or an answer that is neither true nor false.
    """
    same_length(("correct", correct), ("trials", trials))
    answers = _answers(correct)
    codes, names = coded(trials, "trials")
    given, wrong = (
        np.bincount(codes, weights=rows.astype(float), minlength=len(names)) > 0
        for rows in (~np.isnan(answers), answers == 0)
    )
    silent = len(names) - int(given.sum())
    note = f"{silent} of {len(names)} trials have no answer; they are kept"
    return CorrectTrials(
        method="removal of trials after wrong answers",
        settings={"rule": "any wrong answer removes its trial", "trials": len(names), "n": codes.size},
        warnings=(note,) if silent else (),
        keep=tuple((~wrong[codes]).tolist()),
        trials=len(names),
        asked=int(given.sum()),
        wrong=int(wrong.sum()),
    )


def _answers(correct: Sequence[Any] | npt.NDArray[Any]) -> FloatArray:
    try:
        answers = np.array([math.nan if answer is None else float(answer) for answer in correct])
    except (TypeError, ValueError) as error:
        raise DataError(f"correct must hold true, false or nothing: {error}") from None
    odd = np.flatnonzero(~np.isnan(answers) & (answers != 0) & (answers != 1))
    if odd.size:
        raise DataError(f"correct must hold true, false or nothing; index {odd[0]} has {answers[odd[0]]:g}")
    return answers
