"""Linear mixed models."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import numpy.typing as npt

from textassay.known_names import check_choice
from textassay.results import Record
from textassay.stats.mixed.marginal_means import MarginalMeans, marginal_means
from textassay.stats.mixed.mixed_design import MixedFormula, mixed_design
from textassay.stats.mixed.mixed_fit import ModelFit, mixed_fit
from textassay.stats.mixed.model_comparison import ModelComparison, likelihood_ratio_test
from textassay.stats.mixed.model_matrix import Coding, TermContrasts, term_contrasts
from textassay.stats.mixed.reml import Likelihood
from textassay.stats.mixed.satterthwaite import FixedEffect, TermTest
from textassay.stats.samples import Column, FloatArray, check_share, finite_vector
from textassay.stats.statistic import Statistic
from textassay.stats.variance.anova_table import SumsOfSquares


def mixed_model(  # noqa: PLR0913 -- the parts of a model's formula
    values: npt.ArrayLike,
    fixed: Mapping[str, Column],
    random: Mapping[str, Column],
    *,
    terms: Sequence[str] | None = None,
    slopes: Mapping[str, Sequence[str]] | None = None,
    correlated: bool | Collection[str] = True,
    method: Likelihood = "REML",
    sums: SumsOfSquares = "III",
    coding: Coding = "treatment",
    factors: Collection[str] | None = None,
    confidence: float = 0.95,
) -> MixedModel:
    """A linear mixed model with random intercepts and slopes by crossed or nested groupings.

    Purpose: model ratings or times with participants and items as random effects, so that conclusions hold for others
    of both.

    y = Xβ + Zb + ε, where the effects b of each level of a grouping are drawn from N(0, Σ) and ε from N(0, σ²I).
    Σ and σ are those with the largest likelihood of the residuals (REML: Patterson & Thompson 1971) or of the values
    (ML), by penalised least squares (Bates, Mächler, Bolker & Walker 2015). Tests have Satterthwaite's degrees of
    freedom (Kuznetsova, Brockhoff & Christensen 2017).

    Models too large to be factorised are fitted by conjugate gradients (`large_reml`), as `settings` say; likelihoods
    are nan. With `correlated=False` each column has a variance of its own, as in afex with `expand_re`.

    R: `lmerTest::lmer(values ~ system + (1 + system | participant) + (1 | item), REML = TRUE)`.

    Example:
        >>> values = [1, 2, 4, 3, 3, 6, 8, 9, 11]
        >>> model = mixed_model(values, {"day": [0, 1, 2] * 3}, {"person": list("aaabbbccc")})
        >>> round(model.coefficient("day").estimate, 6)  # every person's slope is 1.5
        1.5
        >>> day = model.coefficient("day")  # residual sum of squares 11/6 on 9 - 3 - 1 degrees of freedom
        >>> round(day.se, 6), round(day.df, 6), round(model.sigma, 6)  # √(11/30 / 6), 5, √(11/30)
        (0.247207, 5.0, 0.60553)
        >>> round(model.sd("person"), 6)  # √((mean square between persons 40.1111 - 11/30) / 3)
        3.639801

    Args:
        values: One number per observation.
        fixed: Variables by name. Numbers are a covariate, all else is a factor. Without any, there is an intercept.
        random: Groupings by name, one label per observation. Labels of a nested grouping must differ between the outer
            levels (`random_effects.nested_labels`).
        terms: Of the fixed part, such as `system` and `system:length`; by default each variable by itself.
        slopes: For a grouping the variables of `fixed`, or interactions of them, whose effect differs between its
            levels. They need not be in `terms`.
        correlated: Whether intercept and slopes of a level may be correlated; or the groupings where they may.
        method: `REML`, or `ML` to compare models with different fixed parts (done by `compare_models` anyway).
        sums: Type of the tests of terms.
        coding: How the levels of a factor become columns. It changes coefficients, not what is tested by F.
        factors: Variables that are factors although their levels are numbers.
        confidence: Of the intervals.

    Raises:
        DataError: unequal lengths, a value or label that is missing, a factor or grouping with one level, constant
            values, as many effects as values, values explained exactly, or too many effects for correlated ones or ML.
        UsageError: a term or slope that is not there, or an unknown setting.
    """
    check_share("confidence", confidence)
    check_choice("method", method, ("REML", "ML"))
    check_choice("sums", sums, ("I", "II", "III"))
    check_choice("coding", coding, ("treatment", "sum"))
    y = finite_vector(values, "values")
    formula = MixedFormula(terms, slopes, correlated, coding, factors)
    design = mixed_design(y.size, fixed, random, formula)
    fit = mixed_fit(y, fixed, design, formula, method)
    hypotheses = term_contrasts(design.matrix, sums)
    return _result(fit, hypotheses, sums, confidence)


def _result(fit: ModelFit, hypotheses: list[TermContrasts], sums: SumsOfSquares, confidence: float) -> MixedModel:
    criterion, parameters, n = fit.criterion, fit.n_parameters, fit.n
    names = fit.design.matrix.names
    inference = fit.inference
    components, correlations = _spread(fit)
    return MixedModel(
        method="linear mixed model",
        settings=_settings(fit, sums, confidence),
        warnings=_warnings(fit, hypotheses, correlations),
        coefficients=tuple(
            inference.effect(name, row, confidence) for name, row in zip(names, np.eye(len(names)), strict=True)
        ),
        tests=tuple(
            inference.test(each.name, each.rows)
            if len(each.rows)
            else TermTest(each.name, math.nan, (0, math.nan), math.nan)
            for each in hypotheses
        ),
        components=components,
        correlations=correlations,
        sigma=fit.sigma,
        likelihood=fit.likelihood,
        criterion=criterion,
        log_likelihood=-criterion / 2,
        n_parameters=parameters,
        aic=criterion + 2 * parameters,
        bic=criterion + math.log(n) * parameters,
        singular=fit.singular,
        converged=fit.converged,
        random_effects=_predicted(fit),
        fitted=fit.fitted,
        n=n,
        fit=fit,
    )


def _settings(fit: ModelFit, sums: SumsOfSquares, confidence: float) -> dict[str, object]:
    return {
        "model": fit.notation(),
        "likelihood": fit.likelihood,
        **fit.settings,
        "coding": fit.formula.coding,
        "df": "Satterthwaite",
        "tests": f"type {sums}",
        "confidence": confidence,
        "groups": ", ".join(f"{len(term.levels)} {term.group}" for term in fit.design.effects.terms),
        "converged": "yes" if fit.converged else "no",
        "n": fit.n,
    }


def _spread(fit: ModelFit) -> tuple[tuple[VarianceComponent, ...], tuple[EffectCorrelation, ...]]:
    sigma = fit.sigma
    components, correlations = [], []
    for term, factor in zip(fit.design.effects.terms, fit.factors, strict=True):
        covariance: FloatArray = sigma**2 * factor @ factor.T
        sds = np.sqrt(np.diagonal(covariance)).tolist()
        levels = len(term.levels)
        components += [
            VarianceComponent(term.group, name, sd, levels) for name, sd in zip(term.names, sds, strict=True)
        ]
        if not term.correlated:
            continue
        for one, other in combinations(range(term.width), 2):
            both = sds[one] * sds[other]
            value = float(covariance[one, other]) / both if both > 0 else math.nan
            correlations.append(EffectCorrelation(term.group, term.names[one], term.names[other], value))
    return tuple(components), tuple(correlations)


def _predicted(fit: ModelFit) -> dict[str, dict[str, tuple[float, ...]]]:
    return {
        term.group: {level: tuple(row) for level, row in zip(term.levels, effects.tolist(), strict=True)}
        for term, effects in zip(fit.design.effects.terms, fit.effects, strict=True)
    }


def _warnings(
    fit: ModelFit, hypotheses: list[TermContrasts], correlations: Sequence[EffectCorrelation]
) -> tuple[str, ...]:
    found = [*fit.design.warnings, *(each.warning for each in hypotheses if each.warning)]
    if fit.singular:
        found.append(
            "the fit is singular: a variance is 0 or a correlation ±1, so the data do not support all random effects "
            "of the model; a simpler one may serve better"
        )
    if any(math.isnan(each.value) for each in correlations):
        found.append("a correlation of random effects is undefined: one of them does not vary")
    return (*found, *fit.warnings)


@dataclass(frozen=True)
class VarianceComponent:
    """How much one random effect varies between the levels of a grouping."""

    group: str
    name: str
    """`(intercept)`, or the column whose slope varies."""
    sd: float
    levels: int

    @property
    def variance(self) -> float:
        """The square of the standard deviation."""
        return self.sd**2


@dataclass(frozen=True)
class EffectCorrelation:
    """Correlation of two random effects of a level."""

    group: str
    first: str
    second: str
    value: float
    """nan where one of them does not vary."""


@dataclass(frozen=True, kw_only=True)
class MixedModel(Statistic):
    """A linear mixed model: fixed effects with their tests, and the spread of the random ones."""

    coefficients: tuple[FixedEffect, ...]
    tests: tuple[TermTest, ...]
    """One per term of the fixed part."""
    components: tuple[VarianceComponent, ...]
    correlations: tuple[EffectCorrelation, ...]
    sigma: float
    """Standard deviation of the residuals."""
    likelihood: Likelihood
    criterion: float
    """-2 log-likelihood; of the residuals only if REML."""
    log_likelihood: float
    n_parameters: int
    aic: float
    bic: float
    singular: bool
    """A variance is 0 or a correlation ±1: the model has more random effects than the data can tell."""
    converged: bool
    random_effects: Mapping[str, Mapping[str, tuple[float, ...]]]
    """By grouping and level the predicted effects (BLUPs), in the order of `components`."""
    fitted: FloatArray = field(repr=False, compare=False)
    """One value per observation, random effects included."""
    n: int
    fit: ModelFit = field(repr=False, compare=False)
    """Arrays from which further questions are answered."""

    @property
    def estimates(self) -> tuple[float, ...]:
        """Those of all coefficients."""
        return tuple(each.estimate for each in self.coefficients)

    @property
    def residuals(self) -> FloatArray:
        """The values less the fitted ones."""
        return self.fit.y - self.fitted

    def coefficient(self, name: str) -> FixedEffect:
        """The coefficient of that name, for example `system[b]`.

        Raises:
            KeyError: there is none.
        """
        return {each.name: each for each in self.coefficients}[name]

    def test(self, name: str) -> TermTest:
        """The test of the term of that name.

        Raises:
            KeyError: there is none.
        """
        return {each.name: each for each in self.tests}[name]

    def sd(self, group: str, name: str = "(intercept)") -> float:
        """The standard deviation of a random effect.

        Raises:
            KeyError: there is none.
        """
        return {(each.group, each.name): each.sd for each in self.components}[group, name]

    def marginal_means(self, factor: str, *, confidence: float = 0.95, alpha: float | None = None) -> MarginalMeans:
        """Means of a factor's levels, all else equal, and all pairs compared; see `marginal_means.marginal_means`."""
        fit = self.fit
        found = marginal_means(fit.grid, fit.inference, factor, confidence=confidence, alpha=alpha, n=self.n)
        return found.about(self.of) if self.of else found

    def against(self, smaller: MixedModel) -> ModelComparison:
        """The likelihood-ratio test against a smaller model; see `model_comparison.likelihood_ratio_test`."""
        return likelihood_ratio_test(smaller, self)

    def records(self) -> list[Record]:
        """Coefficients, tests of terms, standard deviations, correlations, and how well the model fits."""
        fixed = [
            self.record("coefficient", c.estimate, by=c.name, df=c.df, p=c.p, ci=c.ci, n=self.n, se=c.se, t=c.t)
            for c in self.coefficients
        ]
        tests = [self.record("F", test.f, by=test.name, df=test.df, p=test.p, n=self.n) for test in self.tests]
        spread = [
            self.record("SD", each.sd, by=each.group, n=self.n, effect=each.name, levels=each.levels)
            for each in self.components
        ]
        together = [
            self.record("correlation", each.value, by=each.group, n=self.n, first=each.first, second=each.second)
            for each in self.correlations
        ]
        whole = [
            self.record("SD", self.sigma, by="residual", n=self.n),
            self.record("log-likelihood", self.log_likelihood, n=self.n, parameters=self.n_parameters),
            self.record("AIC", self.aic, n=self.n),
            self.record("BIC", self.bic, n=self.n),
        ]
        return fixed + tests + spread + together + whole
