"""Randomisation tests of a difference of means: signs flipped, or labels exchanged, for observations or clusters."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.known_names import check_choice
from textassay.results import Record
from textassay.seeds import Stream
from textassay.stats.distributions import Alternative, check_alternative, p_of_tails
from textassay.stats.rank_tests.wilcoxon import SIGNED_RANK_LIMIT, rank_sum_tails, signed_rank_tails
from textassay.stats.resampling.resamples import check_draws, in_parts, random_signs, random_subsets
from textassay.stats.samples import Column, FloatArray, code_labels, finite_vector, same_length
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class Randomisation(Statistic):
    """A difference of means, compared with its distribution under random exchange of the same numbers."""

    difference: float
    """Mean of the first less mean of the second, over the units."""
    p: float
    exact: bool
    """Whether all outcomes of chance were counted; else p = (b+1)/(draws+1)."""
    n: int
    """Pairs, or values of both samples."""
    units: int
    """What signs or labels were drawn for: the same, or clusters."""

    def records(self) -> list[Record]:
        """One record."""
        return [self.record("difference", self.difference, p=self.p, n=self.n, units=self.units, exact=self.exact)]


def paired_permutation(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    clusters: Column | None = None,
    p: CountedP = "auto",
    draws: int = 9999,
    seed: int = 0,
) -> Randomisation:
    """Paired randomisation test: is the mean of x - y further from 0 than chance makes it?

    Purpose: find out whether two systems differ on the same items without assuming any distribution.

    Without an effect every difference might as well have the other sign: p is the share of the 2ⁿ ways to set the signs
    that give a mean at least as large (Fisher 1935); two-sided twice the smaller tail. Counted where that is cheap (up
    to 20 differences, or 500 that are whole in some unit, as ratings are); else p = (b + 1) / (draws + 1) by draws.
    With clusters, whose differences hang together, the signs are set for the means of the clusters.

    R: `mean(as.matrix(expand.grid(rep(list(c(-1, 1)), n))) %*% (x - y) >= sum(x - y))`, for `greater`.

    Example:
        >>> result = paired_permutation([5, 6, 8], [4, 4, 4])
        >>> round(result.difference, 4), round(result.p, 4), result.exact  # one of 8 ways on each side
        (2.3333, 0.25, True)

    Args:
        x: One number per observation.
        y: The other number of the same observation.
        alternative: `greater` where x is expected to be larger.
        clusters: One label per pair, for example the participant.
        p: How p is found.
        draws: Draws where p is not counted.
        seed: Of the stream of draws.

    Raises:
        DataError: unequal lengths, a missing label, missing or infinite values, or too many for `exact`.
        UsageError: an unknown or impossible setting.
    """
    chance = Chance(alternative, p, draws, seed)
    first, second = finite_vector(x, "x"), finite_vector(y, "y")
    same_length(("x", first), ("y", second))
    differences = _unit_means(first - second, clusters, "clusters")[0]
    if not differences.size:
        return _result("paired randomisation test", chance, n=0, reason="p is undefined: there are no pairs")
    value, exact = chance.flipped_signs(differences)
    return _result(
        "paired randomisation test",
        chance,
        difference=float(differences.mean()),
        p=value,
        exact=exact,
        n=first.size,
        units=differences.size,
        clustered=clusters is not None,
        reason="" if differences.any() else "all differences are 0, so p is uninformative",
    )


def two_sample_permutation(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    clusters: tuple[Column, Column] | None = None,
    p: CountedP = "auto",
    draws: int = 9999,
    seed: int = 0,
) -> Randomisation:
    """Randomisation test of two independent samples: do their means differ more than chance makes them?

    Purpose: find out whether two independent groups differ in their means without assuming any distribution.

    Without an effect every value might as well be in the other sample: p is the share of the n! / (n₁! n₂!) ways to
    draw the first sample from all values that give a difference at least as large (Pitman 1937); two-sided twice the
    smaller tail. Counted where that is cheap (up to 20 values, or more that are whole in some unit); else
    p = (b + 1) / (draws + 1) by draws. With clusters, whose values hang together, their means are drawn.

    R: `mean(combn(c(x, y), length(x), mean) >= mean(x))`, for `greater`.

    Example:
        >>> result = two_sample_permutation([4, 5, 6], [1, 2, 3])
        >>> round(result.difference, 4), round(result.p, 4), result.exact  # one of 20 ways on each side
        (3.0, 0.1, True)

    Args:
        x: The first sample.
        y: The second sample.
        alternative: `greater` where x is expected to be larger.
        clusters: For each sample one label per value, for example the participant.
        p: How p is found.
        draws: Draws where p is not counted.
        seed: Of the stream of draws.

    Raises:
        DataError: unequal lengths, a cluster in both samples, a missing label, missing or infinite values, or too many
            for `exact`.
        UsageError: an unknown or impossible setting.
    """
    chance = Chance(alternative, p, draws, seed)
    samples = finite_vector(x, "x"), finite_vector(y, "y")
    one, other = clusters or (None, None)
    first, first_labels = _unit_means(samples[0], one, "clusters of x")
    second, second_labels = _unit_means(samples[1], other, "clusters of y")
    shared = sorted(set(first_labels) & set(second_labels))
    if shared:
        raise DataError(f"{len(shared)} cluster(s) are in both samples ({', '.join(shared[:5])}); compare them paired")
    n = samples[0].size + samples[1].size
    if not (first.size and second.size):
        reason = f"p is undefined: it needs values in both samples, got {first.size} and {second.size}"
        return _result("two-sample randomisation test", chance, n=n, reason=reason)
    values = np.concatenate([first, second])
    value, exact = chance.exchanged_labels(values, first.size)
    return _result(
        "two-sample randomisation test",
        chance,
        difference=float(first.mean() - second.mean()),
        p=value,
        exact=exact,
        n=n,
        units=values.size,
        clustered=clusters is not None,
        reason="" if np.ptp(values) > 0 else f"all values are equal ({values[0]:g}), so p is uninformative",
    )


def _unit_means(values: FloatArray, clusters: Column | None, name: str) -> tuple[FloatArray, tuple[str, ...]]:
    """The values, or the means of their clusters with the clusters' names."""
    if clusters is None:
        return values, ()
    same_length(("values", values), (name, clusters))
    labels, (codes,) = code_labels((name, clusters))
    return np.bincount(codes, weights=values) / np.maximum(np.bincount(codes), 1), labels


def _result(method: str, chance: Chance, *, n: int, reason: str, **found: Any) -> Randomisation:
    clustered, exact = found.pop("clustered", False), found.get("exact", False)
    drawn = {} if exact else {"draws": chance.draws, "seed": chance.seed}
    return Randomisation(
        method=method,
        settings={
            "alternative": chance.alternative,
            "p": "exact" if exact else "monte carlo",
            **drawn,
            "units": "means of clusters" if clustered else "values",
            "n": n,
        },
        warnings=(reason,) if reason else (),
        n=n,
        **{"difference": math.nan, "p": math.nan, "exact": False, "units": 0, **found},
    )


CountedP = Literal["auto", "exact", "monte carlo"]
"""`auto`: counted where that is cheap, else by draws; `exact`: counted, or an error; `monte carlo`: by draws."""


@dataclass(frozen=True)
class Chance:
    """How p is found.

    Raises:
        UsageError: an unknown or impossible setting.
    """

    alternative: Alternative
    how: CountedP
    draws: int
    seed: int

    def __post_init__(self) -> None:
        check_alternative(self.alternative)
        check_choice("p", self.how, get_args(CountedP))
        check_draws(self.draws)

    def flipped_signs(self, differences: FloatArray) -> tuple[float, bool]:
        """The p of the sum of differences whose signs chance sets, and whether it is exact."""
        if self.how != "monte carlo":
            tails = sign_flip_tails(differences)
            if tails is not None:
                return p_of_tails(*tails, self.alternative), True

        def sums(stream: Stream, draws: int) -> FloatArray:
            return np.asarray(random_signs(stream, differences.size, draws) @ differences)

        return self._drawn(sums, float(differences.sum()), np.abs(differences)), False

    def exchanged_labels(self, values: FloatArray, size: int) -> tuple[float, bool]:
        """The p of the sum of the first `size` values where chance says which are first, and whether it is exact."""
        if self.how != "monte carlo":
            tails = subset_sum_tails(values, size)
            if tails is not None:
                return p_of_tails(*tails, self.alternative), True
        centred = values - values.mean()

        def sums(stream: Stream, draws: int) -> FloatArray:
            return np.asarray(random_subsets(stream, centred.size, size, draws) @ centred)

        return self._drawn(sums, float(centred[:size].sum()), np.abs(centred)), False

    def _drawn(self, sums: Callable[[Stream, int], FloatArray], observed: float, sizes: FloatArray) -> float:
        """Each tail (b+1)/(draws+1): the observed sum is one of those that chance can make (Davison & Hinkley 1997)."""
        if self.how == "exact":
            raise DataError(
                f"{sizes.size} units are too many to count all outcomes of chance: up to {ENUMERATED} are counted, and "
                "more where the values are whole numbers in some unit; use p='auto'"
            )
        stream = Stream(self.seed, "randomisation")
        slack = 1e-10 * float(sizes.sum())
        lower = upper = 1
        for part in in_parts(self.draws, sizes.size):
            made = sums(stream, part)
            lower += int(np.count_nonzero(made <= observed + slack))
            upper += int(np.count_nonzero(made >= observed - slack))
        return p_of_tails(lower / (self.draws + 1), upper / (self.draws + 1), self.alternative)


ENUMERATED = 20
"""The most units whose 2^n signs, or whose subsets, are all gone through (a million)."""

_WORK = 50_000_000
"""The most additions for counting sums of whole numbers."""
_UNITS = (*range(1, 41), 100, 1000)
"""Fractions that make numbers whole: halves, thirds …, as means of clusters are, and decimals."""


def sign_flip_tails(differences: FloatArray) -> tuple[float, float] | None:
    """P(S ≤ s) and P(S ≥ s), where s is the sum of the differences and S the same with signs drawn by chance.

    >>> sign_flip_tails(np.array([1.0, 2.0, 4.0]))
    (1.0, 0.125)
    """
    sizes = np.abs(differences)
    whole = _whole(sizes)
    if whole is not None and differences.size <= SIGNED_RANK_LIMIT and whole.sum() * whole.size <= _WORK:
        if not whole.any():
            return 1.0, 1.0
        return signed_rank_tails(whole, float(whole[differences > 0].sum()))
    if differences.size > ENUMERATED:
        return None
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate([sums - size, sums + size])
    return _tails(sums, float(differences.sum()), float(sizes.sum()))


def subset_sum_tails(values: FloatArray, size: int) -> tuple[float, float] | None:
    """P(S ≤ s) and P(S ≥ s), where s is the sum of the first `size` values and S that of as many drawn by chance.

    >>> subset_sum_tails(np.array([1.0, 2.0, 3.5, 4.2]), 2)  # the smallest of 6 sums
    (0.16666666666666666, 1.0)
    """
    shifted = values - values.min(initial=np.inf)
    whole = _whole(shifted)
    drawn = min(size, values.size - size)
    if whole is not None and math.log10(math.comb(values.size, size)) < 300:
        width = float(np.sort(whole)[values.size - drawn :].sum()) + 1
        if values.size * drawn * width <= _WORK:
            if not whole.any():
                return 1.0, 1.0
            return rank_sum_tails(whole, size, float(whole[:size].sum()))
    if values.size > ENUMERATED:
        return None
    sums = [np.zeros(1), *[np.empty(0)] * size]  # by how many were drawn
    for value in shifted:
        sums = [sums[0], *(np.concatenate([kept, fewer + value]) for fewer, kept in pairwise(sums))]
    return _tails(sums[size], float(shifted[:size].sum()), float(shifted.sum()))


def _tails(sums: FloatArray, observed: float, scale: float) -> tuple[float, float]:
    slack = 1e-10 * scale  # sums that tie with the observed one differ from it by rounding only
    return float(np.mean(sums <= observed + slack)), float(np.mean(sums >= observed - slack))


def _whole(values: FloatArray) -> FloatArray | None:
    """The values in the largest unit in which all are whole numbers; none where there is no such unit."""
    for unit in _UNITS:
        scaled = values * unit
        rounded = np.rint(scaled)
        if np.all(np.abs(scaled - rounded) <= 1e-9 * np.maximum(np.abs(scaled), 1.0)):
            return np.asarray(rounded)
    return None
