"""Times far from a participant's mean, replaced by the cut-off (Lapata 2006, experiment 2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Replaced:
    """The times after replacement."""

    values: npt.NDArray[np.float64]
    replaced: npt.NDArray[np.bool_]
    """Which of them are the cut-off instead of what was measured."""
    powerless: tuple[str, ...]
    """Participants with so few times that none of theirs could have been replaced, however long."""

    @property
    def n(self) -> int:
        """How many were replaced."""
        return int(np.count_nonzero(self.replaced))


def replace_outliers(values: npt.ArrayLike, participants: Sequence[Any] | npt.NDArray[Any], k: float) -> Replaced:
    """Replace what lies beyond mean ± k standard deviations of its participant by that limit.

    One pass; mean and standard deviation (divisor n - 1) are those of all the participant's times, outliers included.

    >>> found = replace_outliers([10, 11, 10, 11, 10, 11, 10, 11, 40], ["p"] * 9, 2.5)
    >>> found.n, round(float(found.values[-1]), 2)  # mean 13.78, standard deviation 9.85
    (1, 38.39)
    """
    times = np.asarray(values, dtype=float)
    names = np.asarray(participants).astype(str)
    new, replaced, powerless = times.copy(), np.zeros(times.size, dtype=bool), []
    for name in dict.fromkeys(names.tolist()):
        own = names == name
        if not can_replace(int(np.count_nonzero(own)), k):
            powerless.append(name)
            continue
        mean, sd = float(np.mean(times[own])), float(np.std(times[own], ddof=1))
        new[own] = np.clip(times[own], mean - k * sd, mean + k * sd)
        replaced |= own & (new != times)
    return Replaced(new, replaced, tuple(powerless))


def can_replace(n: int, k: float) -> bool:
    """Whether any of n values can lie beyond k standard deviations of their mean: none can beyond (n - 1)/√n.

    >>> can_replace(8, 2.5), can_replace(9, 2.5)  # 7/√8 = 2.475, 8/√9 = 2.667
    (False, True)
    """
    return n > 1 and (n - 1) / math.sqrt(n) > k
