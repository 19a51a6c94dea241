"""Positions in which texts were shown first: rankings by people who look at texts alone, or also at where they stand.

A text's appeal is the worth of its system, what the participant and the item make of that system, what its position
does to this participant, and a draw from Gumbel's distribution; texts are ranked by appeal.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
from _calibration import Check
from _calibration_claims import BRADLEY, rejects, size_near, size_within

from textassay.analysis.page_positions import position_effects
from textassay.analysis.trial_contrasts import trial_contrasts

_LIKING, _TEXT = 0.5, 0.8
"""Standard deviations of participant × system and item × system, in logits."""
_COST = 5.0


def checks() -> tuple[Check, ...]:
    """All of this family."""
    both = (
        size_near("position_effects", "trend", why=BRADLEY),
        size_near("position_effects", "any", why=BRADLEY),
    )
    seen = (
        size_within("position_effects", "trend", low=0.5, high=1, why="positions matter: more often than not"),
        size_within("position_effects", "any", low=0.5, high=1, why="positions matter: more often than not"),
    )
    return (
        Check("24 participants rank 3 systems of 44 items; positions do nothing",
              partial(_draw, 24, 44, 3, 3), both, _COST),
        Check("8 participants rank 3 systems of 10 items; positions do nothing",
              partial(_draw, 8, 10, 3, 3), both, _COST),
        Check("12 participants rank 4 of 6 systems of 12 items; positions do nothing",
              partial(_draw, 12, 12, 6, 4), both, _COST),
        Check("24 participants rank 3 systems of 20 items; some favour the first text, as many the last, by .5 logits",
              partial(_draw, 24, 20, 3, 3, divided=0.5), both, _COST),
        Check("24 participants rank 3 systems of 44 items; the first text gains .3 logits over the last",
              partial(_draw, 24, 44, 3, 3, all_alike=0.3), seen, _COST),
    )  # fmt: skip


def _draw(
    people: int, items: int, systems: int, shown: int, random: np.random.Generator,
    divided: float = 0.0, all_alike: float = 0.0,
) -> list[float]:  # fmt: skip
    trials = people * items
    person, item = np.divmod(np.arange(trials), items)
    of_person, of_item = random.normal(size=(people, systems)), random.normal(size=(items, systems))
    liking = _LIKING * of_person[person] + _TEXT * of_item[item]
    # Each system has a place among all; those beyond the number shown are not in the trial.
    places = np.argsort(random.random((trials, systems)), axis=1) + 1.0
    places[places > shown] = 0.0
    signs = random.choice((-1.0, 1.0), people)[person]
    steep = (all_alike + divided * signs)[:, None] / (shown - 1)
    appeal = np.linspace(1.0, -1.0, systems) + liking - steep * places + random.gumbel(size=(trials, systems))
    appeal[places == 0] = -np.inf
    ranks = np.argsort(np.argsort(-appeal, axis=1), axis=1) + 1.0
    ranks[places == 0] = np.nan
    index = pd.MultiIndex.from_arrays([person.astype(str), item.astype(str)], names=("participant", "item"))
    given = trial_contrasts(pd.DataFrame(ranks, index, [f"s{number}" for number in range(systems)]))
    assert given.trials is not None
    trend, other = position_effects(given, places[given.trials])
    return [np.nan if found is None else rejects(found.p) for found in (trend, other)]
