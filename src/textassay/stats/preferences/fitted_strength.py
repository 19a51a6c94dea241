"""The fit of a model of preference strength, and what it says of systems and pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from textassay.stats.adjust_p import adjust_p
from textassay.stats.categorical.cumulative_likelihood import CumulativeLikelihood
from textassay.stats.categorical.fitted_model import fit_model
from textassay.stats.categorical.laplace_fit import RandomPart
from textassay.stats.categorical.likelihood_fit import Fit
from textassay.stats.categorical.likelihood_ratio import ratio_chi2
from textassay.stats.categorical.links import LinkName, cdf
from textassay.stats.categorical.thresholds import Thresholds, thresholds
from textassay.stats.categorical.wald_estimate import wald_estimates
from textassay.stats.distributions import normal_quantile, normal_upper
from textassay.stats.preferences.abilities import AbilityPair, abilities_of, scale_parameter
from textassay.stats.preferences.strength_design import LEFT, StrengthDesign
from textassay.stats.samples import FloatArray


def fit_strengths(design: StrengthDesign, tastes: RandomPart | None, link: LinkName) -> FittedStrength:
    """The model, and the same with all abilities equal; nan with its reason where systems are not on one scale."""
    cuts = thresholds("symmetric2", design.scale.categories)

    def fitted(columns: FloatArray, names: tuple[str, ...]) -> Fit:
        return fit_model(CumulativeLikelihood(design.scale.codes, columns, names, cuts, link), tastes)

    equal = fitted(design.side, design.names[len(design.systems) - 1 :])
    fit = fitted(design.columns, design.names) if not design.disconnected else replace(equal, loglik=np.nan)
    if design.disconnected or not np.all(np.isfinite(fit.parameters)):
        size = len(cuts.names) + len(design.names)
        reasons = fit.warnings if not design.disconnected else (design.disconnected,)
        nothing = np.full((size, size), np.nan)
        fit = replace(fit, parameters=nothing[0], covariance=nothing, converged=False, warnings=reasons)
    return FittedStrength(design, cuts, link, fit, equal)


@dataclass(frozen=True)
class FittedStrength:
    """Parameters: thresholds, abilities of all systems but the first, the advantage of the left side if it is known."""

    design: StrengthDesign
    cuts: Thresholds
    link: LinkName
    fit: Fit
    equal: Fit
    """With all abilities equal."""

    def fields(self, confidence: float) -> dict[str, Any]:
        """The fields of `PreferenceStrength` that come from the likelihood."""
        design, fit, first = self.design, self.fit, len(self.cuts.names)
        k = len(design.systems)
        place = np.zeros((k, len(fit.parameters)))
        place[1:, first : first + k - 1] = np.eye(k - 1)
        centred = place - place.mean(axis=0)
        spread = centred @ fit.covariance @ centred.T
        sizes = design.judged.sum(axis=0).astype(int).tolist()
        cuts, cut_spread = self.cuts.carried(fit.parameters[:first], fit.covariance[:first, :first])
        chi2, p = ratio_chi2(self.equal.loglik, fit.loglik, k - 1)
        return {
            "systems": design.systems,
            "reference": "",
            "abilities": abilities_of(design.systems, centred @ fit.parameters, spread, sizes, confidence),
            "pairs": self._pairs(place, confidence),
            "extras": self._extras(confidence),
            "covariance": tuple(map(tuple, spread.tolist())),
            "n": len(design.x),
            "loglik": fit.loglik,
            "chi2": chi2,
            "df": k - 1,
            "p": p,
            "converged": fit.converged,
            "steps": fit.steps,
            "gradient": fit.distance,
            "thresholds": wald_estimates(self.cuts.labels, cuts, cut_spread, confidence),
        }

    def _extras(self, confidence: float) -> tuple[Any, ...]:
        if LEFT not in self.design.names:
            return ()
        value, variance = float(self.fit.parameters[-1]), float(self.fit.covariance[-1, -1])
        return (scale_parameter(LEFT, value, variance, confidence, tested=True),)

    def _pairs(self, place: FloatArray, confidence: float) -> tuple[AbilityPair, ...]:
        """All pairs; P(preferred) = F(difference - first threshold above 0), and so are the ends of its interval."""
        z = normal_quantile((1 + confidence) / 2)
        tie = np.zeros(place.shape[1])
        if len(self.cuts.labels) % 2 == 0:  # two thresholds about 0, and between them neither is preferred
            tie[0] = 1.0
        pairs = list(combinations(range(len(place)), 2))
        contrasts = np.array([place[first] - place[second] for first, second in pairs])
        differences, errors = self._estimated(contrasts)
        p = [2 * normal_upper(abs(value)) for value in (differences / errors).tolist()]
        held = adjust_p(p).adjusted
        centre, width = self._estimated(contrasts - tie)
        shares = [cdf(self.link, centre + step * width).tolist() for step in (0.0, -z, z)]
        other = cdf(self.link, self._estimated(-contrasts - tie)[0])
        ties = (1 - np.array(shares[0]) - other).tolist() if tie.any() else [0.0] * len(pairs)
        rows = zip(pairs, differences.tolist(), errors.tolist(), p, held, *shares, ties, strict=True)
        names, judged = self.design.systems, self.design.judged
        return tuple(
            AbilityPair(names[i], names[j], d, se, (d - z * se, d + z * se), raw, fair, share, (low, high), t, n)
            for (i, j), d, se, raw, fair, share, low, high, t in rows
            for n in (round(float(judged[i, j])),)
        )

    def _estimated(self, contrasts: FloatArray) -> tuple[FloatArray, FloatArray]:
        values = contrasts @ self.fit.parameters
        return values, np.sqrt(np.einsum("ij,jk,ik->i", contrasts, self.fit.covariance, contrasts))
