"""Fitting a model of paired comparisons: what Bradley–Terry and Thurstone share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from textassay.errors import UsageError
from textassay.known_names import check_choice
from textassay.results import Record
from textassay.stats.distributions import chi2_upper
from textassay.stats.newton import Maximum
from textassay.stats.preferences.abilities import CENTRED, Abilities, FittedScale, ScaleParameter, scale_parameter
from textassay.stats.preferences.comparisons import LOSS, TIE, WIN, ComparisonCounts
from textassay.stats.preferences.pair_likelihood import Family, PairModel, advantages, free_parameters
from textassay.stats.preferences.separation import not_on_one_scale, without_end
from textassay.stats.samples import FloatArray, check_share


@dataclass(frozen=True, kw_only=True)
class PairedComparison(Abilities):
    """Systems on one scale by comparisons of two at a time."""

    deviance: float
    """Twice the log-likelihood that free probabilities for every pair (in every order, with an order effect) add."""
    deviance_df: int
    deviance_p: float
    """Of the hypothesis that one scale explains all pairs, nan without residual degrees of freedom; rough where pairs
    have few comparisons."""

    def records(self) -> list[Record]:
        """Those of the abilities, then the test of fit."""
        fit = self.record("deviance", self.deviance, df=self.deviance_df, p=self.deviance_p, n=self.n)
        return [*super().records(), fit]


def fit_comparisons(data: ComparisonCounts, kind: PairModelKind, options: PairOptions) -> PairedComparison:
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


@dataclass(frozen=True)
class PairModelKind:
    """A model of preference: what it is without ties, and the ways in which it can have them."""

    plain: Family
    with_ties: Mapping[str, tuple[Family, str]]
    """Setting → family and name of its tie parameter; the first is the default."""


@dataclass(frozen=True)
class PairOptions:
    """Settings of a fit, as the statistic's docstring explains them."""

    ties: str = "auto"
    order_effect: bool = False
    confidence: float = 0.95
    smoothing: float = 0.0


@dataclass(frozen=True)
class PairTask:
    """What is to be fitted."""

    data: ComparisonCounts
    options: PairOptions
    family: Family
    tie_name: str
    """Name of the tie parameter; empty where there is none."""
    ties: str
    """How ties are treated."""
    counts: FloatArray
    """Shape (2 or 3 outcomes, systems, systems), with halves and smoothing."""

    @property
    def n(self) -> int:
        """Comparisons used."""
        return self.data.n - (self.data.ties if self.ties == "drop" else 0)

    @property
    def exact_counts(self) -> bool:
        """Whether the counts are those of comparisons, nothing halved or added."""
        return self.ties != "half" and not self.options.smoothing

    @property
    def judged(self) -> FloatArray:
        """How often two systems were compared, those comparisons counted that were used."""
        won = self.data.won()
        return np.asarray(won + won.T + (0 if self.ties == "drop" else self.data.tied()))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know of the choices made."""
        share = f"{self.data.ties} of {self.data.n} comparisons are ties"
        rough = "standard errors and tests are approximate, and there is no test of fit"
        said = {"drop": f"{share} and were excluded", "half": f"{share}, counted as half a win for each: {rough}"}
        found = [said[self.ties]] if self.ties in said else []
        if self.options.smoothing:
            given = f"{self.options.smoothing:g} win(s) were added to each side of every pair (smoothing)"
            found.append(f"{given}, which draws the abilities together: {rough}")
        return tuple(found)


def pair_task(data: ComparisonCounts, kind: PairModelKind, options: PairOptions) -> PairTask:
    """The task that the options set.

    Raises:
        UsageError: an option is unknown or out of range.
    """
    check_share("confidence", options.confidence)
    if not (math.isfinite(options.smoothing) and options.smoothing >= 0):
        raise UsageError(f"smoothing must be 0 or a positive number of wins, for example 0.5; got {options.smoothing}")
    choices = ("auto", *kind.with_ties, "half", "drop")
    check_choice("ties", options.ties, choices)
    ties = next(iter(kind.with_ties)) if options.ties == "auto" else options.ties
    if not data.ties:
        ties = "none"  # a tie parameter without a tie would be infinite
    family, tie_name = kind.with_ties.get(ties, (kind.plain, ""))
    counts = data.counts if options.order_effect else data.without_order()
    if not family.ties:
        counts = counts[[WIN, LOSS]] + (counts[TIE] / 2 if ties == "half" else 0.0)
    return PairTask(data, options, family, tie_name, ties, _smoothed(counts, options))


def _smoothed(counts: FloatArray, options: PairOptions) -> FloatArray:
    k = counts.shape[1]
    pairs = (1 - np.eye(k)) / 2 if options.order_effect else np.triu(np.ones((k, k)), 1)
    more = counts.copy()
    more[[WIN, LOSS]] += options.smoothing * pairs
    return more


_REMEDY = "leave out what has no finite estimate, collect more comparisons, or add a little of each (smoothing=0.5)"
_RARE = 1e-5
"""An outcome estimated to be rarer than this is looked into before it is believed: it may be one that runs to 0."""


def unidentified(task: PairTask, model: PairModel) -> str:
    """Why there are no estimates, as far as it can be told before fitting; empty where nothing speaks against them."""
    k = len(task.data.systems)
    if k < 2 or not task.n:
        ties = " that is not a tie" if task.data.n else ""
        return f"abilities are undefined: there is no comparison{ties} of two systems"
    if task.ties != "none" and task.data.ties == task.data.n and task.family.ties:
        return f"abilities are undefined: all {task.data.n} comparisons are ties"
    if not task.options.smoothing:
        won = task.counts[WIN] + task.counts[LOSS].T
        above = won > 0
        if task.family.ties:
            above |= (task.counts[TIE] + task.counts[TIE].T) > 0
        reason = not_on_one_scale(above, task.data.systems)
        if reason:
            return f"abilities are undefined: {reason}; {_REMEDY}"
    if task.options.order_effect and _singular(model):
        return (
            "the order effect is not identifiable from the abilities: in every pair the same system comes first, or "
            "the pairs form such a pattern; show pairs in both orders, or set order_effect=False"
        )
    return ""


def without_maximum(model: PairModel, found: Maximum, systems: tuple[str, ...]) -> str:
    """Why the estimates found are none; empty where they are the maximum."""
    k = len(systems)
    parameters = model.full(found.parameters)
    compared = model.counts.sum(axis=0) > 0
    log_p = model.family.outcomes(advantages(parameters)[compared], float(parameters[-1])).log_p
    if found.converged and log_p.min() > np.log(_RARE):
        return ""
    extras = [name for name, at in (("order effect", k), ("tie parameter", k + 1)) if at in model.free]
    reason = without_end(_forms(model), systems, extras)
    if reason:
        remedy = "; set order_effect=False, or " if "order effect" in reason else "; "
        return f"abilities are undefined: {reason}{remedy}{_REMEDY}"
    if found.converged:
        return ""
    return (
        f"the search for the abilities did not converge in {found.steps} steps (gradient {found.gradient:.2g} standard "
        "errors), so none are given; check the counts, or add smoothing"
    )


def _singular(model: PairModel) -> bool:
    information = model.evaluate(model.start()).information
    return bool(np.linalg.matrix_rank(information, hermitian=True) < len(information))


def _forms(model: PairModel) -> FloatArray:
    """What must not fall if the likelihood is to keep growing: one or two forms for each outcome seen in a cell."""
    k = model.counts.shape[1]
    tie = np.zeros(k + 2)
    tie[-1] = 1.0 if model.family.threshold else 2.0
    forms = []
    for outcome, i, j in np.argwhere(model.counts > 0).tolist():
        eta = np.zeros(k + 2)
        eta[[i, j, k]] = 1.0, -1.0, 1.0
        if not model.family.ties:
            forms.append(eta if outcome == WIN else -eta)
        elif outcome == TIE:
            forms += [tie - eta, tie + eta]
        else:
            ahead = eta if outcome == WIN else -eta
            forms += [ahead - tie, ahead]
    return np.array(forms)[:, model.free]
