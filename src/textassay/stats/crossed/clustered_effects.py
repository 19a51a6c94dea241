"""Effects of covariates beside systems, participants and items, with standard errors clustered by participant.

By least squares with participants and items as fixed; the covariances are those of Liang & Zeger (1986) with
participants as clusters and the usual factor for small samples (`sandwich::vcovCL(type = "HC1")` in R). A test of q
coefficients takes the Wald statistic W of G clusters as Hotelling's T²: F = (G - q) / (q (G - 1)) · W with q and G - q
degrees of freedom; of one coefficient that is Student's t with G - 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from textassay.stats.crossed.crossed_design import PARTICIPANT, CrossedDesign
from textassay.stats.distributions import f_upper
from textassay.stats.samples import FloatArray

_NOTHING = 1e-9


@dataclass(frozen=True, eq=False)
class ClusteredEffect:
    """Some coefficients that belong together, and whether they differ from 0."""

    estimates: FloatArray
    se: FloatArray
    f: float
    df: tuple[float, float]
    p: float


def clustered_effects(design: CrossedDesign, values: FloatArray, *terms: FloatArray) -> list[ClusteredEffect | None]:
    """The effects of all terms at once; nothing for a term that the design does not tell from the rest.

    Args:
        design: Systems, participants and items, without the terms.
        values: One number per answer.
        terms: Each of shape (answers, columns).
    """
    sizes = [term.shape[1] for term in terms]
    given = np.column_stack(terms)
    left = design.left(given)
    known = _told_apart(given, left)
    whole = [bool(part.all()) for part in np.split(known, np.cumsum(sizes)[:-1])]
    used = np.repeat(whole, sizes)
    if not used.any():
        return [None for _ in terms]
    columns = left[:, used]
    inverse = np.linalg.inv(columns.T @ columns)
    estimates = inverse @ (columns.T @ values)
    rest = design.left(values[:, None]) - columns @ estimates[:, None]
    groups = design.groups[PARTICIPANT]
    scores = groups.sums(columns * rest)
    df = design.df_left - columns.shape[1]
    if groups.levels < 2 or df < 1:
        return [None for _ in terms]
    factor = groups.levels / (groups.levels - 1) * (len(values) - 1) / df
    covariances = factor * inverse @ (scores.T @ scores) @ inverse
    found: list[ClusteredEffect | None] = []
    place = 0
    for size, is_known in zip(sizes, whole, strict=True):
        own = slice(place, place + size)
        found.append(_tested(estimates[own], covariances[own, own], groups.levels) if is_known else None)
        place += size if is_known else 0
    return found


def _told_apart(given: FloatArray, left: FloatArray) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """For each column whether systems, participants, items and the columns before it leave something of it."""
    squares = left.T @ left
    least = _NOTHING * np.maximum(np.sum(given**2, axis=0), _NOTHING)
    known = np.zeros(len(squares), dtype=bool)
    for place in range(len(squares)):
        known[place] = squares[place, place] > least[place]
        if known[place]:  # what is left of the later columns once this one is taken out of them
            own = squares[place].copy()
            squares = squares - np.outer(own, own) / own[place]
    return known


def _tested(estimates: FloatArray, covariances: FloatArray, clusters: int) -> ClusteredEffect:
    size = len(estimates)
    rest = clusters - size
    se = np.sqrt(np.maximum(np.diag(covariances), 0.0))  # rounding may leave less than nothing
    sound = rest >= 1 and bool(np.all(se > 0)) and np.linalg.cond(covariances / np.outer(se, se)) < 1 / _NOTHING
    if not sound:
        return ClusteredEffect(estimates, se, math.nan, (float(size), math.nan), math.nan)
    wald = float(estimates @ np.linalg.solve(covariances, estimates))
    f = rest / (size * (clusters - 1)) * wald
    return ClusteredEffect(estimates, se, f, (float(size), float(rest)), f_upper(f, size, rest))
