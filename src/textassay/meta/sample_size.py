"""How many items and raters are needed to show that a metric agrees with people, or better than another does.

The figure in question is a mean over items: of the metric's coefficients within items, or of the differences of two
metrics' coefficients. Items are independent, so its standard error falls with their number; and with fewer raters
people's means are less reliable, which draws every coefficient towards 0 by the square root of the reliability
(Spearman 1904). The systems stay as they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from textassay.errors import DataError, UsageError
from textassay.stats.distributions import normal_upper, t_quantile
from textassay.stats.samples import FloatArray

MOST_ITEMS = 1_000_000
"""Beyond this many items no study will go."""
_NEARLY_NORMAL = 500
_CERTAIN = 8.0
"""So many standard errors beyond the limit, the probability is 1 to more digits than anybody reads."""


@dataclass(frozen=True)
class NeededItems:
    """What is needed with a number of raters per text."""

    raters: float
    """Per text; infinite: what is needed if people's means had no error."""
    mean: float
    """What the mean over items is expected to be with so many raters."""
    items: int | None
    """The fewest items; none where no number up to a million suffices."""


def needed_items(
    values: FloatArray,
    reliability: float,
    raters_now: float,
    *,
    power: float = 0.8,
    level: float = 0.05,
    raters: Sequence[float] = (1, 2, 3, 5, 10, math.inf),
) -> list[NeededItems]:
    """The fewest items with which a two-sided t-test over items finds a mean as large as here, by number of raters.

    Args:
        values: One per item: a coefficient, or the difference of two; nan where undefined.
        reliability: Of people's means of the texts of an item, from 0 to 1 (see `ceilings.reliability`).
        raters_now: How many raters a text has in these data, in the harmonic mean.
        power: With which probability it is to be found.
        level: Of the test.
        raters: For which numbers of raters per text.

    Raises:
        DataError: fewer than three items have a value.
        UsageError: a share is not between 0 and 1.
    """
    for name, share in (("power", power), ("level", level)):
        if not 0 < share < 1:
            raise UsageError(f"{name} is {share}; it must lie between 0 and 1")
    known = values[~np.isnan(values)]
    if known.size < 3:
        raise DataError(f"{known.size} items have a value; to tell how many are needed takes 3")
    mean, sd = float(known.mean()), float(known.std(ddof=1))
    of_one = one_rater(reliability, raters_now)
    found = []
    for count in raters:
        reached = mean * _attenuation(of_one, count) / _attenuation(of_one, raters_now) if of_one > 0 else math.nan
        found.append(NeededItems(count, reached, _fewest(reached, sd, power, level)))
    return found


def one_rater(reliability: float, raters: float) -> float:
    """The reliability of one rater from that of the mean of several (Spearman & Brown); 0 where it is not positive.

    >>> round(one_rater(0.75, 3), 4)  # 3 · .5 / (1 + 2 · .5) = .75
    0.5
    """
    if not reliability > 0:
        return 0.0
    return min(reliability / (raters - (raters - 1) * reliability), 1.0)


def _attenuation(of_one: float, raters: float) -> float:
    if math.isinf(raters):
        return 1.0
    return math.sqrt(raters * of_one / (1 + (raters - 1) * of_one))


def _fewest(mean: float, sd: float, power: float, level: float) -> int | None:
    if math.isnan(mean) or mean == 0:
        return None
    if sd == 0:
        return 2
    low, high = 2, MOST_ITEMS
    if _power(mean, sd, high, level) < power:
        return None
    while low < high:  # power grows with the items
        middle = (low + high) // 2
        low, high = (low, middle) if _power(mean, sd, middle, level) >= power else (middle + 1, high)
    return low


def _power(mean: float, sd: float, items: int, level: float) -> float:
    """With which probability the mean is significant, and on its own side."""
    limit, shift = t_quantile(1 - level / 2, items - 1), abs(mean) / sd * math.sqrt(items)
    if items > _NEARLY_NORMAL:
        return normal_upper(limit - shift)
    from scipy.special import nctdtr  # noqa: PLC0415 -- scipy is loaded by those who plan

    return float(1 - nctdtr(items - 1, shift, limit)) if shift < limit + _CERTAIN else 1.0
