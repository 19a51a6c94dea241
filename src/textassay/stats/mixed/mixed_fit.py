"""A linear mixed model as arrays: the design, the fit, and what follows from both."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from textassay.errors import DataError
from textassay.stats.mixed.mixed_design import MixedDesign, MixedFormula, ReferenceGrid, reference_grid
from textassay.stats.mixed.random_effects import RandomTerm
from textassay.stats.mixed.reml import Likelihood, MixedProducts, mixed_products, profiled_fit
from textassay.stats.mixed.reml_search import Minimum, least_criterion
from textassay.stats.mixed.satterthwaite import FixedInference, fixed_inference
from textassay.stats.samples import Column, FloatArray

_LARGE = 1e4
_NOTHING_LEFT = 1e-7
"""Share of the sum of squares: with random effects as large as they like, less than this remains."""


@dataclass(frozen=True)
class MixedFit:
    """A model that was fitted."""

    y: FloatArray
    fixed: Mapping[str, Column]
    formula: MixedFormula
    design: MixedDesign
    products: MixedProducts
    minimum: Minimum

    @cached_property
    def inference(self) -> FixedInference:
        """Of the fixed effects."""
        return fixed_inference(self.minimum)

    @cached_property
    def grid(self) -> ReferenceGrid:
        """For marginal means."""
        return reference_grid(self.fixed, self.formula, self.design.matrix)

    @property
    def likelihood(self) -> Likelihood:
        """REML or ML."""
        return self.minimum.fit.likelihood

    @property
    def n_parameters(self) -> int:
        """Fixed effects, variance parameters, and σ."""
        return self.products.p + self.products.effects.n_theta + 1

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

    @cached_property
    def fitted(self) -> FloatArray:
        """One value per observation, random effects included."""
        parts = zip(self.design.effects.terms, self.effects, strict=True)
        random = sum(term.times(effects) for term, effects in parts)
        return np.asarray(self.design.matrix.x @ self.minimum.fit.beta + random)

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

    def by(self, likelihood: Likelihood) -> MixedFit:
        """The same model, fitted by the likelihood that is asked for."""
        if likelihood == self.likelihood:
            return self
        minimum = least_criterion(self.products, likelihood)
        return MixedFit(self.y, self.fixed, self.formula, self.design, self.products, minimum)

    def notation(self) -> str:
        """The model in lme4's notation, without the response."""
        fixed = [term.name for term in self.design.matrix.terms] or ["1"]
        return " + ".join([*fixed, *(_random_notation(term, self.formula) for term in self.design.effects.terms)])


def mixed_fit(
    y: FloatArray, fixed: Mapping[str, Column], design: MixedDesign, formula: MixedFormula, likelihood: Likelihood
) -> MixedFit:
    """Fit the model.

    Raises:
        DataError: parts of the model are not identifiable from the values; the message says which.
    """
    _refuse_too_few(y, design)
    products = mixed_products(y, design.matrix.x, design.effects)
    _refuse_exact(y, products)
    return MixedFit(y, fixed, formula, design, products, least_criterion(products, likelihood))


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
