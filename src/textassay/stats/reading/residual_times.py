"""Reading times less what the length of a unit (and the like) tells of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.results import Record
from textassay.stats.labels import Column
from textassay.stats.reading.subject_regressions import Slope, slope_tests, subject_regressions
from textassay.stats.samples import check_share
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class ResidualTimes(Statistic):
    """What is left of each time after its participant's own regression."""

    residuals: tuple[float, ...]
    """One per time; nan where the participant has no regression."""
    intercepts: Mapping[str, float]
    """Participant → what a unit costs beside its length; nan where undefined."""
    slopes: Mapping[str, tuple[float, ...]]
    """Predictor → one slope per participant, in the order of `intercepts`; nan where undefined."""
    tests: tuple[Slope, ...]
    """Student's t of the slopes over participants, one per predictor."""
    n: int
    """Times that have a residual."""

    def records(self) -> list[Record]:
        """One record per predictor: the mean slope over participants, with its test."""
        return [
            self.record(
                "slope", test.estimate, by=test.name, df=test.df, p=test.p, ci=test.ci, n=self.n, t=test.statistic
            )
            for test in self.tests
        ]


def residual_times(
    times: npt.ArrayLike,
    participants: Column,
    predictors: Mapping[str, npt.ArrayLike],
    *,
    confidence: float = 0.95,
) -> ResidualTimes:
    """Residual reading times (Ferreira & Clifton 1986): each time less what the participant's own regression expects.

    Purpose: compare reading times of texts of different length, by taking each participant's own speed out.

    r = t - (b₀ + Σ bⱼ xⱼ), the b by least squares over all times of the participant. The usual predictor is the length
    of the unit in characters; its position in the experiment can be added. Units of different length can then
    be compared, and slow readers count as much as fast ones.

    R: `resid(lm(time ~ length, subset = participant == p))` for each p.

    Example:
        >>> found = residual_times([300, 350, 390, 500, 560, 650], list("aaabbb"), {"length": [3, 5, 7, 3, 5, 7]})
        >>> [round(residual, 4) for residual in found.residuals[:3]]  # 234.1667 + 22.5 · length
        [-1.6667, 3.3333, -1.6667]

    Args:
        times: One per unit that was read.
        participants: Who read it.
        predictors: By name, one number per unit.
        confidence: Of the intervals of the mean slopes.

    Raises:
        DataError: unequal lengths, missing labels, missing or infinite values, or no values.
        UsageError: no predictor.
    """
    check_share("confidence", confidence)
    found = subject_regressions(times, participants, predictors)
    used = int(np.count_nonzero(np.isfinite(found.residuals)))
    warnings = found.warnings(f"have no regression, so {found.codes.size - used} times have no residual")
    tests = slope_tests(found, confidence)[:-1]
    if any(np.isnan(test.statistic) for test in tests):
        warnings.append("the test of a slope is undefined: it needs at least 2 participants whose slopes differ")
    return ResidualTimes(
        method="residual reading times",
        settings={
            "predictors": ", ".join(found.predictors),
            "regression": "one a participant",
            "participants": len(found.subjects),
            "confidence": confidence,
            "n": used,
        },
        warnings=tuple(warnings),
        residuals=tuple(found.residuals.tolist()),
        intercepts=dict(zip(found.subjects, found.intercepts.tolist(), strict=True)),
        slopes={name: tuple(found.slopes[:, place].tolist()) for place, name in enumerate(found.predictors)},
        tests=tests,
        n=used,
    )
