"""All checks, under the headings of the page."""

from __future__ import annotations

from functools import cache

import _calibration_agreement as agreement
import _calibration_categorical as categorical
import _calibration_correlations as correlations
import _calibration_given_covariate as given_covariate
import _calibration_leading as leading
import _calibration_means as means
import _calibration_meta as meta
import _calibration_mixed as mixed
import _calibration_orders as orders
import _calibration_positions as positions
import _calibration_preferences as preferences
import _calibration_published as published
import _calibration_ranks as ranks
import _calibration_reading as reading
import _calibration_repeated as repeated
import _calibration_resampling as resampling
import _calibration_runs as runs
import _calibration_strengths as strengths
import _calibration_together as together
import _calibration_variance as variance
from _calibration import Check


@cache
def families() -> dict[str, tuple[Check, ...]]:
    """Heading → checks. The bounds are computed here, so nothing is done at import."""
    return {
        "The leading test of each kind of trial": leading.checks(),
        "Texts rated side by side": together.checks(),
        "Two runs of one evaluation": runs.checks(),
        "Published modes that are not valid": published.checks(),
        "Analysis of variance": variance.checks(),
        "Repeated measures, subjects and items": repeated.checks(),
        "Means, pairs of means, corrections": means.checks(),
        "Rank tests": ranks.checks(),
        "Positions of texts in rankings": positions.checks(),
        "Correlations": correlations.checks(),
        "Metrics against people": meta.checks(),
        "Metrics against people, given length": given_covariate.checks(),
        "Agreement": agreement.checks(),
        "Mixed models": mixed.checks(),
        "Logistic and ordinal models": categorical.checks(),
        "Preferences": (*preferences.checks(), *strengths.checks()),
        "Reading times": reading.checks(),
        "Orders that people give": orders.checks(),
        "Resampling": resampling.checks(),
    }
