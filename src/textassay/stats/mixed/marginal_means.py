"""Estimated marginal means of a factor in a fitted model, and all pairs of them compared."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from textassay.pairwise import PairwiseComparison, PairwiseComparisons
from textassay.results import Record
from textassay.stats.distributions import studentized_range_quantile, studentized_range_upper
from textassay.stats.mixed.mixed_design import ReferenceGrid
from textassay.stats.mixed.satterthwaite import FixedEffect, FixedInference
from textassay.stats.samples import FloatArray, check_share
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class MarginalMeans(Statistic):
    """What a model predicts for each level of a factor, all else equal."""

    means: tuple[FixedEffect, ...]
    """One per level; the intervals are those of each mean alone."""
    pairs: PairwiseComparisons
    """All pairs, adjusted by the studentized range; the intervals are simultaneous."""
    n: int

    def records(self) -> list[Record]:
        """One record per mean, then one per pair."""
        means = [
            self.record("marginal mean", m.estimate, df=m.df, ci=m.ci, n=self.n, level=m.name, se=m.se)
            for m in self.means
        ]
        return means + self.pairs.records(self)


def marginal_means(
    grid: ReferenceGrid,
    inference: FixedInference,
    factor: str,
    *,
    confidence: float = 0.95,
    alpha: float | None = None,
    n: int,
) -> MarginalMeans:
    """Marginal means of a factor and all differences between them (Searle, Speed & Milliken 1980).

    R: `emmeans(model, "factor", lmer.df = "satterthwaite")` and `pairs(…)`.

    Args:
        grid: The predictors of the model.
        inference: Its coefficients.
        factor: Name of a factor, or of several joined by `:`.
        confidence: Of each mean's interval, and of all differences' together.
        alpha: Level at which pairs count as different; 1 - confidence if not given.
        n: Observations, for the records.

    Raises:
        UsageError: no such factor.
    """
    check_share("confidence", confidence)
    levels, rows = grid.means(factor)
    warnings = [
        f"the mean of {level} is undefined: cells of the design are empty"
        for level, row in zip(levels, rows, strict=True)
        if np.isnan(row).any()
    ]
    method, level = "estimated marginal means", math.nan if alpha is None else alpha
    settings = {"factor": factor, "df": "Satterthwaite", "pairs": "Tukey", "confidence": confidence, "n": n}
    return MarginalMeans(
        method=method,
        settings=settings,
        warnings=tuple(warnings),
        by=factor,
        means=tuple(inference.effect(level, row, confidence) for level, row in zip(levels, rows, strict=True)),
        pairs=compare_all_means(
            levels, rows, inference, confidence, n=n, method=method, settings=settings, by=factor, alpha=level
        ),
        n=n,
    )


def compare_all_means(
    levels: tuple[str, ...], rows: FloatArray, inference: FixedInference, confidence: float, *, n: int, **named: Any
) -> PairwiseComparisons:
    """All differences of two levels' means, each a row of `rows` times the coefficients.

    `named` are further fields of the result: method, settings, what was measured.
    """
    k = len(levels)
    places = list(combinations(range(k), 2))
    each = [inference.effect("", rows[first] - rows[second], confidence) for first, second in places]
    critical = _critical([effect.df for effect in each], k, 1 - confidence)
    pairs = tuple(
        PairwiseComparison(
            first=levels[first],
            second=levels[second],
            difference=effect.estimate,
            ci=(effect.estimate - q * effect.se, effect.estimate + q * effect.se),
            p=_tukey_p(effect, k),
            p_raw=effect.p,
            n=n,
            se=effect.se,
            test_value=effect.t,
            df=effect.df,
        )
        for (first, second), effect, q in zip(places, each, critical, strict=True)
    )
    return PairwiseComparisons(
        pairs=pairs,
        adjustment="Tukey",
        family=len(pairs),
        confidence=confidence,
        interval="simultaneous",
        test="t",
        **named,
    )


def _tukey_p(effect: FixedEffect, k: int) -> float:
    if math.isnan(effect.t):
        return math.nan
    return float(studentized_range_upper(math.sqrt(2) * abs(effect.t), k, effect.df))


def _critical(dfs: list[float], k: int, alpha: float) -> list[float]:
    """For each df the critical value of a difference in its standard errors.

    The quantile is searched once; from there a few secant steps in its logarithm lead to that of the next df.
    """
    found = [math.nan] * len(dfs)
    log_q = math.nan
    for place in sorted((place for place, df in enumerate(dfs) if not math.isnan(df)), key=dfs.__getitem__):
        if math.isnan(log_q):
            log_q = math.log(studentized_range_quantile(alpha, k, dfs[place]))
        else:
            log_q = _secant(log_q, alpha, k, dfs[place])
        found[place] = math.exp(log_q) / math.sqrt(2)
    return found


def _secant(log_q: float, alpha: float, k: int, df: float) -> float:
    def excess(at: float) -> float:
        return math.log(float(studentized_range_upper(math.exp(at), k, df)) / alpha)

    before, here = log_q + 1e-4, log_q
    off_before, off = excess(before), excess(here)
    for _ in range(20):
        if abs(off) < 1e-12 or off == off_before:
            break
        before, here = here, here - off * (here - before) / (off - off_before)
        off_before, off = off, excess(here)
    return here
