"""The sum of squared relative differences of all pairs of values, without going through all pairs.

((a-b)/(a+b))² is tanh²((ln a - ln b)/2): a smooth function of the difference of logarithms. On a stretch of length
1/4 of the logarithms it is a polynomial of degree 9 to the last bit, so the values of a stretch may be replaced by 10
nodes (Chebyshev points) that carry their counts. V values cost 10 V steps; the nodes are few.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from textassay.stats.agreement.unit_counts import sums_by
from textassay.stats.samples import FloatArray, IntArray

_DIRECT = 1024
"""Up to so many values all pairs are gone through."""
_STRETCH = 0.25
_NODES = 10
"""The singularity of tanh² lies π off the axis, 8π half stretches; n nodes err by (8π + √(64π² + 1))⁻ⁿ: 1e-17."""
_BLOCK = 1 << 20
"""Pairs of nodes that are in memory at once."""


@dataclass(frozen=True)
class RatioSpread:
    """Values from 0 up, ready to be summed over with any counts."""

    zero: bool
    """Whether the first value is 0, which differs from every other one by the whole."""
    nodes: FloatArray
    """Logarithms: of the values, or of the nodes that stand for them."""
    stretch: IntArray | None
    """The stretch of each value; None where the values are the nodes."""
    basis: FloatArray | None
    """For each value the shares of its count that the nodes of its stretch carry; some are negative."""

    def sum(self, counts: FloatArray) -> float:
        """Σ N_a N_b ((a-b)/(a+b))² over all ordered pairs of values, each value with its count N."""
        positive = counts[1:] if self.zero else counts
        against_zero = 2 * float(counts[0]) * float(positive.sum()) if self.zero else 0.0
        masses = self._masses(positive)
        blocks = self._blocks() if self._kernel is None else [(slice(None), self._kernel)]
        return against_zero + sum(float(masses[rows] @ (kernel @ masses)) for rows, kernel in blocks)

    @cached_property
    def _kernel(self) -> FloatArray | None:
        """tanh² of all pairs of nodes where they are few, because a bootstrap asks for them again and again."""
        return next(self._blocks())[1] if 0 < self.nodes.size <= _DIRECT else None

    def _masses(self, counts: FloatArray) -> FloatArray:
        if self.basis is None or self.stretch is None:
            return counts
        stretches = self.nodes.size // _NODES
        masses = [sums_by(self.stretch, counts * self.basis[node], stretches) for node in range(_NODES)]
        return np.asarray(np.stack(masses, axis=1).ravel())

    def _blocks(self) -> Iterator[tuple[slice, FloatArray]]:
        step = max(1, _BLOCK // max(1, self.nodes.size))
        for start in range(0, self.nodes.size, step):
            rows = slice(start, start + step)
            yield rows, np.tanh((self.nodes[rows, None] - self.nodes) / 2) ** 2


def ratio_spread(values: FloatArray, *, direct: int = _DIRECT) -> RatioSpread:
    """Values that are different, sorted and not negative, made ready.

    >>> ratio_spread(np.array([0.0, 1.0, 3.0])).sum(np.array([1.0, 1.0, 1.0]))  # 2 · (1 + 1 + (2/4)²)
    4.5
    """
    zero = bool(values.size and values[0] == 0)
    positive = values[1:] if zero else values
    if not positive.size:
        return RatioSpread(zero, positive, None, None)
    logs = np.log(positive)
    if logs[-1] - logs[0] < 1:  # relative to the least, values close to each other keep their digits
        logs = np.log1p((positive - positive[0]) / positive[0])
    low, high = float(logs[0]), float(logs[-1])
    count = max(1, math.ceil((high - low) / _STRETCH))
    width = (high - low) / count
    if positive.size <= direct or width == 0:
        return RatioSpread(zero, logs, None, None)
    stretch = np.minimum(((logs - low) / width).astype(np.intp), count - 1)
    used, stretch = np.unique(stretch, return_inverse=True)
    if used.size * _NODES >= positive.size:
        return RatioSpread(zero, logs, None, None)
    angles = (2 * np.arange(_NODES) + 1) * math.pi / (2 * _NODES)
    points = np.cos(angles)
    starts = low + used * width
    nodes = (starts[:, None] + width * (points + 1) / 2).ravel()
    basis = _lagrange(2 * (logs - starts[stretch]) / width - 1, points, angles)
    return RatioSpread(zero, nodes, stretch.astype(np.intp), basis)


def _lagrange(x: FloatArray, points: FloatArray, angles: FloatArray) -> FloatArray:
    """The Lagrange polynomials of the Chebyshev points at x, by the barycentric formula; shape (points, x)."""
    basis = x - points[:, None]
    hit = basis == 0
    basis[hit] = 1.0
    np.divide((np.sin(angles) * (-1.0) ** np.arange(points.size))[:, None], basis, out=basis)
    basis /= basis.sum(axis=0)
    on_point = hit.any(axis=0)
    basis[:, on_point] = hit[:, on_point]
    return basis
