"""All measures of one order against another, under the names that tables and metrics use."""

from __future__ import annotations

from textassay.ordering.measures.measure import Measure
from textassay.ordering.measures.permutation_distances import CAYLEY, ULAM
from textassay.ordering.measures.position_kappa import KAPPAS
from textassay.ordering.measures.positions import (
    DISPLACEMENT,
    FIRST_CORRECT,
    LAST_CORRECT,
    PAIRWISE_ACCURACY,
    PERFECT_MATCH,
    POSITION_ACCURACY,
    SPEARMAN,
    within,
)
from textassay.ordering.measures.tau import TAU


def measures(window: int = 1) -> dict[str, Measure]:
    """Name → measure, in the order of a report; without quadratic kappa, which is Spearman's rho.

    >>> list(measures())[:3]
    ['tau', 'rho', 'kappa']
    """
    return {
        "tau": TAU,
        "rho": SPEARMAN,
        "kappa": KAPPAS["none"],
        "linear kappa": KAPPAS["linear"],
        "accuracy": POSITION_ACCURACY,
        "pairwise": PAIRWISE_ACCURACY,
        "perfect": PERFECT_MATCH,
        "Cayley": CAYLEY,
        "Ulam": ULAM,
        "displacement": DISPLACEMENT,
        f"within {window}": within(window),
        "first": FIRST_CORRECT,
        "last": LAST_CORRECT,
    }
