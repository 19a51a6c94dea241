"""Reading times on the logarithmic scale, on which they are less skewed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.results import Record
from textassay.stats.samples import finite_vector
from textassay.stats.statistic import Statistic


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
