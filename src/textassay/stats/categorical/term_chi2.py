"""Tests of the terms of a model: by its covariance (Wald), or by fits without each of them (likelihood ratio)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from textassay.stats.categorical.fixed_part import FixedPart
from textassay.stats.categorical.likelihood_fit import Fit
from textassay.stats.categorical.likelihood_ratio import ratio_chi2
from textassay.stats.distributions import chi2_upper
from textassay.stats.mixed.model_matrix import ModelMatrix
from textassay.stats.mixed.term_contrasts import contained, term_contrasts
from textassay.stats.samples import FloatArray

TestKind = Literal["wald", "lr"]
"""`wald`: from the covariance of the coefficients; `lr`: likelihood ratio, one more fit a term."""


@dataclass(frozen=True)
class TermChi2:
    """The hypothesis that a term has no effect."""

    name: str
    chi2: float
    df: int
    p: float
    kind: str
    """`Wald` or `likelihood ratio`."""


def wald_tests(part: FixedPart, estimates: FloatArray, covariance: FloatArray) -> tuple[list[TermChi2], list[str]]:
    """(Cb)ᵀ (C V Cᵀ)⁻¹ Cb for the contrasts C of type III of each term, and why some have no test.

    Type III: the term's effect averaged over the levels of what it interacts with, whatever the coding.
    """
    found, warnings = [], []
    for term in term_contrasts(part.whole, "III"):
        contrasts = term.rows[:, part.whole.x.shape[1] - len(estimates) :]
        if term.warning:
            warnings.append(term.warning.replace("F of", "χ² of", 1))
        found.append(_wald(term.name, contrasts, estimates, covariance))
    return found, warnings


def ratio_tests(part: FixedPart, fit: Fit, refit: Callable[[ModelMatrix], Fit]) -> tuple[list[TermChi2], list[str]]:
    """2 Δ log L for each term that no other one contains, as R's `drop1`, and the warnings of the smaller fits."""
    found, warnings = [], []
    for term in part.matrix.terms:
        if any(contained(term, other, part.matrix) for other in part.matrix.terms):
            continue
        smaller = refit(part.without(term))
        warnings += [f"without {term.name}: {warning}" for warning in smaller.warnings]
        chi2, p = ratio_chi2(smaller.loglik, fit.loglik, len(term.columns))
        found.append(TermChi2(term.name, chi2, len(term.columns), p, "likelihood ratio"))
    return found, warnings


def _wald(name: str, contrasts: FloatArray, estimates: FloatArray, covariance: FloatArray) -> TermChi2:
    df = len(contrasts)
    used = np.any(contrasts != 0, axis=0)  # an infinite estimate elsewhere must not spoil this test
    rows, values, spread = contrasts[:, used], estimates[used], covariance[np.ix_(used, used)]
    if not df or not np.all(np.isfinite(values)) or not np.all(np.isfinite(spread)):
        return TermChi2(name, math.nan, df, math.nan, "Wald")
    effect = rows @ values
    chi2 = float(effect @ np.linalg.solve(rows @ spread @ rows.T, effect))
    return TermChi2(name, chi2, df, chi2_upper(chi2, df), "Wald")
