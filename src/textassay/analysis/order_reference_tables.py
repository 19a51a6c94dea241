"""People's orders as references of systems, as tables."""

from __future__ import annotations

import math

from textassay.ordering.variability.people_references import PeopleReferences, ReferencesNeeded
from textassay.ordering.variability.target_scores import MEASURES
from textassay.results import Table


def systems(found: PeopleReferences) -> Table:
    """Means over texts of each system."""
    names = ("mean tau", "highest", *MEASURES)
    rows = tuple((system, *(found.mean(system, name) for name in names)) for system in found.systems)
    return Table(
        "against-people",
        "Given orders against those of all people",
        ("Order of", "Mean tau", "Highest tau", "kappa", "r", "rho", "tau"),
        rows,
        note="Means over texts. Mean tau: with each person's order; highest: what the best order could reach. kappa: "
        "of the matrix that counts how often each unit of the given order stands in each position over people; r, rho, "
        "tau: of people's means vector with it (Madnani et al. 2007). Those who started from an order are drawn to it.",
    )


def needed(found: ReferencesNeeded) -> Table:
    """The curve over the number of references."""
    named: dict[str, list[float]] = {
        "References": [each.references for each in found.curve],
        "tau of two consensus orders": [each.halves for each in found.curve],
        "SE of mean tau": [each.se for each in found.curve],
        "Share of systems in the same order": [each.same_order for each in found.curve],
    }
    kept = {name: column for name, column in named.items() if not all(map(math.isnan, column))}
    rows = [tuple(None if math.isnan(cell) else cell for cell in row) for row in zip(*kept.values(), strict=True)]
    return Table(
        "references-needed",
        "How many people's orders are enough",
        tuple(kept),
        tuple(rows),
        note="Consensus orders (by mean places) of so many people and of as many others. SE: of a given order's mean "
        "tau over texts. Share: pairs of given orders ranked as by all people.",
    )
