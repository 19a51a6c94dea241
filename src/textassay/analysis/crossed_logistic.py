"""Logistic mixed models with crossed participants and items, for what is chosen or not and right or wrong."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from textassay.analysis.crossed_model import RandomPart, apart, known_rows, of_systems, settled
from textassay.errors import DataError
from textassay.pairwise import Better, PairwiseComparisons
from textassay.results import Result, Table
from textassay.stats import LogisticModel, logistic_model

ODDS = ("Of", "Compared", "Odds ratio", "Low", "High", "χ²", "df", "p")

_LARGEST = 700.0
"""Logarithms of odds above this are too large for a number."""


@dataclass(frozen=True)
class CrossedLogistic:
    """The odds of systems compared; where they cannot be, the reason."""

    of: str
    model: LogisticModel | None = None
    pairs: PairwiseComparisons | None = None
    warnings: tuple[str, ...] = ()
    """Without the name of what is counted."""

    @property
    def results(self) -> tuple[Result, ...]:
        """Model and pairs, as far as there are any."""
        return tuple(result for result in (self.model, self.pairs) if result is not None)

    @property
    def rows(self) -> list[tuple[object, ...]]:
        """Under `ODDS`: the test of all systems, then each pair."""
        if self.model is None or self.pairs is None:
            return []
        test = self.model.test("system")
        pairs = [
            (self.of, f"{x.first} / {x.second}", *map(_odds, (x.difference, *x.ci)), None, None, x.p)
            for x in self.pairs.pairs
        ]
        return [(self.of, "all systems", None, None, None, test.chi2, test.df, test.p), *pairs]


def crossed_logistic(
    frame: pd.DataFrame,
    successes: str,
    *,
    of: str,
    better: Better = "none",
    trials: str | None = None,
    alpha: float = 0.05,
    confidence: float = 0.95,
) -> CrossedLogistic:
    """Whether systems differ in the odds of a success, with participants and items as random.

    R: `glmer(cbind(successes, trials - successes) ~ system + (1 | participant) + (1 | participant:system) + (1 | item)
    + (1 | item:system), binomial)`, and `(1 | participant:item)` where participants see several systems of an item.

    Args:
        frame: Columns `participant, item, system` and those of successes and trials.
        successes: Column of counts, or of 0 and 1.
        of: What is counted, in results.
        better: Whether more successes are better.
        trials: Column with the number of trials of each row, 1 if not given; rows without trials are omitted.
        alpha: Level at which pairs count as different.
        confidence: Of the intervals.
    """
    known = known_rows(frame, [successes, *([trials] if trials else [])])
    if trials is not None:
        known = known[known[trials] > 0]
    if known["system"].nunique() < 2:
        return CrossedLogistic(of, warnings=("there is one system only, so nothing is compared",))
    if reason := apart(known):
        return CrossedLogistic(of, warnings=(f"no logistic mixed model: {reason}",))
    hits, tried = float(known[successes].sum()), float(known[trials].sum() if trials else len(known))
    random = of_systems(known).borne_by(round(min(hits, tried - hits)))

    def fit(part: RandomPart) -> LogisticModel:
        return logistic_model(
            known[successes].to_numpy(dtype=float),
            {"system": known["system"].to_numpy()},
            random=part.groupings,
            trials=known[trials].to_numpy(dtype=float) if trials else None,
            factors={"system"},
            confidence=confidence,
        )

    try:
        model, used = settled(random, fit, lambda _: 1.0)
    except DataError as error:
        return CrossedLogistic(of, warnings=(f"no logistic mixed model: {error}",))
    model = model.about(of)
    pairs = model.pairs("system").about(of, better=better, alpha=alpha)
    warnings = dict.fromkeys([*used.said, *model.warnings, *pairs.warnings])
    return CrossedLogistic(of, model, pairs, tuple(f"logistic mixed model: {text}" for text in warnings))


def _odds(logarithm: float) -> float:
    return math.exp(logarithm) if logarithm < _LARGEST else math.inf


def odds_table(name: str, title: str, found: Sequence[CrossedLogistic], what: str) -> Table:
    """Tests and odds ratios of several models.

    Args:
        name: Of the table's files.
        title: Of the table.
        found: One per row of `Of`.
        what: A sentence on what the odds are of.
    """
    rows = tuple(row for each in found for row in each.rows)
    note = (
        f"{what} Logistic mixed models with participants and items as random: Wald tests, Holm's correction for pairs, "
        "intervals of single pairs. Prefer them to means of shares where shares are near 0 or 1; with few participants "
        "or items (about 20 or less) their p are somewhat too small."
    )
    return Table(name, title, ODDS, rows, note)
