"""Weights of agreement: how much two categories that differ still agree, from 0 to 1."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from textassay.errors import UsageError
from textassay.stats.agreement.categories import Categories
from textassay.stats.samples import FloatArray, IntArray

WeightKind = Literal["identity", "linear", "quadratic", "ordinal"]
"""Only equal categories agree; 1 - d/D; 1 - (d/D)²; 1 - d(d+1)/(D(D+1)) with d counted in places."""

_BLOCK = 1 << 20
"""Cells of the table of weights that are in memory at once."""


@dataclass(frozen=True)
class AgreementWeights:
    """The weights of all pairs of categories, made as they are needed."""

    kind: WeightKind
    scores: FloatArray
    """Where each category stands; places for `ordinal`."""

    @property
    def size(self) -> int:
        """Number of categories."""
        return self.scores.size

    def between(self, first: IntArray, second: IntArray) -> FloatArray:
        """The weights of pairs of categories, given by number."""
        if self.kind == "identity":
            return np.asarray(first == second, dtype=float)
        far = np.abs(self.scores[first] - self.scores[second])
        span = float(np.ptp(self.scores))
        if self.kind == "linear":
            return np.asarray(1 - far / span)
        if self.kind == "quadratic":
            return np.asarray(1 - (far / span) ** 2)
        return np.asarray(1 - far * (far + 1) / (span * (span + 1)))

    def times(self, vector: FloatArray, *, power: int = 1) -> FloatArray:
        """The table of weights (each to a power) times a vector; never more than a block of rows in memory."""
        if self.kind == "identity":
            return vector
        columns = np.arange(self.size)[None, :]
        parts = [self.between(rows[:, None], columns) ** power @ vector for rows in self._blocks()]
        return np.concatenate(parts)

    def total(self) -> float:
        """The sum of all weights."""
        return float(self.times(np.ones(self.size)).sum())

    def _blocks(self) -> Iterator[IntArray]:
        step = max(1, _BLOCK // self.size)
        for start in range(0, self.size, step):
            yield np.arange(start, min(start + step, self.size))


def agreement_weights(kind: WeightKind, categories: Categories) -> AgreementWeights:
    """The weights of that kind for these categories.

    Raises:
        UsageError: an unknown kind, or categories whose order is not known.

    >>> weights = agreement_weights("linear", Categories((1, 2, 5), given=False))
    >>> weights.between(np.array([0, 0, 1]), np.array([0, 1, 2])).tolist()  # by value: 2 to 5 is three quarters
    [1.0, 0.75, 0.25]
    """
    if kind not in get_args(WeightKind):
        raise UsageError(f"weights must be one of {', '.join(get_args(WeightKind))}; got {kind!r}")
    if kind == "identity" or len(categories.labels) < 2:
        return AgreementWeights("identity", np.arange(len(categories.labels), dtype=float))
    scores = categories.scores(f"weights={kind!r}")
    if kind == "ordinal":
        scores = np.argsort(np.argsort(scores)).astype(float)
    return AgreementWeights(kind, scores)
