"""Zou's interval for the difference of two correlations that share a variable."""

from __future__ import annotations

import math
from dataclasses import dataclass

from textassay.results import Record
from textassay.stats.correlations.dependent_correlations import Triple, read_triple
from textassay.stats.distributions import normal_quantile
from textassay.stats.samples import check_share
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class ZouInterval(Statistic):
    """How far two correlations with the same variable differ."""

    r12: float
    r13: float
    r23: float
    difference: float
    """The first correlation less the second."""
    ci: tuple[float, float]
    n: int
    """Observations."""

    def records(self) -> list[Record]:
        """One record."""
        return [
            self.record(
                "difference of correlations",
                self.difference,
                ci=self.ci,
                n=self.n,
                r12=self.r12,
                r13=self.r13,
                r23=self.r23,
            )
        ]


def zou(r12: float, r13: float, r23: float, n: int, *, confidence: float = 0.95) -> ZouInterval:
    """Zou's interval for the difference of two correlations that share variable 1.

    Purpose: say by how much two metrics differ in their correlation with the same human scores.

    With Fisher's intervals (l₁, u₁) of r12 and (l₂, u₂) of r13 and the correlation c of the two estimates:
    low = r12 - r13 - √((r12-l₁)² + (u₂-r13)² - 2c(r12-l₁)(u₂-r13)), and high likewise with the other ends; c =
    ((r23 - r12 r13/2)(1 - r12² - r13² - r23²) + r23³) / ((1-r12²)(1-r13²)) (Zou 2007). Without 0 in it the two differ.

    R: `cocor::cocor.dep.groups.overlap(r12, r13, r23, n, test = "zou2007")`.

    Example:
        >>> [round(end, 4) for end in zou(0.80, 0.65, 0.55, 20).ci]
        [-0.1178, 0.4935]

    Args:
        r12: The first correlation, for example of a metric with human scores.
        r13: The second, of another metric with the same scores.
        r23: Of the two metrics with each other.
        n: Observations, the same for all three.
        confidence: Of the interval.

    Raises:
        DataError: not correlations of three variables on the same observations.
        UsageError: the confidence is out of range.
    """
    check_share("confidence", confidence)
    triple = read_triple(r12, r13, r23, n)
    return ZouInterval(
        method="Zou's interval for the difference of dependent correlations",
        settings={"confidence": confidence, "n": n},
        warnings=(triple.undefined,) if triple.undefined else (),
        r12=triple.r12,
        r13=triple.r13,
        r23=triple.r23,
        difference=triple.r12 - triple.r13,
        ci=(math.nan, math.nan) if triple.undefined else _interval(triple, confidence),
        n=n,
    )


def _interval(triple: Triple, confidence: float) -> tuple[float, float]:
    r12, r13, r23 = triple.r12, triple.r13, triple.r23
    half = normal_quantile((1 + confidence) / 2) / math.sqrt(triple.n - 3)
    (low1, high1), (low2, high2) = (
        (math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)) for r in (r12, r13)
    )
    c = ((r23 - r12 * r13 / 2) * (1 - r12**2 - r13**2 - r23**2) + r23**3) / ((1 - r12**2) * (1 - r13**2))
    return r12 - r13 - _joint(r12 - low1, high2 - r13, c), r12 - r13 + _joint(high1 - r12, r13 - low2, c)


def _joint(one: float, other: float, c: float) -> float:
    """The length of the difference of two errors that correlate by c; rounding may carry it below 0."""
    return math.sqrt(max(one**2 + other**2 - 2 * c * one * other, 0.0))
