"""What stands beside a correlation of a metric with people: how well it is known, and what people themselves reach.

Each is worked out at the same level and over the same texts as the correlation: a figure within items has the
reliability of people's means within items beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from textassay.meta.alignment import ScoreGrid
from textassay.meta.ceilings import Ceiling, MetricAsRater, Over, RatedTexts, metric_as_rater, reliability
from textassay.meta.coefficients import PRODUCT_MOMENT, By, Coefficient
from textassay.meta.two_way_bootstrap import BootstrapInterval, bootstrap_system_level, two_way_bootstrap
from textassay.stats.samples import FloatArray


@dataclass(frozen=True)
class IntervalOptions:
    """How intervals are drawn."""

    draws: int = 1999
    """Resamples of systems and items."""
    confidence: float = 0.95
    seed: int = 0


def interval(
    grid: ScoreGrid, metric: str, *, systems: bool, by: By | None, coefficient: Coefficient, options: IntervalOptions
) -> BootstrapInterval:
    """The interval of an agreement: systems and items drawn again; of texts, or of systems' means.

    A metric's own score of a whole system (a corpus score) is held in each draw of items; people's means are not.
    """
    draws, confidence, seed = options.draws, options.confidence, options.seed
    if not systems:
        scores = grid.scores[metric]
        return two_way_bootstrap(grid.people, scores, coefficient, by, draws=draws, confidence=confidence, seed=seed)
    scores = _system_grid(grid, metric)
    return bootstrap_system_level(grid.people, scores, coefficient, draws=draws, confidence=confidence, seed=seed)


def _system_grid(grid: ScoreGrid, metric: str) -> FloatArray:
    """Scores whose means over items are the metric's scores of systems."""
    means = grid.system_scores[metric]
    scores = np.where(np.isfinite(grid.people), grid.scores[metric], np.nan)
    counts = np.isfinite(scores).sum(axis=0)
    own = np.divide(np.nansum(scores, axis=0), counts, out=np.full(len(means), np.nan), where=counts > 0)
    # scores of whole systems do not follow from those of texts
    same = np.allclose(own, means, rtol=1e-9, atol=0.0, equal_nan=True)
    return scores if same else np.tile(means, (len(grid.items), 1))


def ceiling(grid: ScoreGrid, metric: str, *, systems: bool, by: By | None, coefficient: Coefficient) -> Ceiling:
    """How reliable people's means are at the level of a correlation, over the texts or systems that the metric scores.

    Of coefficients of pairs there is none: the square root of a reliability bounds a correlation.
    """
    over: Over = "systems" if systems else "texts" if by is None else "texts within items"
    if coefficient not in PRODUCT_MOMENT:
        return Ceiling(over, float("nan"), 0, f"there is no ceiling of {coefficient}")
    scored = np.isfinite(grid.system_scores[metric])[None, :] if systems else np.isfinite(grid.scores[metric])
    rated = _rows(grid.rated, np.broadcast_to(scored, grid.people.shape)[grid.rated.item, grid.rated.system])
    if by != "system":
        return reliability(rated, over)
    # the texts of a system against each other: items and systems change places
    found = reliability(replace(rated, item=rated.system, system=rated.item), over)
    return replace(found, reason=found.reason.replace("one item", "one system"))


def leave_one_out(grid: ScoreGrid, metric: str) -> MetricAsRater:
    """The metric's correlation with the mean of all raters but one, beside that rater's own, over all texts."""
    return metric_as_rater(grid.rated, grid.scores[metric][grid.rated.item, grid.rated.system])


def _rows(rated: RatedTexts, kept: np.ndarray) -> RatedTexts:
    return RatedTexts(rated.values[kept], rated.rater[kept], rated.item[kept], rated.system[kept])
