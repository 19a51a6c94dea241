"""Abilities from choices out of sets: what Plackett–Luce and best–worst scaling share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textassay.stats.newton import Maximum
from textassay.stats.preferences.abilities import scale_parameter
from textassay.stats.preferences.choice_sets import ChoiceSets
from textassay.stats.preferences.fitted_scale import FittedScale
from textassay.stats.preferences.pair_families import Family
from textassay.stats.preferences.separation import not_on_one_scale, without_end
from textassay.stats.samples import FloatArray

_FAR = 12.0
"""Log odds above which an estimate is looked into before it is believed."""
_REMEDY = "leave out what has no finite estimate, or collect more judgements"


@dataclass(frozen=True)
class Judged:
    """What was judged, as far as the result tells of it."""

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


def fit_choices(choices: ChoiceSets, data: Judged, family: Family, extras: tuple[str, ...]) -> tuple[FittedScale, str]:
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


def _unidentified(data: Judged) -> str:
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
