"""Whether people read faster (or slower) the longer they read."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.results import Record
from textassay.stats.labels import Column
from textassay.stats.reading.subject_regressions import Slope, slope_tests, subject_regressions
from textassay.stats.samples import FloatArray, IntArray, check_share, finite_vector
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class PositionEffects(Statistic):
    """The course of times over positions."""

    slope: Slope
    """Mean change of the time from one position to the next over participants, with Student's t."""
    positions: tuple[float, ...]
    means: tuple[float, ...]
    """At each position the mean over participants of their own means."""
    participants: tuple[int, ...]
    """At each position, how many have a time there."""
    n: int

    @property
    def t(self) -> float:
        """Of the slope."""
        return self.slope.statistic

    @property
    def p(self) -> float:
        """Of the slope, two-sided."""
        return self.slope.p

    def records(self) -> list[Record]:
        """The slope, then the mean at each position."""
        slope = self.slope
        trend = self.record("slope", slope.estimate, df=slope.df, p=slope.p, ci=slope.ci, n=self.n, t=slope.statistic)
        places = zip(self.positions, self.means, self.participants, strict=True)
        means = [self.record("mean at position", mean, n=who, position=position) for position, mean, who in places]
        return [trend, *means]


def position_effects(
    times: npt.ArrayLike, participants: Column, positions: npt.ArrayLike, *, confidence: float = 0.95
) -> PositionEffects:
    """The trend of times over positions, and the mean at each of them.

    Purpose: find out whether participants become faster or slower in the course of a study.

    A regression time = b₀ + b · position for each participant, then t = mean(b) / (sd(b)/√n) over the n participants
    on n-1 degrees of freedom (Lorch & Myers 1990). A trend that differs between conditions is a confound: balance the
    order, or take the position out with `residual_times`.

    R: `t.test(sapply(split(d, d$participant), function(s) coef(lm(time ~ position, s))[2]))`.

    Example:
        >>> found = position_effects([500, 450, 400, 620, 560, 530], list("aaabbb"), [1, 2, 3, 1, 2, 3])
        >>> [round(mean, 4) for mean in found.means]
        [560.0, 505.0, 465.0]
        >>> round(found.slope.estimate, 4), round(found.t, 4)  # slopes -50 and -45
        (-47.5, -19.0)

    Args:
        times: One per unit or trial.
        participants: Who read it.
        positions: Its place in the experiment (or in the text).
        confidence: Of the interval of the slope.

    Raises:
        DataError: unequal lengths, missing labels, missing or infinite values, or no values.
    """
    check_share("confidence", confidence)
    found = subject_regressions(times, participants, {"position": positions})
    slope = slope_tests(found, confidence)[0]
    warnings = found.warnings("have no slope and count in the means only")
    if math.isnan(slope.statistic):
        warnings.append("the test of the slope is undefined: it needs at least 2 participants whose slopes differ")
    places, codes = np.unique(finite_vector(positions, "positions"), return_inverse=True)
    means, counts = _means(finite_vector(times, "times"), found.codes, codes.reshape(-1).astype(np.intp), places.size)
    return PositionEffects(
        method="position effects on times",
        settings={
            "regression": "one a participant",
            "participants": len(found.subjects),
            "positions": places.size,
            "confidence": confidence,
            "n": found.codes.size,
        },
        warnings=tuple(warnings),
        slope=slope,
        positions=tuple(places.tolist()),
        means=tuple(means.tolist()),
        participants=tuple(counts.tolist()),
        n=found.codes.size,
    )


def _means(times: FloatArray, subjects: IntArray, places: IntArray, size: int) -> tuple[FloatArray, IntArray]:
    """At each place the mean of the subjects' means, and how many subjects there are."""
    cells, codes = np.unique(subjects * size + places, return_inverse=True)
    own = np.bincount(codes.reshape(-1), times) / np.bincount(codes.reshape(-1))
    counts = np.bincount(cells % size, minlength=size)
    return np.bincount(cells % size, own, size) / counts, counts
