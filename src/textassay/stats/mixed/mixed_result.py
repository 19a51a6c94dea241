"""What a linear mixed model found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from textassay.results import Record
from textassay.stats.mixed.marginal_means import MarginalMeans, marginal_means
from textassay.stats.mixed.mixed_fit import MixedFit
from textassay.stats.mixed.model_comparison import ModelComparison, likelihood_ratio_test
from textassay.stats.mixed.reml import Likelihood
from textassay.stats.mixed.satterthwaite import FixedEffect, TermTest
from textassay.stats.samples import FloatArray
from textassay.stats.statistic import Statistic


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
    """How two random effects of a level go together."""

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
    """One a term of the fixed part."""
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
    """One value an observation, random effects included."""
    n: int
    fit: MixedFit = field(repr=False, compare=False)
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

    def marginal_means(self, factor: str, *, confidence: float = 0.95) -> MarginalMeans:
        """Means of a factor's levels, all else equal, and all pairs compared; see `marginal_means.marginal_means`."""
        fit = self.fit
        found = marginal_means(fit.grid, fit.inference, factor, confidence=confidence, n=self.n)
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
