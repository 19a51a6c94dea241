"""Whether a text is ranked otherwise because of the position in which it was shown first.

People may leave a list much as it is, or favour what they read first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from textassay.analysis.leading_test import LeadingTest, leading_contrasts
from textassay.analysis.options import RecipeOptions
from textassay.analysis.page_positions import PositionEffect, PositionWords, places_of, position_effect, position_table
from textassay.analysis.trial_contrasts import trial_contrasts
from textassay.results import Table

SHOWN_FIRST = PositionWords(
    "start_position", "start position", "ranks", "Mean rank", "ranked", "ranks", "worse", "better"
)


def start_positions(
    main: pd.DataFrame, ranks: pd.DataFrame, leading: LeadingTest, options: RecipeOptions
) -> PositionEffect | None:
    """The effect on one criterion; nothing where positions are not known, or cannot be told from systems.

    Args:
        main: Rankings on one criterion, as `read_rankings` gives them.
        ranks: The same as `trial_table` gives it.
        leading: The leading test of the criterion.
        options: Levels of tests and intervals.
    """

    def without() -> LeadingTest:
        given, places = trial_contrasts(ranks), places_of(main, ranks, SHOWN_FIRST.column)
        position = np.sum(given.rows * np.asarray(places)[given.trials], axis=1)
        more = {**given.covariates, SHOWN_FIRST.position: position}
        return leading_contrasts(replace(given, covariates=more), of=leading.found.of, options=options)

    return position_effect(main, ranks, leading, without, options, SHOWN_FIRST)


def start_position_table(parts: Sequence[PositionEffect | None], confidence: float) -> Table | None:
    """One row per criterion, and a sentence about each; nothing where nothing is known."""
    title = "Does it matter where a text was shown first?"
    about = "In studies run with this program, a trial first shows its texts in a random order."
    return position_table("start-positions", title, about, parts, confidence)
