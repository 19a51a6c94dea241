"""Three correlations of three variables measured on the same observations: what tests of dependent ones start from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real

from textassay.errors import DataError
from textassay.results import Record
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class DependentCorrelations(Statistic):
    """Whether two correlations with the same variable differ."""

    r12: float
    r13: float
    r23: float
    statistic: str
    """`t` or `z`."""
    value: float
    df: int | None
    """Degrees of freedom of t."""
    p: float
    n: int
    """Observations."""

    @property
    def difference(self) -> float:
        """The first correlation less the second."""
        return self.r12 - self.r13

    def records(self) -> list[Record]:
        """One record."""
        return [
            self.record(
                self.statistic,
                self.value,
                df=self.df,
                p=self.p,
                n=self.n,
                difference=self.difference,
                r12=self.r12,
                r13=self.r13,
                r23=self.r23,
            )
        ]


@dataclass(frozen=True)
class Triple:
    """Three correlations that can be those of three variables."""

    r12: float
    r13: float
    r23: float
    n: int

    @property
    def determinant(self) -> float:
        """Of the matrix of correlations."""
        r12, r13, r23 = self.r12, self.r13, self.r23
        return 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23

    @property
    def undefined(self) -> str:
        """Why they cannot be compared by Fisher's z; empty where they can."""
        if self.n < 4:
            return f"the comparison is undefined: it needs at least 4 observations, got {self.n}"
        if max(abs(self.r12), abs(self.r13)) == 1:
            return "the comparison is undefined: a perfect correlation has no Fisher z"
        if self.r23 == 1:
            return "the comparison is undefined: the two variables are the same (r23 = 1)"
        return ""


def read_triple(r12: float, r13: float, r23: float, n: int) -> Triple:
    """The three correlations, checked.

    Raises:
        DataError: not correlations, not of the same three variables, or n is no whole number.
    """
    for name, r in (("r12", r12), ("r13", r13), ("r23", r23)):
        if not (_is_number(r) and -1 <= r <= 1):
            raise DataError(f"{name} must be a correlation between -1 and 1, got {r!r}")
    if not _is_number(n, whole=True) or n < 0:
        raise DataError(f"n must be the number of observations, a whole number, got {n!r}")
    triple = Triple(float(r12), float(r13), float(r23), int(n))
    if triple.determinant < -1e-9:
        raise DataError(
            f"no three variables have the correlations {r12:g}, {r13:g} and {r23:g}; "
            "compute all three on the same observations"
        )
    return triple


def _is_number(value: object, *, whole: bool = False) -> bool:
    """Whether it is one, NumPy's included."""
    return isinstance(value, Integral if whole else Real)


def covariance(r12: float, r13: float, r23: float) -> float:
    """The correlation of the Fisher z of two correlations that share a variable (Pearson & Filon 1898).

    >>> round(covariance(0.0, 0.0, 0.4), 4)  # without correlation with the first, that of the other two
    0.4
    """
    ratio = r23 * (1 - r12**2 - r13**2) - 0.5 * r12 * r13 * (1 - r12**2 - r13**2 - r23**2)
    return ratio / ((1 - r12**2) * (1 - r13**2))


def fisher_mean(first: float, second: float) -> float:
    """The mean of two correlations, taken over their Fisher z."""
    return math.tanh((math.atanh(first) + math.atanh(second)) / 2)
