"""A check of the ordinal model: does each predictor move all thresholds alike?"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from textassay.errors import DataError
from textassay.results import Record
from textassay.stats.categorical.fixed_part import FixedPart, fixed_part
from textassay.stats.categorical.likelihood_fit import Fit, fit_fixed
from textassay.stats.categorical.likelihood_tests import TermChi2, ratio_chi2
from textassay.stats.categorical.likelihoods import CumulativeLikelihood, LinkName
from textassay.stats.categorical.rating_scale import RatingScale, rating_scale, thresholds
from textassay.stats.distributions import check_choice
from textassay.stats.labels import Column
from textassay.stats.mixed.mixed_design import MixedFormula
from textassay.stats.mixed.model_matrix import Coding
from textassay.stats.samples import check_share
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class ProportionalOdds(Statistic):
    """One test per term; a small p speaks against the ordinal model's assumption."""

    tests: tuple[TermChi2, ...]
    n: int

    @property
    def chi2(self) -> tuple[float, ...]:
        """Of each term."""
        return tuple(test.chi2 for test in self.tests)

    @property
    def p(self) -> tuple[float, ...]:
        """Of each term."""
        return tuple(test.p for test in self.tests)

    def records(self) -> list[Record]:
        """One record per term."""
        return [self.record(f"{t.kind} χ²", t.chi2, by=t.name, df=t.df, p=t.p, n=self.n) for t in self.tests]


def proportional_odds(  # noqa: PLR0913 -- a setting each
    ratings: Column,
    fixed: Mapping[str, Column],
    *,
    link: LinkName = "logit",
    levels: Sequence[Any] | None = None,
    terms: Sequence[str] | None = None,
    coding: Coding = "treatment",
    factors: Collection[str] | None = None,
    alpha: float = 0.05,
) -> ProportionalOdds:
    """Whether the effect of each term is the same at all thresholds of the scale, as the ordinal model assumes.

    Purpose: check the assumption on which the ordinal model rests.

    χ² = 2 (log L of the model in which the term has a coefficient of its own at each threshold - log L of the
    cumulative link model), on (categories - 2) · columns degrees of freedom (Peterson & Harrell 1990).
    It takes observations as independent: with many of each participant its p is too small, and it serves as a warning.

    R: `ordinal::nominal_test(ordinal::clm(ratings ~ x))`.

    Example:
        >>> ratings = [1, 1, 2, 2, 3, 3, 1, 1, 1, 2, 3, 3]
        >>> result = proportional_odds(ratings, {"system": ["a"] * 6 + ["b"] * 6})
        >>> round(result.tests[0].chi2, 4), result.tests[0].df, round(result.tests[0].p, 4)
        (0.4133, 1, 0.5203)

    Args:
        ratings: One answer per observation; numbers, or text with `levels`.
        fixed: Factors (text) and covariates (numbers) by name.
        link: The distribution of the latent variable.
        levels: The scale in its order; by default the numbers that occur.
        terms: Names of variables and interactions such as `system:length`; by default each variable by itself.
        coding: How factors become columns.
        factors: Variables that are factors although their levels are numbers.
        alpha: Terms with a p below it are named in the warnings.

    Raises:
        DataError: no variable, fewer than three categories, unequal lengths, missing or infinite values.
        UsageError: an unknown setting or term.
    """
    check_choice("link", link, get_args(LinkName))
    check_share("alpha", alpha)
    scale = rating_scale(ratings, levels, "flexible")
    if len(scale.categories) < 3:
        raise DataError(f"the ratings have {len(scale.categories)} categories: with one threshold nothing can differ")
    part = fixed_part(len(scale.codes), fixed, MixedFormula(terms, coding=coding, factors=factors), intercept=False)
    if not part.matrix.terms:
        raise DataError("there is no term whose effect could be checked; give at least one variable")
    common = fit_fixed(_likelihood(scale, part, (), link))
    tests, warnings = _tests(scale, part, common, link)
    warnings += [
        f"the effect of {test.name} is not the same at all thresholds (p = {test.p:.2g}): its coefficient in the "
        "ordinal model is a mean of different effects"
        for test in tests
        if test.p < alpha
    ]
    return ProportionalOdds(
        method="likelihood-ratio test of proportional odds" if link == "logit" else "test of equal slopes",
        settings={
            "link": link,
            "terms": " + ".join(test.name for test in tests),
            "alpha": alpha,
            "n": len(scale.codes),
        },
        warnings=(*scale.warnings, *part.warnings, *common.warnings, *warnings),
        tests=tuple(tests),
        n=len(scale.codes),
    )


def _tests(scale: RatingScale, part: FixedPart, common: Fit, link: LinkName) -> tuple[list[TermChi2], list[str]]:
    tests, warnings = [], []
    for term in part.matrix.terms:
        free = fit_fixed(_likelihood(scale, part, term.columns, link))
        if not np.all(np.isfinite(free.parameters)):
            warnings.append(
                f"free at each threshold, {term.name} has infinite effects at some: its χ² is that of the limit"
            )
        elif not free.converged:
            warnings += [f"with {term.name} free at each threshold: {warning}" for warning in free.warnings]
        df = (len(scale.categories) - 2) * len(term.columns)
        chi2, p = ratio_chi2(common.loglik, free.loglik, df)
        tests.append(TermChi2(term.name, chi2, df, p, "likelihood ratio"))
    return tests, warnings


def _likelihood(scale: RatingScale, part: FixedPart, free: tuple[int, ...], link: LinkName) -> CumulativeLikelihood:
    """The model in which some columns have a coefficient at each threshold."""
    kept = [column for column in range(len(part.matrix.names)) if column not in free]
    names = tuple(part.matrix.names[column] for column in kept)
    cuts = thresholds("flexible", scale.categories)
    nominal = (tuple(part.matrix.names[column] for column in free), part.matrix.x[:, list(free)]) if free else None
    return CumulativeLikelihood(scale.codes, np.asarray(part.matrix.x[:, kept]), names, cuts, link, nominal)
