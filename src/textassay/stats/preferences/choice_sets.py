"""Choices of one alternative out of a set: the conditional logit model that rankings and best–worst trials unfold into.

Each alternative a has the utility u = design[a] · parameters and is chosen from the set A with probability
e^u / Σ e^u over A (McFadden 1974). Sets that occur again are counted, so that the cost is that of the distinct sets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.stats.newton import Maximum, Point, maximise
from textassay.stats.samples import FloatArray, IntArray

BoolArray = npt.NDArray[np.bool_]

_CELLS = 1 << 21
"""Sets × alternatives that are worked on at a time."""


@dataclass(frozen=True)
class ChoiceSets:
    """Counted choices."""

    design: FloatArray
    """Shape (alternatives, parameters)."""
    allowed: BoolArray
    """Shape (distinct sets, alternatives)."""
    counts: FloatArray
    """How often a choice was made from each set."""
    seen: IntArray
    """Shape (n, 2): each set with each alternative that was chosen from it."""
    times: FloatArray
    """How often that choice was made."""

    def evaluate(self, parameters: FloatArray) -> Point:
        """Log-likelihood, gradient and information (observed is expected here) at the parameters."""
        utility = self.design @ parameters
        chosen = np.bincount(self.seen[:, 1], weights=self.times, minlength=len(utility))
        loglik = float(chosen @ utility)
        expected, outer = np.zeros(len(utility)), np.zeros((len(parameters), len(parameters)))
        step = max(_CELLS // max(len(utility), 1), 1)
        for start in range(0, len(self.counts), step):
            part = slice(start, start + step)
            shown = np.where(self.allowed[part], utility, -np.inf)
            highest = shown.max(axis=1, keepdims=True)
            p = np.exp(shown - highest)
            totals = p.sum(axis=1, keepdims=True)
            p /= totals
            counts = self.counts[part]
            loglik -= float(counts @ (np.log(totals) + highest)[:, 0])
            expected += counts @ p
            means = p @ self.design
            outer += means.T @ (counts[:, None] * means)
        score = self.design.T @ (chosen - expected)
        return Point(loglik, score, self.design.T @ (expected[:, None] * self.design) - outer)

    def fit(self) -> Maximum:
        """The parameters of greatest likelihood."""
        return maximise(self.evaluate, np.zeros(self.design.shape[1]))

    def only(self, parameters: IntArray) -> ChoiceSets:
        """The same choices with all other parameters at 0."""
        return ChoiceSets(self.design[:, parameters], self.allowed, self.counts, self.seen, self.times)

    def forms(self) -> FloatArray:
        """For `separation.runaway`: each choice that was made less each that might have been."""
        gains = [
            self.design[chosen] - self.design[np.flatnonzero(self.allowed[place])]
            for place, chosen in self.seen.tolist()
        ]
        return np.concatenate(gains)


def counted(design: FloatArray, allowed: BoolArray, place: IntArray, chosen: IntArray) -> ChoiceSets:
    """Choices as they come, counted by set and alternative.

    Args:
        design: Shape (alternatives, parameters).
        allowed: Shape (distinct sets, alternatives).
        place: For each choice its set.
        chosen: For each choice its alternative.
    """
    pairs, times = np.unique(place * len(design) + chosen, return_counts=True)
    seen = np.stack(np.divmod(pairs, max(len(design), 1)), axis=1)
    counts = np.bincount(place, minlength=len(allowed)).astype(float)
    return ChoiceSets(design, allowed, counts, seen, times.astype(float))


def distinct_rows(rows: BoolArray) -> tuple[BoolArray, IntArray]:
    """The rows that differ from each other, and for each row which of them it is."""
    n, width = rows.shape
    if width <= 62:
        codes = rows.astype(np.int64) @ (1 << np.arange(width, dtype=np.int64))
        _, first, place = np.unique(codes, return_index=True, return_inverse=True)
    else:
        packed = np.packbits(rows, axis=1)
        _, first, place = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    return rows[first], place.reshape(n)
