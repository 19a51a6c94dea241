"""How far the mean of each system would be another with other participants and other items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textassay.stats.crossed.crossed_design import ANSWER, CrossedDesign
from textassay.stats.samples import FloatArray

_ROUNDING = 1e-12
"""Standard errors below this share of the largest value are rounding errors."""


@dataclass(frozen=True)
class SystemMeans:
    """Adjusted means of the systems."""

    means: FloatArray
    se: FloatArray
    df: FloatArray


def system_means(design: CrossedDesign, values: FloatArray, random: tuple[int, ...]) -> SystemMeans:
    """Adjusted means, whose mean over all answers is that of the values; those of contrasts are places about 0.

    What a participant adds to the mean of a system is the sum of the answers' weights times what is left of them, plus
    the participant's share in the mean of all; its square, summed over participants, estimates the variance that
    participants bring (Cameron, Gelbach & Miller 2011). The same goes for items, and what both hold counts once.

    Args:
        design: The design.
        values: One per answer.
        random: Which groups of answers stand for others.
    """
    means, scores = np.asarray(design.weights.T @ (values - values.mean())), design.scores(values)
    if design.contrasts:
        means = np.asarray(design.weights.T @ values)
    else:
        share = design.rows.mean(axis=0)  # of each system in all answers
        means = means - share @ means + values.mean()
        scores = scores - (scores @ share)[:, None]
        scores = scores + ((values - means[design.rows.argmax(axis=1)]) / len(values))[:, None]
    parts, dfs = [], []
    for kind in random:
        groups = design.groups[kind]
        squares = groups.sums(scores) ** 2
        nested = groups.system is not None
        count = groups.by_system(np.ones_like(squares)) if nested else np.full(len(means), float(groups.levels))
        less = np.maximum(count - 1, 1.0)
        parts.append(squares.sum(axis=0) * count / less)
        dfs.append(less)
    alone, df = np.array(parts), np.array(dfs)
    alone[alone < (_ROUNDING * np.abs(values).max(initial=0.0)) ** 2] = 0.0
    both = alone.sum(axis=0)
    if len(random) > 1:
        both = both - np.sum(design.groups[ANSWER].sums(scores) ** 2, axis=0)
    variance = np.where(alone.any(axis=0), np.maximum(both, alone.max(axis=0)), 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        shared = variance**2 / np.sum(alone**2 / df, axis=0)
    return SystemMeans(means, np.sqrt(variance), np.fmax(shared, df.min(axis=0)))
