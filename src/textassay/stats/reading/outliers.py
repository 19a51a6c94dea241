"""Values far from a participant's mean, replaced by the limit."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.results import Record
from textassay.stats.labels import Column
from textassay.stats.samples import grouped
from textassay.stats.statistic import Statistic
from textassay.stats.variance.cell_means import joined_names


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
    # What is rounding and no distance is left alone: the mean of equal values need not be quite equal to them.
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
