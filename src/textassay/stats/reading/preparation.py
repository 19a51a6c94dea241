"""What is done to reading times before they are analysed, each step counted.

Trials with a wrong answer are excluded, outliers are replaced by a limit, times are put on the logarithmic scale.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.results import Record
from textassay.stats.samples import Column, FloatArray, coded, finite_vector, grouped, same_length
from textassay.stats.statistic import Statistic
from textassay.stats.variance.cell_means import joined_names


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
        return [self.record("trials excluded after a wrong answer", self.wrong, n=self.trials, **more)]


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


@dataclass(frozen=True, kw_only=True)
class ReplacedOutliers(Statistic):
    """The values after replacement."""

    values: tuple[float, ...]
    replaced: tuple[bool, ...]
    """Which of them are the limit instead of what was measured."""
    powerless: tuple[str, ...]
    """Participants with so few values that none of theirs could have been replaced, however far out."""
    participants: int

    @property
    def n(self) -> int:
        """Number of values."""
        return len(self.values)

    @property
    def n_replaced(self) -> int:
        """How many were replaced."""
        return sum(self.replaced)

    @property
    def share(self) -> float:
        """How many of all; nan without values."""
        return self.n_replaced / self.n if self.n else math.nan

    def records(self) -> list[Record]:
        """One record: the number of replaced values and their share."""
        more: Record = {"share": self.share, "participants": self.participants, "powerless": len(self.powerless)}
        return [self.record("values replaced", self.n_replaced, n=self.n, **more)]


def replace_outliers(values: npt.ArrayLike, participants: Column, *, k: float = 2.5) -> ReplacedOutliers:
    """Replace what lies beyond k standard deviations of its participant's mean by that limit, as Lapata (2006) does.

    Purpose: limit the influence of very long or very short times without dropping them, and count them.

    x' = min(max(x, x̄ - k s), x̄ + k s) with the mean and the standard deviation (divisor n-1) of all the participant's
    values, outliers included; one pass. Of n values none can lie further out than (n-1)/√n standard deviations
    (Shiffler 1988), so with k = 2.5 a participant needs at least 9.

    R: `pmin(pmax(x, m - k * s), m + k * s)` with `m = ave(x, participant)` and `s = ave(x, participant, FUN = sd)`.

    Example:
        >>> found = replace_outliers([10, 11, 10, 11, 10, 11, 10, 11, 40], ["p"] * 9)
        >>> found.n_replaced, round(found.values[-1], 2)  # mean 13.78, standard deviation 9.85
        (1, 38.39)

    Args:
        values: One number per observation, such as the reading time of a unit.
        participants: Whose it is.
        k: The limit in standard deviations.

    Raises:
        DataError: unequal lengths, a missing label, or a value that is missing or infinite.
        UsageError: k is not above 0.
    """
    if not (math.isfinite(k) and k > 0):
        raise UsageError(f"k must be a number of standard deviations above 0 (for example 2.5), got {k}")
    data = grouped(values, participants, "participants")
    away = data.residuals
    squares = np.bincount(data.codes, away**2, len(data.labels))
    limits = k * np.sqrt(squares / np.maximum(data.sizes - 1, 1))
    able = np.array([can_replace(size, k) for size in data.sizes.tolist()], dtype=bool)
    # Differences that are only rounding are ignored: the mean of equal values need not be quite equal to them.
    rounding = 8 * np.finfo(float).eps * np.abs(data.values)
    out = (np.abs(away) > limits[data.codes] + rounding) & able[data.codes]
    new = np.where(out, data.means[data.codes] + np.sign(away) * limits[data.codes], data.values)
    powerless = tuple(name for name, can in zip(data.labels, able.tolist(), strict=True) if not can)
    return ReplacedOutliers(
        method="replacement of outliers",
        settings={"k": k, "limit": "participant's mean ± k SD, one pass", "n": data.values.size},
        warnings=_powerless(powerless, int(data.sizes[~able].max(initial=0)), k),
        values=tuple(new.tolist()),
        replaced=tuple(out.tolist()),
        powerless=powerless,
        participants=len(data.labels),
    )


@dataclass(frozen=True, kw_only=True)
class LogTimes(Statistic):
    """The natural logarithms of times."""

    values: tuple[float, ...]
    """One per time; nan where there is no logarithm."""
    mean: float
    sd: float
    """Standard deviation (divisor n-1)."""
    n: int
    """Times that have a logarithm."""

    @property
    def geometric_mean(self) -> float:
        """The mean of the logarithms, back on the scale of the times."""
        return math.exp(self.mean)

    def records(self) -> list[Record]:
        """One record."""
        return [self.record("mean log time", self.mean, n=self.n, sd=self.sd, geometric_mean=self.geometric_mean)]


def log_times(times: npt.ArrayLike) -> LogTimes:
    """The logarithms of times, as Box & Cox (1964) and much work on reading times advise.

    Purpose: make reading and response times less skewed before a linear model.

    y = ln(t). Effects on this scale are ratios of times, and exp(mean y) is the geometric mean of the times. A time of
    0 or less has no logarithm: it becomes nan, and is counted in the warnings.

    R: `log(times)`.

    Example:
        >>> found = log_times([100, 400, 0])
        >>> round(found.values[0], 4), round(found.geometric_mean, 4), found.n
        (4.6052, 200.0, 2)

    Raises:
        DataError: a time is missing or infinite.
    """
    vector = finite_vector(times, "times")
    positive = vector > 0
    logs = np.full(vector.shape, math.nan)
    logs[positive] = np.log(vector[positive])
    known = logs[positive]
    warnings = []
    if known.size < vector.size:
        warnings.append(f"{vector.size - known.size} of {vector.size} times are 0 or less and have no logarithm")
    if not known.size:
        warnings.append("the mean is undefined: there are no times above 0")
    return LogTimes(
        method="log transform of times",
        settings={"base": "e", "n": known.size},
        warnings=tuple(warnings),
        values=tuple(logs.tolist()),
        mean=float(known.mean()) if known.size else math.nan,
        sd=float(known.std(ddof=1)) if known.size > 1 else math.nan,
        n=known.size,
    )


def can_replace(n: int, k: float) -> bool:
    """Whether any of n values can lie beyond k standard deviations of their mean: none can beyond (n - 1)/√n.

    >>> can_replace(8, 2.5), can_replace(9, 2.5)  # 7/√8 = 2.475, 8/√9 = 2.667
    (False, True)
    """
    return n > 1 and (n - 1) / math.sqrt(n) > k


def _powerless(names: tuple[str, ...], most: int, k: float) -> tuple[str, ...]:
    if not names:
        return ()
    limit = f"of n values none can lie beyond (n-1)/√n standard deviations, here {(most - 1) / math.sqrt(most):.3f}"
    few = f"{len(names)} participant(s) have so few values (at most {most}) that none could be replaced"
    return (f"{few}: {limit}, and the limit is {k:g} ({joined_names(names)})",)


def _answers(correct: Sequence[Any] | npt.NDArray[Any]) -> FloatArray:
    try:
        answers = np.array([math.nan if answer is None else float(answer) for answer in correct])
    except (TypeError, ValueError) as error:
        raise DataError(f"correct must hold true, false or nothing: {error}") from None
    odd = np.flatnonzero(~np.isnan(answers) & (answers != 0) & (answers != 1))
    if odd.size:
        raise DataError(f"correct must hold true, false or nothing; index {odd[0]} has {answers[odd[0]]:g}")
    return answers
