"""The cut points of an ordinal scale: free, or bound to a pattern, as linear functions of few parameters."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

import numpy as np

from textassay.errors import DataError
from textassay.stats.samples import FloatArray
from textassay.stats.tails import check_choice

ThresholdPattern = Literal["flexible", "symmetric", "symmetric2", "equidistant"]
"""As in R's `ordinal`: all free; mirrored about a free centre; mirrored about 0; equally far from each other."""


@dataclass(frozen=True)
class Thresholds:
    """θ = J α: thresholds between neighbouring categories from free parameters α."""

    pattern: ThresholdPattern
    names: tuple[str, ...]
    """Of the free parameters: those of the thresholds, or `central.1`, `spacing.1` …"""
    labels: tuple[str, ...]
    """Of the thresholds: `1|2` lies between the categories 1 and 2."""
    jacobian: FloatArray
    """Shape (thresholds, parameters)."""

    def carried(self, alpha: FloatArray, covariance: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The thresholds and their covariance; one is finite where all parameters that it is made from are."""
        used = self.jacobian != 0
        values = [row[on] @ alpha[on] for row, on in zip(self.jacobian, used, strict=True)]
        known = np.where(np.isfinite(covariance), covariance, 0.0)
        spread = self.jacobian @ known @ self.jacobian.T
        lost = used @ ~np.isfinite(np.diagonal(covariance))
        spread[lost] = np.nan
        spread[:, lost] = np.nan
        return np.array(values, dtype=float), np.asarray(spread)

    def start(self, cuts: FloatArray) -> FloatArray:
        """Parameters whose thresholds are increasing and near the given ones."""
        if not self.names:  # one threshold, which lies at 0
            return np.zeros(0)
        alpha = np.asarray(np.linalg.lstsq(self.jacobian, cuts, rcond=None)[0])
        if np.all(np.diff(self.jacobian @ alpha) > 1e-3):
            return alpha
        evenly = np.arange(len(cuts)) - (len(cuts) - 1) / 2
        return np.asarray(np.linalg.lstsq(self.jacobian, evenly, rcond=None)[0])


def thresholds(pattern: ThresholdPattern, categories: tuple[str, ...]) -> Thresholds:
    """The thresholds between categories, in their order.

    >>> thresholds("symmetric2", ("-1", "0", "1")).jacobian.ravel().tolist()
    [-1.0, 1.0]

    Raises:
        DataError: equidistant thresholds with fewer than three categories.
        UsageError: an unknown pattern.
    """
    check_choice("thresholds", pattern, get_args(ThresholdPattern))
    labels = tuple(f"{low}|{high}" for low, high in pairwise(categories))
    if pattern == "flexible":
        return Thresholds(pattern, labels, labels, np.eye(len(labels)))
    if pattern == "equidistant":
        if len(labels) < 2:
            raise DataError(f"equidistant thresholds need at least 3 categories, got {len(categories)}; use flexible")
        steps = np.arange(len(labels), dtype=float)
        return Thresholds(pattern, ("threshold.1", "spacing"), labels, np.column_stack([np.ones(len(labels)), steps]))
    central, spacing = _central(len(labels)), _spacing(len(labels))
    if pattern == "symmetric":
        # With two central thresholds each spacing is counted from the nearer of them.
        jacobian = np.column_stack([central, spacing[:, central.shape[1] - 1 :]])
        names = ("central",) if central.shape[1] == 1 else ("central.1", "central.2")
        more = jacobian.shape[1] - len(names)
        return Thresholds(pattern, names + _numbered("spacing", more), labels, jacobian)
    return Thresholds(pattern, _numbered("spacing", spacing.shape[1]), labels, spacing)


def contains(larger: ThresholdPattern, smaller: ThresholdPattern) -> bool:
    """Whether all thresholds of the smaller pattern are also of the larger one.

    >>> contains("flexible", "equidistant"), contains("symmetric2", "symmetric")
    (True, False)
    """
    parts = {"flexible": ("symmetric", "symmetric2", "equidistant"), "symmetric": ("symmetric2", "equidistant")}
    return larger == smaller or smaller in parts.get(larger, ())


def _central(count: int) -> FloatArray:
    """Which thresholds hang on which of the one or two central ones."""
    if count % 2:
        return np.ones((count, 1))
    half = np.arange(count) < count // 2
    return np.column_stack([half, ~half]).astype(float)


def _spacing(count: int) -> FloatArray:
    """Columns of -1 and 1 for thresholds equally far below and above the centre, from the inside to the outside."""
    pairs = count // 2
    matrix = np.zeros((count, pairs))
    for pair in range(pairs):
        matrix[pairs - 1 - pair, pair] = -1.0
        matrix[count - pairs + pair, pair] = 1.0
    return matrix


def _numbered(name: str, count: int) -> tuple[str, ...]:
    return tuple(f"{name}.{number}" for number in range(1, count + 1))
