"""Whether a text is ranked otherwise because of the position in which it was shown first.

People may leave a list much as it is, or favour what they read first. The order in which the texts of a trial are shown
first is random for every trial, so that no system gains by it on average; but it adds noise, and in a single study one
system may have had better positions than another.

By least squares with systems taken out, of the ranks within each trial (`rank_contrasts`), with standard errors
clustered by participant (Liang & Zeger 1986). The trend compares the last position with the first as if each step did
the same; the test of any difference finds other shapes too, such as a bad place in the middle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from textassay.analysis.contrast_models import Contrasts
from textassay.analysis.leading_test import LEADING, LeadingTest, leading_contrasts
from textassay.analysis.options import RecipeOptions
from textassay.analysis.order_effects import MOST_VALUES, ROBUST, changed_conclusion
from textassay.analysis.wording import per_cent
from textassay.report.numbers import format_value, p_in_words
from textassay.results import Record, Table
from textassay.stats.crossed.clustered_effects import ClusteredEffect, clustered_effects
from textassay.stats.crossed.crossed_design import CrossedDesign
from textassay.stats.distributions import t_quantile
from textassay.stats.samples import coded
from textassay.stats.statistic import Statistic
from textassay.tasks.ranking.answers import rank_contrasts, trial_columns

Floats = npt.NDArray[np.float64]
_POSITION = "start position"


@dataclass(frozen=True, kw_only=True)
class StartPositions(Statistic):
    """What the position in which a text was shown first does to its rank on one criterion."""

    change: float
    """From the first to the last position, in ranks: above 0 where texts shown last are ranked worse."""
    ci: tuple[float, float]
    trend: ClusteredEffect
    any_difference: ClusteredEffect | None
    """Of all positions; nothing where it is the trend, or cannot be told."""
    first: float
    """Mean rank of the texts shown first."""
    last: float
    """Mean rank of those shown last."""
    p: float
    """Of the leading test."""
    p_without: float
    """Of the leading test with the trend taken out; nan where there are too many values to repeat it."""
    alpha: float
    confidence: float
    n: int
    """Rankings."""

    def records(self) -> list[Record]:
        """The trend, the test of any difference, and the leading test without the trend."""
        trend, other = self.trend, self.any_difference
        found = [self.record("change by start position", self.change, ci=self.ci, df=trend.df[1], p=trend.p, n=self.n)]
        if other is not None:
            found.append(self.record("F of the start position", other.f, df=other.df, p=other.p, n=self.n))
        name = "p of the leading test without the start position"
        return [*found, self.record(name, self.p_without, p=self.p_without, n=self.n)]

    @property
    def sentence(self) -> str:
        """What was found, for a reader who knows no tests."""
        low, high = map(format_value, self.ci)
        figures = f"{per_cent(self.confidence)} CI {low} to {high}, {p_in_words(self.trend.p)}"
        if self.trend.p < self.alpha:
            which = "worse" if self.change > 0 else "better"
            size = format_value(abs(self.change))
            return f"{self.of}: texts shown last are ranked {size} ranks {which} than texts shown first ({figures})."
        return (
            f"{self.of}: no clear effect of the position (from first to last {format_value(self.change)} ranks, "
            f"{figures})."
        )


def start_positions(
    main: pd.DataFrame, ranks: pd.DataFrame, leading: LeadingTest, options: RecipeOptions
) -> StartPositions | None:
    """The effect on one criterion; nothing where positions are not known, or cannot be told from systems.

    Args:
        main: Rankings on one criterion, as `read_rankings` gives them.
        ranks: The same as `rank_table` gives it.
        leading: The leading test of the criterion.
        options: Levels of tests and intervals.
    """
    places = _places(main, ranks)
    given = rank_contrasts(ranks)
    if places is None or given.trials is None:
        return None
    trend, other = start_position_effects(given, places[given.trials])
    if trend is None:
        return None
    size = int(places.max())
    change = (size - 1) * float(trend.estimates[0])
    half = (size - 1) * float(trend.se[0]) * t_quantile(0.5 + options.confidence / 2, trend.df[1])
    again = None
    if len(given.values) <= MOST_VALUES:
        more = {**given.covariates, _POSITION: np.sum(given.rows * places[given.trials], axis=1)}
        again = leading_contrasts(replace(given, covariates=more), of=leading.found.of, options=options)
    values = ranks.to_numpy(dtype=float)
    last = places == np.max(places, axis=1, keepdims=True)
    return StartPositions(
        method="regression with participants as clusters",
        settings={"covariances": "Liang & Zeger, small samples", "confidence": options.confidence},
        of=leading.found.of,
        by=_POSITION,
        change=change,
        ci=(change - half, change + half),
        trend=trend,
        any_difference=other,
        first=float(values[places == 1].mean()),
        last=float(values[last].mean()),
        p=leading.found.p,
        p_without=math.nan if again is None else again.found.p,
        alpha=options.alpha,
        confidence=options.confidence,
        n=len(ranks),
    )


def start_position_effects(given: Contrasts, places: Floats) -> tuple[ClusteredEffect | None, ClusteredEffect | None]:
    """The effect of one position further down, and of all positions with any shape.

    Args:
        given: The ranks within trials as values that compare systems.
        places: Shape (values, systems): where each system was shown first in the value's trial, 0 where it was not.
    """
    people, items = (
        coded(labels.tolist(), "labels")[0].astype(np.int64) for labels in (given.participants, given.items)
    )
    design = CrossedDesign(given.rows, people, items, np.zeros((len(given.values), 0)))
    (trend,) = clustered_effects(design, given.values, np.sum(given.rows * places, axis=1)[:, None])
    steps = range(2, int(places.max()) + 1)
    if trend is None or math.isnan(trend.p) or len(steps) < 2:
        return trend if trend is not None and not math.isnan(trend.p) else None, None
    each = np.column_stack([np.sum(given.rows * (places == step), axis=1) for step in steps])
    (other,) = clustered_effects(design, given.values, each)
    return trend, other if other is not None and not math.isnan(other.p) else None


def _places(main: pd.DataFrame, ranks: pd.DataFrame) -> Floats | None:
    """Shape (rankings, systems), 0 where a system was not shown; nothing unless each ranking has 1, 2, … once."""
    if "start_position" not in main:
        return None
    known = main.assign(place=pd.to_numeric(main["start_position"], errors="coerce"))
    table = known.pivot_table(index=trial_columns(main), columns="system", values="place", sort=False, dropna=False)
    places = table.reindex(index=ranks.index, columns=ranks.columns).to_numpy(dtype=float)
    shown = ranks.notna().to_numpy()
    placed = np.where(shown, places, 0.0)
    absent = np.sum(~shown, axis=1, keepdims=True)
    expected = np.maximum(np.arange(1, shown.shape[1] + 1) - absent, 0)
    return placed if np.array_equal(np.sort(placed, axis=1), expected) else None


def position_table(parts: Sequence[StartPositions | None], confidence: float) -> Table | None:
    """One row per criterion, and a sentence about each; nothing where nothing is known."""
    known = [part for part in parts if part is not None]
    if not known:
        return None
    columns = (
        *("Criterion", "Mean rank shown first", "Mean rank shown last", "Change", "Low", "High", "p"),
        *("p of any difference", "p as analysed", "p without position"),
    )
    rows = [
        (
            *(part.of, part.first, part.last, part.change, *part.ci, part.trend.p),
            *(None if part.any_difference is None else part.any_difference.p, part.p, part.p_without),
        )
        for part in known
    ]
    note = (
        "In studies run with this program, a trial first shows its texts in a random order. Change: from the first to "
        "the last position, in ranks, above 0 where texts shown last are ranked worse; with its "
        f"{per_cent(confidence)} interval and p, by regression of the ranks within each trial, systems taken out, "
        f"{ROBUST}. p of any difference: whether positions differ in any way. p as analysed: that systems differ, by "
        f"the {LEADING}; p without position: the same with the change taken out. "
        f"{' '.join(part.sentence for part in known)}"
    )
    title = "Does it matter where a text was shown first?"
    return Table("start-positions", title, columns, tuple(rows), note, detail=True)


def position_cautions(parts: Sequence[StartPositions | None]) -> Iterator[str]:
    """Where the position matters, and the conclusion depends on it."""
    for part in parts:
        if part is not None and part.trend.p < part.alpha:
            yield from changed_conclusion(part.of, "position shown first", part.p, part.p_without, part.alpha)
