"""What all models fitted by likelihood report: coefficients, tests of terms, random effects, fit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from textassay.errors import UsageError
from textassay.pairwise import PairwiseComparison, PairwiseComparisons
from textassay.results import Record
from textassay.stats.adjust_p import adjust_pairs
from textassay.stats.categorical.fitted_model import LikelihoodRatio, TermChi2, WaldEstimate, ratio_chi2
from textassay.stats.distributions import normal_quantile, normal_upper
from textassay.stats.mixed.mixed_design import FixedDesign, Setting
from textassay.stats.mixed.mixed_model import EffectCorrelation, VarianceComponent
from textassay.stats.mixed.model_matrix import INTERCEPT
from textassay.stats.samples import FloatArray
from textassay.stats.statistic import Statistic

_Named = TypeVar("_Named", WaldEstimate, TermChi2)


@dataclass(frozen=True, kw_only=True)
class LikelihoodModel(Statistic):
    """A model fitted by maximum likelihood, or by a close approximation of it."""

    coefficients: tuple[WaldEstimate, ...]
    tests: tuple[TermChi2, ...]
    """One per term of the fixed part."""
    components: tuple[VarianceComponent, ...]
    """How much each random effect varies, on the scale of the linear predictor."""
    correlations: tuple[EffectCorrelation, ...]
    random_effects: Mapping[str, Mapping[str, tuple[float, ...]]]
    """By grouping and level the effects where they are most probable given the data (conditional modes, the BLUPs of
    these models), in the order of `components`."""
    loglik: float
    n: int
    """Observations."""
    n_parameters: int
    converged: bool
    singular: tuple[str, ...]
    """Groupings with a variance of 0, or effects perfectly correlated."""
    confidence: float
    design: FixedDesign = field(repr=False, compare=False)
    covariance: FloatArray = field(repr=False, compare=False)
    """Of the coefficients."""
    answers: int = field(repr=False)
    """A checksum, by which two fits know whether they are of the same answers."""

    @property
    def aic(self) -> float:
        """Akaike's criterion."""
        return 2 * self.n_parameters - 2 * self.loglik

    @property
    def bic(self) -> float:
        """Schwarz's criterion."""
        return math.log(self.n) * self.n_parameters - 2 * self.loglik

    @property
    def estimates(self) -> tuple[float, ...]:
        """The coefficients' values."""
        return tuple(coefficient.estimate for coefficient in self.coefficients)

    def coefficient(self, name: str) -> WaldEstimate:
        """A coefficient by its name.

        Raises:
            UsageError: there is none.
        """
        return _named(self.coefficients, name, "coefficient")

    def test(self, term: str) -> TermChi2:
        """The test of a term by its name.

        Raises:
            UsageError: there is none.
        """
        return _named(self.tests, term, "term")

    def sd(self, group: str, name: str = INTERCEPT) -> float:
        """The standard deviation of a random effect.

        Raises:
            UsageError: there is none.
        """
        for each in self.components:
            if (each.group, each.name) == (group, name):
                return each.sd
        known = ", ".join(f"{each.name} by {each.group}" for each in self.components) or "none"
        raise UsageError(f"the model has no random effect {name} by {group}; it has {known}")

    def predictor(self, setting: Setting, random: Mapping[str, str] | None = None) -> float:
        """xᵀβ + zᵀb for an observation; the effects of groupings that are not given are 0.

        Raises:
            UsageError: a variable, level or grouping that is missing or unknown.
        """
        row = self.design.row(setting)
        columns = {INTERCEPT: 1.0, **dict(zip(self.design.names, row.tolist(), strict=True))}
        used = row != 0  # an infinite estimate elsewhere must not spoil this one
        eta = float(row[used] @ np.array(self.estimates)[used])
        for group, level in (random or {}).items():
            names = [each.name for each in self.components if each.group == group]
            eta += sum(columns[name] * mode for name, mode in zip(names, self._modes(group, level), strict=True))
        return eta

    def _modes(self, group: str, level: str) -> tuple[float, ...]:
        if group not in self.random_effects:
            known = ", ".join(self.random_effects) or "none"
            raise UsageError(f"the model has no grouping {group!r}; it has {known}")
        if level not in self.random_effects[group]:
            raise UsageError(f"{group} has no level {level!r}")
        return self.random_effects[group][level]

    def pairs(self, factor: str) -> PairwiseComparisons:
        """All pairs of levels of a factor, by Wald tests with Holm's correction.

        R: `pairs(emmeans(fit, ~ factor), adjust = "holm")`.

        Raises:
            UsageError: there is no such factor.
        """
        levels, rows = self.design.level_rows(factor)
        found = level_pairs(
            levels,
            rows,
            np.array(self.estimates),
            self.covariance,
            confidence=self.confidence,
            n=self.n,
            method=f"pairwise comparisons, {self.method}",
            settings={**self.settings, "factor": factor, "correction": "holm", "confidence": self.confidence},
            of=self.of,
            by=factor,
            unit="linear predictor",
        )
        undefined = sum(math.isnan(pair.difference) for pair in found)
        said = f"{undefined} pairs of {factor} cannot be compared: their estimates are infinite or missing"
        return replace(found, warnings=(*self.warnings, *((said,) if undefined else ())))

    def against(self, smaller: LikelihoodModel) -> LikelihoodRatio:
        """The likelihood-ratio test of this model against one that it contains.

        R: `anova(smaller, larger)`.

        Raises:
            UsageError: the other model is of other answers, or is not smaller, or is not nested.
        """
        refused = self.not_containing(smaller)
        if refused:
            raise UsageError(refused)
        df = self.n_parameters - smaller.n_parameters
        chi2, p = ratio_chi2(smaller.loglik, self.loglik, df)
        warnings = list(dict.fromkeys([*smaller.warnings, *self.warnings]))
        if len(self.components) > len(smaller.components):
            warnings.append(
                "a variance of 0 lies on the boundary of the parameter space: the p is too large, up to twice"
            )
        if chi2 < 0:
            warnings.append("the larger model has the smaller likelihood: one of the two did not reach its maximum")
        return LikelihoodRatio(
            method="likelihood-ratio test",
            settings={"model": self.method, "df": df, "n": self.n},
            warnings=tuple(warnings),
            of=self.of,
            by=self.by,
            chi2=chi2,
            df=df,
            p=p,
            logliks=(smaller.loglik, self.loglik),
            n=self.n,
        )

    def not_containing(self, smaller: LikelihoodModel) -> str:
        """Why the other model is not a part of this one; empty where it is."""
        if self.answers != smaller.answers:
            return "the two models are not of the same answers: a likelihood ratio is not interpretable"
        extra = [each.name for each in smaller.coefficients if each.name not in self.design.names]
        own = {(each.group, each.name) for each in self.components}
        extra += [f"{each.name} by {each.group}" for each in smaller.components if (each.group, each.name) not in own]
        if extra:
            return f"the smaller model has {extra[0]}, which the larger one lacks: the models are not nested"
        if smaller.n_parameters >= self.n_parameters:
            count = f"{self.n_parameters} parameters, the other one {smaller.n_parameters}"
            return f"call it on the larger model: this one has {count}"
        return ""

    def records(self) -> list[Record]:
        """Coefficients, then tests of terms, then random effects, then the fit."""
        return [
            *(self.estimate_record("coefficient", each) for each in self.coefficients),
            *(self.record(f"{t.kind} χ²", t.chi2, by=t.name, df=t.df, p=t.p, n=self.n) for t in self.tests),
            *(
                self.record("SD", each.sd, by=each.group, n=self.n, effect=each.name, levels=each.levels)
                for each in self.components
            ),
            *(
                self.record("correlation", each.value, by=each.group, n=self.n, first=each.first, second=each.second)
                for each in self.correlations
            ),
            self.record("log-likelihood", self.loglik, df=self.n_parameters, n=self.n, aic=self.aic, bic=self.bic),
        ]

    def estimate_record(self, statistic: str, each: WaldEstimate) -> Record:
        """One record of a parameter."""
        return self.record(statistic, each.estimate, by=each.name, p=each.p, ci=each.ci, n=self.n, se=each.se, z=each.z)


def _named(found: Sequence[_Named], name: str, what: str) -> _Named:
    for each in found:
        if each.name == name:
            return each
    raise UsageError(f"the model has no {what} {name!r}; it has {', '.join(each.name for each in found) or 'none'}")


def level_pairs(
    levels: tuple[str, ...],
    rows: FloatArray,
    estimates: FloatArray,
    covariance: FloatArray,
    *,
    confidence: float,
    n: int,
    **named: Any,
) -> PairwiseComparisons:
    """Every pair once: Wald tests on the scale of the linear predictor, adjusted after Holm.

    Each level is averaged over the levels of the other factors, with equal weights.

    Args:
        levels: Names of the levels.
        rows: One row of the model matrix for each level, nan where the data cannot tell it.
        estimates: Of the coefficients.
        covariance: Of the coefficients.
        confidence: Of the interval of each pair.
        n: Observations.
        named: Further fields of the result: method, settings, what was measured.
    """
    found = []
    width = normal_quantile((1 + confidence) / 2)
    for first, second in combinations(range(len(levels)), 2):
        contrast = rows[first] - rows[second]
        used = contrast != 0  # an infinite estimate elsewhere must not spoil this pair
        difference = float(contrast[used] @ estimates[used])
        se = float(np.sqrt(contrast[used] @ covariance[np.ix_(used, used)] @ contrast[used]))
        z = difference / se
        p = 2 * normal_upper(abs(z))
        found.append(
            PairwiseComparison(
                first=levels[first],
                second=levels[second],
                difference=difference,
                ci=(difference - width * se, difference + width * se),
                p=p,
                p_raw=p,
                n=n,
                se=se,
                test_value=z,
            )
        )
    return PairwiseComparisons(
        pairs=adjust_pairs(found),
        adjustment="Holm",
        confidence=confidence,
        interval="single",
        test="z",
        **named,
    )
