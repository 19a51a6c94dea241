"""Random intercepts and slopes by any number of crossed or nested groupings: the Z of a mixed model, never written out.

Each row of Z has as many entries as the grouping has random columns, so products need the codes of the levels and
`bincount` only: they cost O(n), whatever the number of levels. θ is laid out as in lme4 (Bates et al. 2015): grouping
after grouping, the lower triangle of its relative covariance factor by columns, or its diagonal if uncorrelated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.stats.mixed.elimination import Elimination, elimination
from textassay.stats.mixed.model_matrix import INTERCEPT, ModelMatrix
from textassay.stats.samples import Column, FloatArray, IntArray, check_columns, coded


@dataclass(frozen=True)
class RandomTerm:
    """The random effects of one grouping."""

    group: str
    levels: tuple[str, ...]
    codes: IntArray
    """For each observation the index of its level."""
    columns: FloatArray
    """Shape (n, width): what the effects of a level are multiplied by; ones for the intercept."""
    names: tuple[str, ...]
    """One per column: `(intercept)`, `system[b]`."""
    correlated: bool
    """Whether the effects of a level may be correlated with each other."""

    @cached_property
    def width(self) -> int:
        """Effects a level."""
        return len(self.names)

    @cached_property
    def size(self) -> int:
        """Effects in all."""
        return len(self.levels) * self.width

    @cached_property
    def entries(self) -> tuple[IntArray, IntArray]:
        """Rows and columns of the entries of θ in the relative covariance factor."""
        if not self.correlated:
            return np.arange(self.width), np.arange(self.width)
        columns, rows = np.triu_indices(self.width)  # by rows of the transpose: the lower triangle by columns
        return rows, columns

    def factor(self, theta: FloatArray) -> FloatArray:
        """The lower-triangular Λ of one level: its effects have the covariance σ² Λ Λᵀ."""
        if self.width == 1:
            return np.array(theta, dtype=float).reshape(1, 1)
        factor = np.zeros((self.width, self.width))
        factor[self.entries] = theta
        return factor

    def times(self, effects: FloatArray) -> FloatArray:
        """Z b for effects of the shape (levels, width): one number per observation."""
        if self.width == 1:
            return np.asarray(self.columns[:, 0] * effects[:, 0][self.codes])
        return np.asarray(np.einsum("nq,nq->n", self.columns, effects[self.codes]))

    def transposed(self, values: FloatArray) -> FloatArray:
        """Zᵀ v: (levels, width) of a vector, (levels, width, k) of a matrix with k columns."""
        if values.ndim == 1 and self.width == 1:
            return self._sums(self.columns[:, 0] * values)[:, None]
        flat = values.reshape(len(values), -1)
        found = np.empty((len(self.levels), self.width, flat.shape[1]))
        for place, column in self._columns():
            for other in range(flat.shape[1]):
                found[:, place, other] = self._sums(column * flat[:, other])
        return found[..., 0] if values.ndim == 1 else found

    def gram(self, weights: FloatArray | None = None) -> FloatArray:
        """The diagonal blocks of Zᵀ W Z, shape (levels, width, width); all others are zero."""
        weighted = self.columns if weights is None else self.columns * weights[:, None]
        return self.transposed(weighted)

    def cross(self, other: RandomTerm, weights: FloatArray | None = None) -> FloatArray:
        """Zᵀ W Z' with another grouping: shape (size, size of the other)."""
        joint = self.codes * len(other.levels) + other.codes
        found = np.empty((len(self.levels), self.width, len(other.levels), other.width))
        for place, column in self._columns():
            weighted = column if weights is None else column * weights
            for place2, column2 in other._columns():
                sums = np.bincount(joint, weighted * column2, len(self.levels) * len(other.levels))
                found[:, place, :, place2] = sums.reshape(len(self.levels), -1)
        return found.reshape(self.size, other.size)

    def _columns(self) -> Iterator[tuple[int, FloatArray]]:
        return enumerate(self.columns.T)

    def _sums(self, values: FloatArray) -> FloatArray:
        return np.asarray(np.bincount(self.codes, values, len(self.levels)), dtype=float)


@dataclass(frozen=True)
class RandomEffects:
    """All random effects of a model, the grouping with most effects first.

    A vector of effects holds term after term, level after level, in a level the effects in the order of `names`.
    """

    terms: tuple[RandomTerm, ...]

    @property
    def size(self) -> int:
        """Effects in all."""
        return sum(term.size for term in self.terms)

    @property
    def n_theta(self) -> int:
        """Parameters of the relative covariance."""
        return sum(len(term.entries[0]) for term in self.terms)

    @property
    def on_diagonal(self) -> npt.NDArray[np.bool_]:
        """For each θ whether it is a relative standard deviation, and so not negative."""
        return np.concatenate([rows == columns for rows, columns in (term.entries for term in self.terms)])

    def start(self) -> FloatArray:
        """Where a search begins: every Λ the identity."""
        return self.on_diagonal.astype(float)

    def lower(self) -> FloatArray:
        """Lower bounds of θ: 0 on a diagonal, none elsewhere."""
        return np.where(self.on_diagonal, 0.0, -np.inf)

    def factors(self, theta: FloatArray) -> list[FloatArray]:
        """One Λ a term, each of one level."""
        return [term.factor(theta[place]) for term, place in zip(self.terms, self._places_of_theta, strict=True)]

    def split(self, effects: FloatArray) -> list[FloatArray]:
        """A vector of effects (or a matrix, effects in rows) as one array of the shape (levels, width, …) a term."""
        return [
            effects[place].reshape(len(term.levels), term.width, *effects.shape[1:])
            for term, place in zip(self.terms, self._places_of_effects, strict=True)
        ]

    def scaled(self, theta: FloatArray, spherical: FloatArray) -> FloatArray:
        """Λ u = b: effects from spherical ones (a vector, or a matrix with effects in rows)."""
        return self._each(self.factors(theta), spherical)

    def scaled_back(self, theta: FloatArray, effects: FloatArray) -> FloatArray:
        """Λᵀ v, for example of Zᵀ r."""
        return self._each([factor.T for factor in self.factors(theta)], effects)

    def times(self, effects: FloatArray) -> FloatArray:
        """Z b: one number per observation."""
        parts = zip(self.terms, self.split(effects), strict=True)
        return np.asarray(sum(term.times(part) for term, part in parts))

    def transposed(self, values: FloatArray) -> FloatArray:
        """Zᵀ v of a vector, or of a matrix with observations in rows."""
        more = values.shape[1:]
        return np.concatenate([term.transposed(values).reshape(term.size, *more) for term in self.terms])

    @cached_property
    def elimination(self) -> Elimination:
        """In which order the effects are eliminated."""
        return elimination(self)

    # Searches ask thousands of times, so the places are found once.
    @cached_property
    def _places_of_theta(self) -> list[slice]:
        return consecutive([len(term.entries[0]) for term in self.terms])

    @cached_property
    def _places_of_effects(self) -> list[slice]:
        return consecutive([term.size for term in self.terms])

    def _each(self, factors: Sequence[FloatArray], effects: FloatArray) -> FloatArray:
        parts = zip(factors, self._places_of_effects, strict=True)
        return np.concatenate([_times_each(factor, effects[place]) for factor, place in parts])


def _times_each(factor: FloatArray, effects: FloatArray) -> FloatArray:
    """Λ times the effects of each level, which follow each other in rows."""
    width = len(factor)
    if width == 1:  # most models have intercepts only, and a search asks thousands of times
        return np.asarray(factor[0, 0] * effects)
    levels = effects.reshape(-1, width, *effects.shape[1:])
    return np.asarray(np.einsum("ij,lj...->li...", factor, levels)).reshape(effects.shape)


def consecutive(lengths: Sequence[int]) -> list[slice]:
    """Slices of these lengths, one after the other."""
    return [slice(end - length, end) for end, length in zip(accumulate(lengths), lengths, strict=True)]


def random_effects(
    matrix: ModelMatrix,
    random: Mapping[str, Column],
    *,
    slopes: Mapping[str, Sequence[str]] | None = None,
    correlated: bool | Collection[str] = True,
) -> RandomEffects:
    """Random intercepts for each grouping, and random slopes for the terms of a matrix.

    Args:
        matrix: Holds the columns of the slopes, and has one row per observation.
        random: Labels by grouping, one per observation. A nested grouping has labels of its own for each outer level
            (see `nested_labels`).
        slopes: For a grouping the names of terms whose effect differs between its levels.
        correlated: Whether intercepts and slopes of a level may be correlated; or the groupings where they may.

    Raises:
        DataError: no grouping, unequal lengths, a missing label, or a grouping with one level.
        UsageError: slopes for a grouping or a term that is not there.
    """
    check_columns("random", random)
    slopes = slopes or {}
    together = random if correlated is True else [] if correlated is False else correlated
    for setting, named in (("slopes", slopes), ("correlated", together)):
        unknown = [group for group in named if group not in random]
        if unknown:
            there = ", ".join(random) or "none"
            raise UsageError(f"{setting} names the grouping {unknown[0]!r}; the groupings are {there}")
    if not random:
        raise DataError("a mixed model needs at least one grouping, for example random={'participant': labels}")
    terms = [
        _term(matrix, group, labels, slopes.get(group, ()), correlated=group in together)
        for group, labels in random.items()
    ]
    return RandomEffects(tuple(sorted(terms, key=lambda term: -term.size)))


def nested_labels(outer: Column, inner: Column) -> list[str]:
    """Labels of a grouping inside another: `1` in class `a` is another level than `1` in class `b`.

    >>> nested_labels(["a", "a", "b"], [1, 2, 1])
    ['a:1', 'a:2', 'b:1']
    """
    return [f"{first}:{second}" for first, second in zip(outer, inner, strict=True)]


def _term(matrix: ModelMatrix, group: str, labels: Column, slopes: Sequence[str], *, correlated: bool) -> RandomTerm:
    n = len(matrix.x)
    if len(labels) != n:
        raise DataError(f"the lengths must be equal: the grouping {group} has {len(labels)}, the response has {n}")
    codes, levels = coded(labels, group)
    if len(levels) < 2:
        raise DataError(
            f"the grouping {group} has one level only ({', '.join(levels)}): its variance cannot be estimated"
        )
    wanted = [column for name in slopes for column in matrix.term(name).columns]
    if len(set(wanted)) < len(wanted):
        raise UsageError(f"the slopes of {group} name a term twice: {', '.join(slopes)}")
    columns = np.column_stack([np.ones(n), matrix.x[:, wanted]])
    names = (INTERCEPT, *(matrix.names[column] for column in wanted))
    return RandomTerm(group, levels, codes, columns, names, correlated)
