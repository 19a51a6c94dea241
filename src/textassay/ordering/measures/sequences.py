"""What stays together in an order: its longest sequence in the right order, its neighbours, its runs.

These are measures that papers on sentence ordering report beside tau: LSR (Gong et al. 2016), pairs of neighbours, and
average continuity (Bollegala, Okazaki & Ishizuka 2006).
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.ordering.measures.accuracy_and_distance import moves
from textassay.ordering.orders import Order, Units
from textassay.ordering.permutations import Counts, Floats, Measure, Permutations

RUN = 4
"""The longest runs that average continuity looks at, and"""
SMOOTHING = 0.01
"""what it adds to each share: both as in Bollegala et al. (2006)."""


def longest(places: Permutations) -> Counts:
    """Length of the longest increasing subsequence.

    >>> longest(np.array([[1, 0, 2, 4, 3], [1, 2, 3, 4, 0]])).tolist()
    [3, 4]
    """
    return np.asarray(places.shape[1] - moves(places))


LSR = Measure("longest sequence ratio", "longest", longest, lambda count, n: count / n, least=1)


def lsr(order: Order, reference: Order, *, units: Units = "same") -> float:
    """Longest sequence ratio: the most units that come in the right order, other units between them or not, over n.

    Papers also call it the LCS ratio, for that sequence is the longest common subsequence of the two orders (Gong et
    al. 2016; Prabhumoye et al. 2020). Units less Ulam's distance, over n.

    >>> lsr([2, 1, 3, 5, 4], [1, 2, 3, 4, 5])  # 1 3 4, or three others
    0.6
    """
    return LSR.of(order, reference, units)


def lsr_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """Longest sequence ratio of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return LSR.batch(orders, reference)


def _followed(places: Permutations) -> npt.NDArray[np.bool_]:
    """Whether each unit but the last is followed by the unit that follows it in the reference."""
    return np.asarray(places[:, 1:] == places[:, :-1] + 1)


def neighbours(places: Permutations) -> Counts:
    """Units that are followed by the same unit in both orders.

    >>> neighbours(np.array([[1, 0, 2, 3], [3, 0, 1, 2]])).tolist()
    [1, 2]
    """
    return np.asarray(np.count_nonzero(_followed(places), axis=1))


ADJACENT = Measure("adjacent pairs", "neighbours", neighbours, lambda count, n: count / (n - 1))


def adjacent_accuracy(order: Order, reference: Order, *, units: Units = "same") -> float:
    """Share of the pairs of neighbours in the reference that are neighbours in the same order; 1/n by chance.

    It does not matter where in the order a pair is.

    >>> adjacent_accuracy("cdab", "abcd") == 2 / 3
    True
    """
    return ADJACENT.of(order, reference, units)


def adjacent_accuracy_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """Adjacent-pair accuracy of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return ADJACENT.batch(orders, reference)


def runs(places: Permutations, longest_run: int) -> Counts:
    """For each length from 2 up, how many runs of that many units both orders have; shape (orders, lengths).

    >>> runs(np.array([[4, 0, 1, 2, 3]]), 4).tolist()
    [[3, 2, 1]]
    """
    together = _followed(places)
    found = [np.count_nonzero(together, axis=1)]
    for length in range(3, longest_run + 1):
        # A run of one unit more is a run whose last unit is followed, too.
        together = together[:, :-1] & _followed(places)[:, length - 2 :]
        found.append(np.count_nonzero(together, axis=1))
    return np.stack(found, axis=1)


def _mean_share(counts: Floats, n: Floats, smoothing: float) -> Floats:
    """Geometric mean of the shares of runs, over the lengths that n units can have."""
    lengths = np.arange(2, counts.shape[1] + 2)
    of_all = n[:, None] - lengths + 1
    possible = of_all > 0
    shares = np.where(possible, counts / np.maximum(of_all, 1), 1.0) + smoothing
    with np.errstate(divide="ignore"):  # without smoothing a share of 0 makes the mean 0
        logs = np.where(possible, np.log(shares), 0.0)
    return np.asarray(np.exp(logs.sum(axis=1) / possible.sum(axis=1)))


class _OfSeveralCounts(Measure):
    """A measure whose count is a row of numbers for each order, one for each length of runs."""

    def values(self, counts: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
        """The values of rows of counts; nan where there are too few units."""
        counted = np.asarray(counts, dtype=float)
        units = np.broadcast_to(np.asarray(n, dtype=float), len(counted))
        enough = units >= self.least
        if counted.ndim == 1:  # no units, and so no runs
            return np.full(len(counted), np.nan)
        found = self.value(counted, np.where(enough, units, 2.0))
        return np.where(enough, found, np.nan)


def continuity(longest_run: int = RUN, smoothing: float = SMOOTHING) -> Measure:
    """The measure with one length of runs and one smoothing.

    Raises:
        UsageError: a length below 2, or a smoothing that is no number of at least 0.
    """
    if isinstance(longest_run, bool) or not isinstance(longest_run, int) or longest_run < 2:
        raise UsageError(f"run must be a whole number of at least 2, got {longest_run!r}")
    if not (isinstance(smoothing, int | float) and 0 <= smoothing < math.inf):
        raise UsageError(f"smoothing must be a number of at least 0, such as {SMOOTHING}; got {smoothing!r}")
    return _OfSeveralCounts(
        "average continuity",
        "runs",
        partial(runs, longest_run=longest_run),
        lambda counts, n: _mean_share(counts, n, smoothing),
    )


def average_continuity(
    order: Order, reference: Order, *, run: int = RUN, smoothing: float = SMOOTHING, units: Units = "same"
) -> float:
    """Average continuity: geometric mean of the shares of runs of 2, 3 … `run` units that both orders have.

    AC = exp(1/(k-1) Σ log(P_l + α)) over the lengths l from 2 to k, with P_l = m / (N - l + 1), m the runs of l units
    that are in both orders, N all units, k = 4 and α = 0.01 (Bollegala, Okazaki & Ishizuka 2006). So the same order has
    1 + α, and one without any pair of neighbours has α. Of fewer than k units, k is their number.

    >>> round(average_continuity("eabcd", "abcde", smoothing=0), 4)  # (3/4 · 2/3 · 1/2)^(1/3)
    0.63
    """
    return continuity(run, smoothing).of(order, reference, units)


def average_continuity_batch(
    orders: npt.ArrayLike, reference: npt.ArrayLike | None = None, *, run: int = RUN, smoothing: float = SMOOTHING
) -> Floats:
    """Average continuity of many orders of the numbers 0 … n-1; other arguments as in `tau_batch`."""
    return continuity(run, smoothing).batch(orders, reference)
