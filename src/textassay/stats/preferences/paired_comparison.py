"""Fitting a model of paired comparisons: what Bradley–Terry and Thurstone share."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from textassay.results import Record
from textassay.stats.distributions import chi2_upper
from textassay.stats.newton import Maximum
from textassay.stats.preferences.abilities import CENTRED, Abilities, ScaleParameter, scale_parameter
from textassay.stats.preferences.comparisons import Comparisons
from textassay.stats.preferences.fitted_scale import FittedScale
from textassay.stats.preferences.pair_identified import unidentified, without_maximum
from textassay.stats.preferences.pair_likelihood import PairModel, free_parameters
from textassay.stats.preferences.pair_task import Kind, Options, PairTask, pair_task
from textassay.stats.samples import FloatArray


@dataclass(frozen=True, kw_only=True)
class PairedComparison(Abilities):
    """Systems on one scale by comparisons of two at a time."""

    deviance: float
    """Twice the log-likelihood that free probabilities for every pair (in every order, with an order effect) add."""
    deviance_df: int
    deviance_p: float
    """Of the hypothesis that one scale explains all pairs, nan where nothing is left to test it by; rough where pairs
    have few comparisons."""

    def records(self) -> list[Record]:
        """Those of the abilities, then the test of fit."""
        fit = self.record("deviance", self.deviance, df=self.deviance_df, p=self.deviance_p, n=self.n)
        return [*super().records(), fit]


def fit_comparisons(data: Comparisons, kind: Kind, options: Options) -> PairedComparison:
    """Abilities, tests and intervals; nan with the reason where the comparisons have no finite estimates.

    Raises:
        UsageError: a setting is unknown or out of range.
    """
    task = pair_task(data, kind, options)
    model = _model(task, abilities=True)
    reason = unidentified(task, model)
    found = None if reason else model.fit()
    if found:
        reason = without_maximum(model, found, data.systems)
    if found is None or reason:
        judged = task.judged
        scale = FittedScale.undefined(data.systems, task.family, judged, judged.sum(axis=1), task.n, options.confidence)
        return _result(task, scale, (math.nan, 0), reason)
    deviance = _deviance(model, found.loglik) if task.exact_counts else (math.nan, 0)
    return _result(task, _scale(task, model, found), deviance)


def _model(task: PairTask, *, abilities: bool) -> PairModel:
    free = free_parameters(
        len(task.data.systems), abilities=abilities, order=task.options.order_effect, ties=task.family.ties
    )
    return PairModel(task.family, task.counts, free)


def _scale(task: PairTask, model: PairModel, found: Maximum) -> FittedScale:
    covariance = np.zeros((model.size, model.size))
    covariance[np.ix_(model.free, model.free)] = found.covariance()
    parameters = model.full(found.parameters)
    judged = task.judged
    return FittedScale(
        systems=task.data.systems,
        family=task.family,
        judged=judged,
        sizes=judged.sum(axis=1),
        n=task.n,
        confidence=task.options.confidence,
        parameters=parameters,
        covariance=covariance,
        extras=_extras(task, parameters, np.diagonal(covariance)),
        found=found,
        equal_loglik=_model(task, abilities=False).fit().loglik,
    )


def _extras(task: PairTask, parameters: FloatArray, variances: FloatArray) -> tuple[ScaleParameter, ...]:
    names = [("order effect", -2)] if task.options.order_effect else []
    names += [(task.tie_name, -1)] if task.family.ties else []
    confidence = task.options.confidence
    return tuple(
        scale_parameter(name, float(parameters[at]), float(variances[at]), confidence, tested=at == -2)
        for name, at in names
    )


def _deviance(model: PairModel, loglik: float) -> tuple[float, int]:
    totals = model.counts.sum(axis=0)
    seen = model.counts > 0
    free = float((model.counts[seen] * np.log((model.counts / np.where(totals, totals, 1))[seen])).sum())
    df = int(np.count_nonzero(totals)) * (len(model.counts) - 1) - model.free.size
    return max(2 * (free - loglik), 0.0), df


def _result(task: PairTask, scale: FittedScale, deviance: tuple[float, int], reason: str = "") -> PairedComparison:
    value, df = deviance
    return PairedComparison(
        method=task.family.name,
        settings={
            "ties": task.ties,
            "order effect": task.options.order_effect,
            "abilities": CENTRED,
            "se": "expected information",
            "confidence": task.options.confidence,
            "smoothing": task.options.smoothing,
            "systems": len(task.data.systems),
            "n": task.n,
        },
        warnings=(*([reason] if reason else []), *task.warnings),
        deviance=value,
        deviance_df=df,
        deviance_p=chi2_upper(value, df) if df > 0 else math.nan,
        **scale.fields(),
    )
