"""Single actions: how the odds that an appropriate (or inappropriate) action is chosen differ between systems."""

from __future__ import annotations

import pandas as pd

from textassay.analysis.crossed_logistic import crossed_logistic, odds_table
from textassay.analysis.wording import named_warnings
from textassay.pairwise import Better
from textassay.results import Analysis
from textassay.tasks.decision.settings import ids

SETS: dict[str, Better] = {"appropriate": "higher", "inappropriate": "lower"}
"""Sets of actions, and whether more of them chosen are better."""


def single_actions(first: pd.DataFrame, confidence: float) -> Analysis:
    """A logistic mixed model for each set of actions.

    Args:
        first: First answers: `participant, item, system, chosen, appropriate, inappropriate`.
        confidence: Of the intervals.
    """
    found = [
        crossed_logistic(
            _counted(first, name), "hits", trials="offered", of=f"{name} chosen", better=better, confidence=confidence
        )
        for name, better in SETS.items()
    ]
    what = "Odds that an appropriate (inappropriate) action of an item is chosen."
    table = odds_table("single-actions", "Single actions", found, what)
    return Analysis(
        "single-actions",
        "Single actions",
        tuple(result for each in found for result in each.results),
        (table,) if table.rows else (),
        warnings=tuple(named_warnings((each.of, each.warnings) for each in found)),
    )


def _counted(first: pd.DataFrame, name: str) -> pd.DataFrame:
    """How many actions of the set there are, and how many of them were chosen."""
    sets = [frozenset(ids(cell)) for cell in first[name]]
    chosen = [frozenset(ids(cell)) for cell in first["chosen"]]
    hits = [len(own & picked) for own, picked in zip(sets, chosen, strict=True)]
    return first.assign(offered=[len(own) for own in sets], hits=hits)
