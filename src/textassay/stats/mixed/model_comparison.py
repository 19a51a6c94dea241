"""Nested models compared by their likelihoods."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np

from textassay.errors import DataError, UsageError
from textassay.results import Record
from textassay.stats.distributions import chi2_upper
from textassay.stats.mixed.mixed_fit import MixedFit, ModelFit
from textassay.stats.statistic import Statistic


class FittedModel(Protocol):
    """A result that knows its fit, such as `MixedModel`."""

    @property
    def fit(self) -> ModelFit:
        """The model that was fitted."""

    @property
    def of(self) -> str:
        """What was measured."""


@dataclass(frozen=True)
class ComparedModel:
    """One model, and what it gains over the one before it."""

    model: str
    parameters: int
    log_likelihood: float
    aic: float
    bic: float
    chi2: float
    """Twice the gain in log-likelihood; nan for the first model."""
    df: int
    """Parameters that it adds."""
    p: float


@dataclass(frozen=True, kw_only=True)
class ModelComparison(Statistic):
    """Models in the order of their number of parameters, each tested against the one before it.

    `chi2`, `df` and `p` are those of the last.
    """

    models: tuple[ComparedModel, ...]
    n: int

    @property
    def chi2(self) -> float:
        """Of the last model against the one before it."""
        return self.models[-1].chi2

    @property
    def df(self) -> int:
        """Parameters that the last model adds."""
        return self.models[-1].df

    @property
    def p(self) -> float:
        """P of a χ² at least as large if the smaller model is true."""
        return self.models[-1].p

    def records(self) -> list[Record]:
        """One record per model after the first: the likelihood-ratio test; and the AIC of each."""
        tests = [
            self.record("chi2", new.chi2, by=new.model, df=new.df, p=new.p, n=self.n, against=old.model)
            for old, new in pairwise(self.models)
        ]
        fits = [
            self.record("AIC", m.aic, by=m.model, n=self.n, bic=m.bic, log_likelihood=m.log_likelihood)
            for m in self.models
        ]
        return tests + fits


def likelihood_ratio_test(smaller: FittedModel, larger: FittedModel) -> ModelComparison:
    """χ² = 2 (log-likelihood of the larger model - that of the smaller), on the number of added parameters.

    Both are refitted by maximum likelihood if they were fitted by REML (Wilks 1938).

    R: `anova(smaller, larger)`.

    Raises:
        DataError: the models have different values, or the same number of parameters.
    """
    few, many = smaller.fit.n_parameters, larger.fit.n_parameters
    if few >= many:
        raise DataError(f"the larger model must have more parameters: it has {many}, the smaller {few}")
    return compare_models(smaller, larger)


def compare_models(*models: FittedModel) -> ModelComparison:
    """Several models of the same values, each against the next smaller one; see `likelihood_ratio_test`.

    R: `anova(model1, model2, …)`.

    Raises:
        UsageError: fewer than two models.
        DataError: the models have different values.
    """
    if len(models) < 2:
        raise UsageError(f"a comparison needs at least two models, got {len(models)}")
    first = models[0]
    n = first.fit.n
    if any(not np.array_equal(model.fit.y, first.fit.y) for model in models):
        raise DataError("models can be compared only if they were fitted to the same values in the same order")
    fits = [model.fit.by("ML") for model in sorted(models, key=lambda model: model.fit.n_parameters)]
    rows = [_row(fits[0], None), *(_row(new, old) for old, new in pairwise(fits))]
    return ModelComparison(
        method="likelihood-ratio test",
        settings={"likelihood": "ML", "models": len(models), "n": n},
        warnings=_warnings(models, fits),
        of=first.of,
        models=tuple(rows),
        n=n,
    )


def _row(fit: MixedFit, before: MixedFit | None) -> ComparedModel:
    criterion, parameters = fit.criterion, fit.n_parameters
    chi2, df, p = math.nan, 0, math.nan
    if before is not None:
        df = parameters - before.n_parameters
        chi2 = max(before.criterion - criterion, 0.0)
        p = chi2_upper(chi2, df) if df else math.nan
    aic, bic = criterion + 2 * parameters, criterion + math.log(fit.n) * parameters
    return ComparedModel(fit.notation(), parameters, -criterion / 2, aic, bic, chi2, df, p)


def _warnings(models: tuple[FittedModel, ...], fits: list[MixedFit]) -> tuple[str, ...]:
    found = []
    if any(model.fit.likelihood == "REML" for model in models):
        found.append("models fitted by REML were fitted again by ML, which alone can compare fixed parts")
    for old, new in pairwise(fits):
        if old.n_parameters == new.n_parameters or not _nested(old, new):
            found.append(
                f"{old.notation()} is not nested in {new.notation()}: compare AIC instead; p is not interpretable"
            )
        elif old.products.effects.n_theta < new.products.effects.n_theta:
            found.append(
                "a variance of 0 lies on the boundary of the parameter space: p of random effects is too large"
            )
    found += [f"the ML fit of {fit.notation()} did not converge" for fit in fits if not fit.minimum.converged]
    return tuple(dict.fromkeys(found))


def _nested(small: MixedFit, large: MixedFit) -> bool:
    """Whether the larger model can do all that the smaller one can."""
    x, y = small.design.matrix.x, large.design.matrix.x
    left = x - y @ np.linalg.lstsq(y, x, rcond=None)[0]
    if float(np.abs(left).max()) > 1e-7 * float(np.abs(x).max()):
        return False
    groups = {term.group: term for term in large.design.effects.terms}
    for term in small.design.effects.terms:
        other = groups.get(term.group)
        if other is None or not set(term.names) <= set(other.names) or (term.correlated and not other.correlated):
            return False
    return True
