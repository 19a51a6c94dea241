"""Variances of the systems' adjusted means and of their differences, with degrees of freedom; none taken as equal.

V = a·P + b·I + c·A, where P, I and A are sums of squares over participants, over items and over the answers of one
participant to one item. The factors make the expectation right for the components participant × system, item × system
and what is left; in a complete design they are those of the analysis of variance, and c is negative. No variance is
below that of the participants or of the items alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from textassay.stats.crossed.crossed_design import ANSWER, CrossedDesign, Groups
from textassay.stats.samples import FloatArray, IntArray

_START = (1.0, 1.0, -1.0)
"""The factors of sums of squares as far as the design leaves them open."""
_SAME = 1e-6
"""A singular value below this share of the largest is none."""
_SHRINK = 2.0
"""The unbiased estimate of a sum of squared eigenvalues counts 1 − this / df, the plain one the rest: with few units
the unbiased one alone makes the test liberal."""
_ROUNDING = 1e-9
_FEW = 3.5
"""Degrees of freedom of the fewer units below which they are those of the whole."""
_BLOCK = 4_000_000
"""Numbers held at a time."""


@dataclass(frozen=True)
class MeanVariance:
    """What differences between means are measured by."""

    trace: float
    """Σ of the variances of the means about their own mean."""
    df: tuple[float, float]
    """Of the F ratio of all means."""
    pairs: FloatArray
    """The variance of each difference."""
    df_pairs: FloatArray


class MeanVariances:
    """Variances of the means of a design, for any values.

    Args:
        design: The design.
        random: Which groups of answers stand for others like them: participants, items, or both.
    """

    def __init__(self, design: CrossedDesign, random: tuple[int, ...]) -> None:
        self.design = design
        self.first, self.second = np.nonzero(np.triu(design.connected, 1))
        self._used = (*random, ANSWER) if len(random) > 1 else random
        self._units = [_Units(design.groups[kind], design.weights, self.first, self.second) for kind in random]

    def of(self, values: FloatArray) -> MeanVariance:
        """The variances that these values show."""
        scores = self.design.scores(values)
        squares = np.array([self.design.groups[kind].squares(scores) for kind in self._used])
        parts = [unit.seen(scores, sums) for unit, sums in zip(self._units, squares, strict=False)]
        traces, (whole, each) = _traces(squares), self._factors
        spreads = np.array([[part.spread] for part in parts])
        trace, df2 = _bounded(whole, traces[:, None], spreads, np.array([[part.df] for part in parts]))
        spreads, dfs = (np.array([getattr(part, name) for part in parts]) for name in ("spread_pairs", "df_pairs"))
        variances, df_pairs = _bounded(each, self._pairs(squares), spreads, dfs)
        alone = whole.alone[: len(parts), 0] * traces[: len(parts)]
        if trace[0] > (1 + _ROUNDING) * float(
            whole.together[:, 0] @ traces
        ):  # one kind alone is larger: its shape counts
            place = int(np.argmax(alone))
            size, squared = float(traces[place]), parts[place].squared
        else:
            size, squared = float(trace[0]), self._squared(squares, parts)
        share = size**2 / max(squared, size**2 / self.design.rank) if size else 1.0  # without variance there is no test
        df1 = float(np.clip(share, 1.0, self.design.rank))
        return MeanVariance(float(trace[0]), (df1, float(df2[0])), variances, df_pairs)

    def _squared(self, squares: FloatArray, parts: Sequence[_Seen]) -> float:
        """tr(TVTV), less what it is too large by because V is an estimate."""
        factors = self._factors[0]
        plain = float(np.sum(_centred(np.tensordot(factors.together[:, 0], squares, 1)) ** 2))
        alone = factors.alone[:, 0].tolist()
        return plain - math.fsum(factor**2 * part.excess for factor, part in zip(alone, parts, strict=False))

    @cached_property
    def _factors(self) -> tuple[_Factors, _Factors]:
        """Of the trace, and of each pair."""
        expected = self.design.expected[np.ix_(self._used, self._used)]
        wanted = self.design.variances[list(self._used)]
        whole = _Factors(_traces(expected)[..., None], _traces(wanted)[..., None])
        return whole, _Factors(self._pairs(expected), self._pairs(wanted))

    def _pairs(self, matrix: FloatArray) -> FloatArray:
        return _differences(matrix, self.first, self.second)


class _Factors:
    """By what sums of squares are multiplied; shape (kinds of group, questions).

    Args:
        expected: Shape (kinds of group, components, questions): what the sums of squares hold of the components.
        wanted: Shape (components, questions): what the variance holds of them.
    """

    def __init__(self, expected: FloatArray, wanted: FloatArray) -> None:
        share = np.moveaxis(expected / wanted, 2, 0)  # questions, kinds, components
        start = np.array(_START if len(wanted) > 1 else (0.0,))
        missing = 1 - np.einsum("qkc,k->qc", share, start)
        more = np.einsum("qkc,qc->qk", np.linalg.pinv(share.transpose(0, 2, 1), rcond=_SAME), missing)
        self.together = (start + more).T
        held = share[:, :, -1].T
        # Where a kind of unit tells nothing, as one participant alone does, its sums are rounding errors.
        self.alone = np.divide(1.0, held, out=np.zeros_like(held), where=held > _SAME)
        """For the variance of one kind of unit by itself."""


@dataclass(frozen=True)
class _Seen:
    """What the squares of one kind of unit tell, besides their size."""

    spread: float
    """Half the variance of their trace."""
    spread_pairs: FloatArray
    df: float
    """Degrees of freedom of the trace where the squares are all 0."""
    df_pairs: FloatArray
    squared: float
    """The sum of the squared eigenvalues of what they estimate, for normal values."""
    excess: float
    """By how much their own sum of squared eigenvalues is larger than that."""


class _Units:
    """Participants or items, with how many there are in effect."""

    def __init__(self, groups: Groups, weights: FloatArray, first: IntArray, second: IntArray) -> None:
        self._groups, self._first, self._second = groups, first, second
        self._df, self._df_pairs = (1.0, np.ones(len(first))) if groups.system is not None else self._crossed(weights)
        if groups.system is not None:
            sums = groups.sums(weights**2)
            self._df_systems = _in_effect(groups.by_system(sums), groups.by_system(sums**2))

    def _crossed(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """Degrees of freedom of all means, and of each pair.

        The weight of a unit is how much it adds to the variance if nothing but single answers vary.
        """
        sums = [np.zeros((2, size)) for size in (1, len(self._first))]
        order, ends = self._groups.order, self._groups.ends.tolist()
        at_once = max(1, _BLOCK // weights.shape[1] ** 2)
        for first in range(0, self._groups.levels, at_once):
            bounds = pairwise(ends[first : first + at_once + 1])
            own = (weights[order[start:end]] for start, end in bounds)
            products = np.array([each.T @ each for each in own])
            shares = (_traces(products)[:, None], _differences(products, self._first, self._second))
            for place, share in enumerate(shares):
                sums[place] += np.array([share.sum(axis=0), (share**2).sum(axis=0)])
        whole, pairs = (_in_effect(*total) for total in sums)
        return float(whole[0]), pairs

    def seen(self, scores: FloatArray, squares: FloatArray) -> _Seen:
        """What these scores tell, whose squares over the units are given."""
        inner = _centred(squares)
        plain, size = float(np.sum(inner**2)), float(np.trace(inner))
        if self._groups.system is not None:
            return self._of_each_system(scores, plain)
        df = self._df
        weight = max(0.0, 1 - _SHRINK / df)
        unbiased = (plain - size**2 / df) * df**2 / ((df - 1) * (df + 2)) if weight else 0.0
        squared = weight * unbiased + (1 - weight) * plain
        squared = float(np.clip(squared, size**2 / max(len(inner) - 1, 1), size**2))
        pairs = _differences(squares, self._first, self._second) ** 2 / self._df_pairs
        return _Seen(squared / df, pairs, df, self._df_pairs, squared, weight * (size**2 + squared) / df)

    def _of_each_system(self, scores: FloatArray, plain: float) -> _Seen:
        """Each system has units of its own, as in Welch's test."""
        share = 1 - 1 / scores.shape[1]  # how far the mean of a system counts in it less the mean of all
        own = self._groups.by_system(self._groups.sums(scores) ** 2) / share**2
        parts = own**2 / self._df_systems
        spread = float(np.sum(share**2 * parts))
        pairs = parts[self._first] + parts[self._second]
        fewer = np.minimum(self._df_systems[self._first], self._df_systems[self._second])
        return _Seen(spread, pairs, float(self._df_systems.min()), fewer, plain - 2 * spread, 2 * spread)


def _in_effect(total: FloatArray, squared: FloatArray) -> FloatArray:
    """Degrees of freedom of units of unequal weight: (Σw)² / Σw² of them, less 1, but not below 1."""
    return np.asarray(np.maximum(total**2 / np.maximum(squared, np.finfo(float).tiny) - 1, 1.0))


def _bounded(
    factors: _Factors, squares: FloatArray, spreads: FloatArray, dfs: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Variances and degrees of freedom (Satterthwaite 1946), neither below those of one kind of unit alone."""
    count = len(spreads)
    alone = factors.alone[:count] * squares[:count]
    variances = np.maximum(np.sum(factors.together * squares, axis=0), alone.max(axis=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.divide(squares[:count] ** 2, spreads, out=dfs.astype(np.float64), where=spreads > 0)
        df = variances**2 / np.sum(factors.alone[:count] ** 2 * spreads, axis=0)
    # A variance from three or four units is often far too small, and then says that it matters little: not so for them.
    fewest = own.min(axis=0)
    # Exactly so many count as fewer, whichever way a processor rounds.
    return variances, np.where(fewest < _FEW * (1 + _ROUNDING), fewest, np.maximum(df, fewest))


def _differences(matrix: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    """From covariances of systems in the last two axes the variances of differences."""
    own = np.diagonal(matrix, axis1=-2, axis2=-1)
    return np.asarray(own[..., first] + own[..., second] - 2 * matrix[..., first, second])


def _traces(matrix: FloatArray) -> FloatArray:
    """The traces of matrices whose systems have their mean taken out."""
    whole = matrix.sum(axis=(-2, -1)) / matrix.shape[-1]
    return np.asarray(np.trace(matrix, axis1=-2, axis2=-1) - whole)


def _centred(matrix: FloatArray) -> FloatArray:
    """T M T, where T takes the mean of the systems out."""
    rows = matrix - matrix.mean(axis=-1, keepdims=True)
    return np.asarray(rows - rows.mean(axis=-2, keepdims=True))
