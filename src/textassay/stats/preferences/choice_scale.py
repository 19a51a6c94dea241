"""Abilities from choices out of sets: what Plackett–Luce and best–worst scaling share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.stats.newton import LikelihoodPoint, Maximum, maximise
from textassay.stats.preferences.abilities import FittedScale, scale_parameter
from textassay.stats.preferences.pair_likelihood import Family
from textassay.stats.preferences.separation import not_on_one_scale, without_end
from textassay.stats.samples import FloatArray, IntArray

_FAR = 12.0
"""Log odds above which an estimate is looked into before it is believed."""
_REMEDY = "leave out what has no finite estimate, or collect more judgements"


@dataclass(frozen=True)
class JudgementCounts:
    """Counts of what was judged, as the result reports them."""

    systems: tuple[str, ...]
    above: FloatArray
    """Shape (systems, systems): how often the row's system was placed above the column's."""
    tied: FloatArray
    """The same for ties; symmetric."""
    sizes: FloatArray
    """Judgements that each system took part in."""
    n: int
    confidence: float

    @property
    def meetings(self) -> FloatArray:
        """How often two systems were judged against each other."""
        return np.asarray(self.above + self.above.T + self.tied)


def fit_choices(
    choices: ChoiceSets, data: JudgementCounts, family: Family, extras: tuple[str, ...]
) -> tuple[FittedScale, str]:
    """The scale, and the reason where it has no finite estimates.

    Args:
        choices: Their parameters are the abilities of all but the first system, then the extras.
        data: What was judged.
        family: How a comparison of two systems would end; its τ, where it has ties, is the first extra.
        extras: Names of the further parameters.
    """
    reason = _unidentified(data)
    found = None if reason else choices.fit()
    if found:
        reason = _without_maximum(choices, found, data.systems, extras)
    meetings = data.meetings
    if found is None or reason:
        return FittedScale.undefined(data.systems, family, meetings, data.sizes, data.n, data.confidence), reason
    k = len(data.systems)
    estimates, spread = found.parameters, found.covariance()
    # Of the k + 2 places of a scale: the first system's ability and the order effect are not estimated.
    free = np.array([*range(1, k), *([k + 1] if family.ties else [])], dtype=np.intp)
    parameters, covariance = np.zeros(k + 2), np.zeros((k + 2, k + 2))
    parameters[free] = estimates[: free.size]
    covariance[np.ix_(free, free)] = spread[: free.size, : free.size]
    named = zip(extras, estimates[k - 1 :].tolist(), np.diagonal(spread)[k - 1 :].tolist(), strict=True)
    scale = FittedScale(
        data.systems,
        family,
        meetings,
        data.sizes,
        data.n,
        data.confidence,
        parameters,
        covariance,
        extras=tuple(
            scale_parameter(name, value, variance, data.confidence, tested=False) for name, value, variance in named
        ),
        found=found,
        equal_loglik=choices.only(np.arange(k - 1, estimates.size)).fit().loglik,
    )
    return scale, ""


def _unidentified(data: JudgementCounts) -> str:
    if len(data.systems) < 2 or not data.meetings.any():
        return "abilities are undefined: no two systems were judged against each other"
    if not data.above.any():
        return "abilities are undefined: all systems are tied everywhere"
    reason = not_on_one_scale((data.above + data.tied) > 0, data.systems)
    return f"abilities are undefined: {reason}; {_REMEDY}" if reason else ""


def _without_maximum(choices: ChoiceSets, found: Maximum, systems: tuple[str, ...], extras: tuple[str, ...]) -> str:
    if found.converged and np.abs(found.parameters).max() <= _FAR:
        return ""
    reason = without_end(choices.forms(), systems, extras)
    if reason:
        return f"abilities are undefined: {reason}; {_REMEDY}"
    if found.converged:
        return ""
    return (
        f"the search for the abilities did not converge in {found.steps} steps (gradient {found.gradient:.2g} standard "
        "errors), so none are given; check the data"
    )


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

    def evaluate(self, parameters: FloatArray) -> LikelihoodPoint:
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
        return LikelihoodPoint(loglik, score, self.design.T @ (expected[:, None] * self.design) - outer)

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
