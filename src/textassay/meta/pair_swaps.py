"""Pairs of texts or systems swapped between two metrics as if they were independent: a sign test, without a draw."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr
from scipy.stats import binom

from textassay.meta.coefficients import signs
from textassay.meta.metric_differences import MetricDifference, shared_texts
from textassay.seeds import Stream
from textassay.stats.samples import FloatArray, IntArray, as_floats


def compare_system_pairs(people: npt.ArrayLike, first: npt.ArrayLike, second: npt.ArrayLike) -> MetricDifference:
    """Pairwise accuracy of two metrics, with the p of swapping each pair of systems as if pairs were independent.

    Published as a permutation test, it is a sign test on the pairs of systems that one metric alone orders as people
    do, and so exact without any draw. Pairs that share a system are not independent: liberal.

    >>> found = compare_system_pairs([1, 2, 3, 4], [1, 2, 3, 4], [4, 3, 2, 1])
    >>> found.first, found.second, found.n, found.p
    (1.0, 0.0, 6, 0.03125)
    """
    x, a, b = (as_floats(values, "values") for values in (people, first, second))
    one, other = np.triu_indices(x.size, 1)
    truth, by_first, by_second = (np.sign(side[one] - side[other]) for side in (x, a, b))
    used = (truth != 0) & ~np.isnan(truth + by_first + by_second)
    right = (by_first == truth)[used], (by_second == truth)[used]
    gained, lost = int(np.count_nonzero(right[0] & ~right[1])), int(np.count_nonzero(right[1] & ~right[0]))
    values = (float(np.mean(right[0])), float(np.mean(right[1]))) if used.any() else (math.nan, math.nan)
    if not used.any():
        return MetricDifference("system pairs", *values, math.nan, reason="people order no pair of systems")
    n = gained + lost
    tail = sum(math.comb(n, k) for k in range(min(gained, lost) + 1)) / 2**n
    return MetricDifference(
        "system pairs", *values, min(1.0, 2 * tail), exact=True, least_p=2 / 2**n if n else 1.0, n=n
    )


def compare_text_pairs(
    people: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    epsilons: tuple[float, float] = (0.0, 0.0),
    draws: int = 9999,
    seed: int = 0,
) -> MetricDifference:
    """acc_eq of two metrics within items, with the p of swapping each pair of texts as if pairs were independent.

    The test of the annual metrics tasks since 2023, in which metrics have ties of their own ε (`calibrated_accuracy`).
    Where all items have as many texts it is a sign test on the pairs that one metric alone gets right, and exact;
    else a pair weighs less in an item with more of them, and the number of pairs of each weight is drawn. Pairs that
    share a text are not independent, nor are texts of one system: liberal (two metrics that agree equally and err about
    systems differ at .05 in .44 of cases; 8 systems × 50 items).

    >>> people = [[1, 2, 3, 3], [2, 2, 1, 4]]
    >>> found = compare_text_pairs(people, people, [[1, 2, 3, 3], [4, 2, 1, 2]])
    >>> found.first, round(found.second, 3), found.n, found.p, found.exact
    (1.0, 0.75, 3, 0.25, True)

    Args:
        people: Shape (items, systems); nan where a text was not judged.
        first: The same, more is better.
        second: The same.
        epsilons: Of each metric: scores that differ by no more are a tie.
        draws: Where items have different numbers of texts.
        seed: Of the draws.
    """
    x, a, b = shared_texts(people, first, second)
    one, other = np.triu_indices(x.shape[1], 1)
    there = ~np.isnan(x)
    pairs = there[:, one] & there[:, other]
    truth = signs(x, one, other)
    right = [
        (_tied_signs(side, one, other, epsilon) == truth) & pairs
        for side, epsilon in zip((a, b), epsilons, strict=True)
    ]
    sizes = np.count_nonzero(pairs, axis=1)
    used = sizes > 0
    if not used.any():
        return MetricDifference("text pairs", math.nan, math.nan, math.nan, reason="no item has two texts")
    hits = [np.count_nonzero(side, axis=1) for side in right]
    values = [float(np.mean(side[used] / sizes[used])) for side in hits]
    both = np.count_nonzero(right[0] & right[1], axis=1)
    gained, lost = hits[0] - both, hits[1] - both
    n = int(gained.sum() + lost.sum())
    if len(set(sizes[used].tolist())) == 1:
        p = min(1.0, 2 * float(bdtr(min(gained.sum(), lost.sum()), n, 0.5))) if n else 1.0
        return MetricDifference("text pairs", values[0], values[1], p, exact=True, least_p=0.5 ** (n - 1), n=n)
    distance = _weighted_signs(sizes, gained + lost, Stream(seed, "swapped pairs"), draws)
    own = abs(float(((gained - lost)[used] / sizes[used]).sum()))
    beyond = int(np.count_nonzero(distance >= own - 1e-9))
    return MetricDifference(
        "text pairs", values[0], values[1], (beyond + 1) / (draws + 1), least_p=1 / (draws + 1), resamples=draws, n=n
    )


def _tied_signs(rows: FloatArray, first: IntArray, second: IntArray, epsilon: float) -> npt.NDArray[np.int8]:
    if not epsilon:
        return signs(rows, first, second)
    gap = rows[:, first] - rows[:, second]
    return (gap > epsilon).astype(np.int8) - (gap < -epsilon).astype(np.int8)


def _weighted_signs(sizes: IntArray, discordant: IntArray, stream: Stream, draws: int) -> FloatArray:
    """Shape (draws,): how far from 0 the sum over discordant pairs is, each ±1 / (pairs of its item)."""
    total = np.zeros(draws)
    for size in np.unique(sizes[sizes > 0]):
        n = int(discordant[sizes == size].sum())
        uniform = (stream.raw(draws) >> np.uint64(11)) * 2.0**-53
        heads = binom.ppf(uniform, n, 0.5) if n else np.zeros(draws)
        total += (2 * heads - n) / size
    return np.abs(total)
