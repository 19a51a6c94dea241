"""A linear mixed model as arrays: the design, the fit, and what follows from both."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from textassay.errors import DataError
from textassay.stats.mixed.large_reml import LargeFit, large_reml
from textassay.stats.mixed.mixed_design import MixedDesign, MixedFormula, ReferenceGrid, reference_grid
from textassay.stats.mixed.random_effects import RandomEffects, RandomTerm, consecutive
from textassay.stats.mixed.reml import Likelihood, MixedProducts, mixed_products, profiled_fit
from textassay.stats.mixed.reml_search import Minimum, least_criterion
from textassay.stats.mixed.satterthwaite import FixedInference, fixed_inference
from textassay.stats.samples import Column, FloatArray

_LARGE = 1e4
_FEW, _MOST_SECONDS = 1000, 0.7
"""Random effects that can always be factorised, and for how long this may take once; a fit needs about 40."""
_ROUNDING = 1e-6
"""Share of a sum of squares that may be lost without a word."""
_NOTHING_LEFT = 1e-7
"""Share of the sum of squares: with random effects as large as they like, less than this remains."""


@dataclass(frozen=True)
class ModelFit(ABC):
    """A model that was fitted, by whatever method."""

    y: FloatArray
    fixed: Mapping[str, Column]
    formula: MixedFormula
    design: MixedDesign

    @property
    @abstractmethod
    def inference(self) -> FixedInference:
        """Of the fixed effects."""

    @property
    @abstractmethod
    def likelihood(self) -> Likelihood:
        """REML or ML."""

    @property
    @abstractmethod
    def criterion(self) -> float:
        """-2 log-likelihood, restricted if REML; nan where it is not known."""

    @property
    @abstractmethod
    def sigma(self) -> float:
        """The standard deviation of the residuals."""

    @property
    @abstractmethod
    def n_variances(self) -> int:
        """Parameters of the random effects' covariance."""

    @property
    @abstractmethod
    def factors(self) -> list[FloatArray]:
        """For each grouping a factor of the covariance of its effects, in units of σ."""

    @property
    @abstractmethod
    def effects(self) -> list[FloatArray]:
        """For each grouping the predicted effects, shape (levels, width)."""

    @property
    @abstractmethod
    def singular(self) -> bool:
        """Whether a relative standard deviation is 0."""

    @property
    @abstractmethod
    def converged(self) -> bool:
        """Whether the variances are those with the largest likelihood."""

    @property
    @abstractmethod
    def settings(self) -> dict[str, str]:
        """How the model was fitted, where that needs to be said."""

    @property
    @abstractmethod
    def warnings(self) -> tuple[str, ...]:
        """What is to be known of the search and of rounding."""

    @abstractmethod
    def by(self, likelihood: Likelihood) -> MixedFit:
        """The same model with its likelihood, fitted by the one that is asked for.

        Raises:
            DataError: the model is too large.
        """

    @property
    def n(self) -> int:
        """Observations."""
        return len(self.y)

    @property
    def n_parameters(self) -> int:
        """Fixed effects, variance parameters, and σ."""
        return len(self.design.matrix.names) + self.n_variances + 1

    @cached_property
    def grid(self) -> ReferenceGrid:
        """For marginal means."""
        return reference_grid(self.fixed, self.formula, self.design.matrix)

    @cached_property
    def fitted(self) -> FloatArray:
        """One value per observation, random effects included."""
        parts = zip(self.design.effects.terms, self.effects, strict=True)
        random = sum(term.times(effects) for term, effects in parts)
        return np.asarray(self.design.matrix.x @ self.inference.beta + random)

    def notation(self) -> str:
        """The model in lme4's notation, without the response."""
        fixed = [term.name for term in self.design.matrix.terms] or ["1"]
        return " + ".join([*fixed, *(_random_notation(term, self.formula) for term in self.design.effects.terms)])


@dataclass(frozen=True)
class MixedFit(ModelFit):
    """A model whose likelihood is known."""

    products: MixedProducts
    minimum: Minimum

    @cached_property
    def inference(self) -> FixedInference:
        """Of the fixed effects."""
        return fixed_inference(self.minimum)

    @property
    def likelihood(self) -> Likelihood:
        """REML or ML."""
        return self.minimum.fit.likelihood

    @property
    def criterion(self) -> float:
        """-2 log-likelihood, restricted if REML."""
        return self.minimum.fit.criterion

    @property
    def sigma(self) -> float:
        """The standard deviation of the residuals."""
        return math.sqrt(self.minimum.fit.sigma2)

    @property
    def n_variances(self) -> int:
        """Parameters of the random effects' covariance."""
        return self.products.effects.n_theta

    @cached_property
    def factors(self) -> list[FloatArray]:
        """For each grouping a factor of the covariance of its effects, in units of σ."""
        factors = self.products.effects.factors(self.minimum.fit.theta)
        return [basis @ factor for factor, basis in zip(factors, self.products.bases, strict=True)]

    @cached_property
    def spherical(self) -> FloatArray:
        """The predicted effects u, all of one variance."""
        return self.minimum.fit.spread().u

    @cached_property
    def effects(self) -> list[FloatArray]:
        """For each grouping the predicted effects, shape (levels, width)."""
        u = self.products.effects.split(self.spherical)
        return [part @ factor.T for part, factor in zip(u, self.factors, strict=True)]

    @property
    def rounding(self) -> float:
        """By which share the sum of squares from products differs from that of the residuals themselves."""
        left = self.y - self.fitted
        return abs(float(left @ left + self.spherical @ self.spherical) / self.minimum.fit.r2 - 1)

    @property
    def singular(self) -> bool:
        """Whether a relative standard deviation is 0."""
        effects = self.products.effects
        return bool(np.any(self.minimum.fit.theta[effects.on_diagonal] == 0))

    @property
    def converged(self) -> bool:
        """Whether the variances are those with the largest likelihood."""
        return self.minimum.converged

    @property
    def settings(self) -> dict[str, str]:
        """Nothing: exact figures need no words."""
        return {}

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is to be known of the search and of rounding."""
        found = []
        if not self.converged:
            steepest = float(np.max(np.abs(self.minimum.gradient)))
            found.append(
                f"the search for the variances did not converge (largest slope {steepest:.3g}): do not trust its "
                "figures; rescale covariates, or leave out random slopes"
            )
        if self.rounding > _ROUNDING:
            found.append(
                f"rounding affects about {self.rounding:.1g} of the residual sum of squares: centre values and "
                "covariates, or bring them to similar scales"
            )
        return tuple(found)

    def by(self, likelihood: Likelihood) -> MixedFit:
        """The same model, fitted by the likelihood that is asked for."""
        if likelihood == self.likelihood:
            return self
        minimum = least_criterion(self.products, likelihood)
        return MixedFit(self.y, self.fixed, self.formula, self.design, self.products, minimum)


@dataclass(frozen=True)
class LargeMixedFit(ModelFit):
    """A model with more random effects than can be factorised: all but its likelihood is known."""

    found: LargeFit

    @property
    def inference(self) -> FixedInference:
        """Of the fixed effects."""
        return self.found.inference

    @property
    def likelihood(self) -> Likelihood:
        """REML."""
        return "REML"

    @property
    def criterion(self) -> float:
        """Not known."""
        return math.nan

    @property
    def sigma(self) -> float:
        """The standard deviation of the residuals."""
        return math.sqrt(self.found.variances[0])

    @property
    def n_variances(self) -> int:
        """Variances of random effects."""
        return len(self.found.variances) - 1

    @cached_property
    def factors(self) -> list[FloatArray]:
        """For each grouping a factor of the covariance of its effects, in units of σ."""
        relative = np.sqrt(self.found.variances[1:] / self.found.variances[0])
        places = consecutive([term.width for term in self.design.effects.terms])
        return [np.diag(relative[place]) for place in places]

    @cached_property
    def effects(self) -> list[FloatArray]:
        """For each grouping the predicted effects, shape (levels, width)."""
        return self.design.effects.split(self.found.effects)

    @property
    def singular(self) -> bool:
        """Whether a variance is 0."""
        return bool(np.any(self.found.variances == 0))

    @property
    def converged(self) -> bool:
        """Whether the variances are those with the largest likelihood."""
        return self.found.converged

    @property
    def settings(self) -> dict[str, str]:
        """How the model was fitted."""
        return {"solver": self.found.solver}

    @property
    def warnings(self) -> tuple[str, ...]:
        """That there is no likelihood, and whether the search ended."""
        size = self.design.effects.size
        how = (
            f"the {size} random effects are too many to factorise: REML by conjugate gradients, with simulated traces; "
            "log-likelihood, AIC and BIC are not known"
        )
        missed = "the search for the variances did not converge: do not trust its figures"
        return (how,) if self.converged else (how, missed)

    def by(self, likelihood: Likelihood) -> MixedFit:
        """Refuses: no likelihood is known.

        Raises:
            DataError: always.
        """
        raise DataError(
            f"a model with {self.design.effects.size} random effects is too large for its likelihood ({likelihood}): "
            "models of this size cannot be compared"
        )


def mixed_fit(
    y: FloatArray, fixed: Mapping[str, Column], design: MixedDesign, formula: MixedFormula, likelihood: Likelihood
) -> MixedFit | LargeMixedFit:
    """Fit the model.

    Raises:
        DataError: the model is too large for what is asked of it, or parts of it are not identifiable from the values;
            the message says which.
    """
    _refuse_too_few(y, design)
    try:
        if not factorable(design.effects):
            return _large_fit(y, fixed, design, formula, likelihood)
        products = mixed_products(y, design.matrix.x, design.effects)
        _refuse_exact(y, products)
        return MixedFit(y, fixed, formula, design, products, least_criterion(products, likelihood))
    except MemoryError as error:
        size = design.effects.size
        raise DataError(f"{len(y)} values with {size} random effects need more memory than there is") from error


def factorable(effects: RandomEffects) -> bool:
    """Whether an exact fit takes no more than about a minute, and no more memory than there should be."""
    return effects.size <= _FEW or (effects.elimination.fits and effects.elimination.cost <= _MOST_SECONDS)


def _large_fit(
    y: FloatArray, fixed: Mapping[str, Column], design: MixedDesign, formula: MixedFormula, likelihood: Likelihood
) -> LargeMixedFit:
    effects = design.effects
    correlated = [term.group for term in effects.terms if term.width > 1 and term.correlated]
    if likelihood != "REML" or correlated:
        why = f"correlated effects of {correlated[0]}" if correlated else "maximum likelihood"
        raise DataError(
            f"the {effects.size} random effects are too many for a model with {why}; a model of this size is fitted by "
            "REML, with correlated=False"
        )
    widths = np.cumsum([0, *(term.width for term in effects.terms)])
    owners = [
        start + np.tile(np.arange(t.width), len(t.levels)) for start, t in zip(widths, effects.terms, strict=False)
    ]
    found = large_reml(y, design.matrix.x, effects, np.concatenate(owners))
    return LargeMixedFit(y, fixed, formula, design, found)


def _refuse_too_few(y: FloatArray, design: MixedDesign) -> None:
    n, p = design.matrix.x.shape
    if n <= p:
        raise DataError(f"{n} values cannot carry {p} fixed effects and a residual; leave terms out")
    for term in design.effects.terms:
        if term.size >= n:
            raise DataError(
                f"the grouping {term.group} has {len(term.levels)} levels with {term.width} effect(s) each, as many as "
                f"there are values ({n}): its spread is not identifiable from the residuals; leave out its slopes or"
                " the grouping"
            )
    if np.all(y == y[0]):
        raise DataError(f"all values are equal ({y[0]:g}): there is no spread to be explained")


def _refuse_exact(y: FloatArray, products: MixedProducts) -> None:
    centred = y - y.mean()
    if math.sqrt(products.ee) <= 1e-10 * float(np.linalg.norm(centred)):
        raise DataError("the fixed part explains the values exactly: no variance is left for the random effects")
    free = profiled_fit(products, _LARGE * products.effects.start(), "ML")
    if free.r2 < _NOTHING_LEFT * products.ee:
        raise DataError(
            "the random effects explain the values all but exactly: there is no residual spread to measure them by; "
            "values that repeat each other within the levels of a grouping should be one row"
        )


def _random_notation(term: RandomTerm, formula: MixedFormula) -> str:
    names = list((formula.slopes or {}).get(term.group, ()))
    bar = "|" if term.correlated or not names else "||"
    return f"({' + '.join(['1', *names])} {bar} {term.group})"
