"""Random effects of a likelihood model in words and numbers."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np

from textassay.stats.categorical.likelihood_fit import Fit
from textassay.stats.mixed.mixed_result import EffectCorrelation, VarianceComponent
from textassay.stats.mixed.random_effects import RandomEffects


def random_fields(effects: RandomEffects | None, fit: Fit) -> dict[str, Any]:
    """The random effects of a fit as fields of `LikelihoodModel`."""
    components, correlations, modes = [], [], {}
    if effects is not None and fit.theta is not None and fit.modes is not None:
        parts = zip(effects.terms, effects.factors(fit.theta), effects.split(fit.modes), strict=True)
        for term, factor, found in parts:
            covariance = factor @ factor.T
            sds = np.sqrt(np.diagonal(covariance)).tolist()
            components += [
                VarianceComponent(term.group, name, sd, len(term.levels))
                for name, sd in zip(term.names, sds, strict=True)
            ]
            for one, other in combinations(range(term.width), 2) if term.correlated else ():
                both = sds[one] * sds[other]
                value = float(covariance[one, other]) / both if both > 0 else math.nan
                correlations.append(EffectCorrelation(term.group, term.names[one], term.names[other], value))
            modes[term.group] = dict(zip(term.levels, map(tuple, found.tolist()), strict=True))
    return {"components": tuple(components), "correlations": tuple(correlations), "random_effects": modes}
