"""Whether a text fares otherwise because of its position among the texts that a trial shows together.

People may favour what they read first, or judge the later texts by the earlier ones. The order in which the texts of a
trial are shown is random for every trial, so that no system gains by it on average; but it adds noise, and in a single
study one system may have had better positions than another.

By least squares with systems taken out, of the answers within each trial (`trial_contrasts`), with standard errors
clustered by participant (Liang & Zeger 1986). The trend compares the last position with the first as if each step did
the same; the test of any difference finds other shapes too, such as a bad place in the middle.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from textassay.analysis.contrast_models import Contrasts
from textassay.analysis.leading_test import LEADING, LeadingTest, leading_test
from textassay.analysis.options import RecipeOptions
from textassay.analysis.order_effects import MOST_VALUES, ROBUST, changed_conclusion
from textassay.analysis.trial_contrasts import trial_columns, trial_contrasts, trial_table
from textassay.analysis.wording import per_cent
from textassay.report.numbers import format_value, p_in_words
from textassay.results import Record, Table
from textassay.stats.crossed.clustered_effects import ClusteredEffect, clustered_effects
from textassay.stats.crossed.crossed_design import CrossedDesign
from textassay.stats.distributions import t_quantile
from textassay.stats.samples import coded
from textassay.stats.statistic import Statistic

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PositionWords:
    """How positions are spoken of."""

    column: str
    """Of the table of answers."""
    position: str
    values: str
    """What texts are given."""
    mean: str
    given: str
    """The verb."""
    unit: str
    more: str
    """What a change above 0 is, as an adverb."""
    less: str


@dataclass(frozen=True, kw_only=True)
class PositionEffect(Statistic):
    """What the position of a text does to the answers on one criterion."""

    change: float
    """From the first to the last position, in the unit of the answers: above 0 where texts shown last get more."""
    ci: tuple[float, float]
    trend: ClusteredEffect
    any_difference: ClusteredEffect | None
    """Of all positions; nothing where it is the trend, or cannot be told."""
    first: float
    """Mean of the texts shown first."""
    last: float
    """Mean of those shown last."""
    p: float
    """Of the leading test."""
    p_without: float
    """Of the leading test with the trend taken out; nan where there are too many values to repeat it."""
    alpha: float
    confidence: float
    n: int
    """Trials."""
    words: PositionWords

    def records(self) -> list[Record]:
        """The trend, the test of any difference, and the leading test without the trend."""
        trend, other, position = self.trend, self.any_difference, self.words.position
        found = [self.record(f"change by {position}", self.change, ci=self.ci, df=trend.df[1], p=trend.p, n=self.n)]
        if other is not None:
            found.append(self.record(f"F of the {position}", other.f, df=other.df, p=other.p, n=self.n))
        name = f"p of the leading test without the {position}"
        return [*found, self.record(name, self.p_without, p=self.p_without, n=self.n)]

    @property
    def sentence(self) -> str:
        """What was found, for a reader who knows no tests."""
        low, high = map(format_value, self.ci)
        words, figures = self.words, f"{per_cent(self.confidence)} CI {low} to {high}, {p_in_words(self.trend.p)}"
        if self.trend.p < self.alpha:
            which = words.more if self.change > 0 else words.less
            much = f"{format_value(abs(self.change))} {words.unit} {which}"
            return f"{self.of}: texts shown last are {words.given} {much} than texts shown first ({figures})."
        much = f"{format_value(self.change)} {words.unit}"
        return f"{self.of}: no clear effect of the position (from first to last {much}, {figures})."


ON_PAGE = PositionWords(
    "page_position", "position on the page", "ratings", "Mean rating", "rated", "points", "higher", "lower"
)
"""Of ratings of several texts on one page."""


def rating_positions(main: pd.DataFrame, leading: LeadingTest, options: RecipeOptions) -> PositionEffect | None:
    """The effect on the ratings of one criterion; nothing where texts were rated one by one.

    Args:
        main: First answers; columns `participant, item, system, value`, and `page_position` where it is known.
        leading: The leading test of the criterion.
        options: Levels of tests and intervals.
    """
    column = ON_PAGE.column
    if column not in main or math.isnan(leading.found.p):
        return None
    known = main.assign(**{column: pd.to_numeric(main[column], errors="coerce")})
    if known[column].isna().any() or not known.duplicated(trial_columns(known)).any():
        return None
    table = trial_table(known, sorted(set(known["system"])))

    def without() -> LeadingTest:
        return leading_test(known, "value", of=leading.found.of, options=options, covariates=[column])

    return position_effect(known, table, leading, without, options, ON_PAGE)


def position_effect(
    main: pd.DataFrame,
    table: pd.DataFrame,
    leading: LeadingTest,
    without: Callable[[], LeadingTest],
    options: RecipeOptions,
    words: PositionWords,
) -> PositionEffect | None:
    """The effect on one criterion; nothing where positions are not known, or cannot be told from systems.

    Args:
        main: Answers on one criterion, one row per text.
        table: The same as `trial_table` gives it.
        leading: The leading test of the criterion.
        without: Gives the leading test with the position taken out.
        options: Levels of tests and intervals.
        words: How positions are spoken of.
    """
    places = places_of(main, table, words.column)
    given = trial_contrasts(table)
    if places is None or given.trials is None:
        return None
    trend, other = position_effects(given, places[given.trials])
    if trend is None:
        return None
    size = int(places.max())
    change = (size - 1) * float(trend.estimates[0])
    half = (size - 1) * float(trend.se[0]) * t_quantile(0.5 + options.confidence / 2, trend.df[1])
    values = table.to_numpy(dtype=float)
    last = places == np.max(places, axis=1, keepdims=True)
    return PositionEffect(
        method="regression with participants as clusters",
        settings={"covariances": "Liang & Zeger, small samples", "confidence": options.confidence},
        of=leading.found.of,
        by=words.position,
        change=change,
        ci=(change - half, change + half),
        trend=trend,
        any_difference=other,
        first=float(values[places == 1].mean()),
        last=float(values[last].mean()),
        p=leading.found.p,
        p_without=without().found.p if len(given.values) <= MOST_VALUES else math.nan,
        alpha=options.alpha,
        confidence=options.confidence,
        n=len(table),
        words=words,
    )


def position_effects(given: Contrasts, places: Floats) -> tuple[ClusteredEffect | None, ClusteredEffect | None]:
    """The effect of one position further down, and of all positions with any shape.

    Args:
        given: The answers within trials as values that compare systems.
        places: Shape (values, systems): where each system was shown in the value's trial, 0 where it was not.
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


def places_of(main: pd.DataFrame, table: pd.DataFrame, column: str) -> Floats | None:
    """Shape (trials, systems), 0 where there is no answer about a system; nothing unless all places are known."""
    if column not in main:
        return None
    known = main.assign(place=pd.to_numeric(main[column], errors="coerce"))
    found = known.pivot_table(index=trial_columns(main), columns="system", values="place", sort=False, dropna=False)
    places = found.reindex(index=table.index, columns=table.columns).to_numpy(dtype=float)
    shown = table.notna().to_numpy()
    placed = np.where(shown, places, 0.0)
    ordered = np.sort(placed, axis=1)
    twice = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] > 0)
    sound = np.all(places[shown] >= 1) and np.all(places[shown] % 1 == 0) and not twice.any()
    return placed if sound else None


def rating_position_table(parts: Sequence[PositionEffect | None], confidence: float) -> Table | None:
    """Of ratings of several texts on one page; nothing where nothing is known."""
    title = "Does it matter where on its page a text was shown?"
    about = "Texts were rated together on one page, in studies run with this program in a random order."
    return position_table("page-positions", title, about, parts, confidence)


def position_table(
    name: str, title: str, about: str, parts: Sequence[PositionEffect | None], confidence: float
) -> Table | None:
    """One row per criterion, and a sentence about each; nothing where nothing is known.

    Args:
        name: Of the table.
        title: Of the table.
        about: How texts came to be shown where they were.
        parts: One per criterion.
        confidence: Of the intervals.
    """
    known = [part for part in parts if part is not None]
    if not known:
        return None
    words = known[0].words
    columns = (
        *("Criterion", f"{words.mean} shown first", f"{words.mean} shown last", "Change", "Low", "High"),
        *("p", "p of any difference", "p as analysed", "p without position"),
    )
    rows = [
        (
            *(part.of, part.first, part.last, part.change, *part.ci, part.trend.p),
            *(None if part.any_difference is None else part.any_difference.p, part.p, part.p_without),
        )
        for part in known
    ]
    note = (
        f"{about} Change: from the first to the last position, in {words.unit}, above 0 where texts shown last are "
        f"{words.given} {words.more}; with its {per_cent(confidence)} interval and p, by regression of the "
        f"{words.values} within each trial, systems taken out, {ROBUST}. p of any difference: whether positions differ "
        f"in any way. p as analysed: that systems differ, by the {LEADING}; p without position: the same with the "
        f"change taken out. {' '.join(part.sentence for part in known)}"
    )
    return Table(name, title, columns, tuple(rows), note, detail=True)


def position_cautions(parts: Sequence[PositionEffect | None]) -> Iterator[str]:
    """Where the position matters, and the conclusion depends on it."""
    for part in parts:
        if part is not None and part.trend.p < part.alpha:
            what = "position shown first" if part.words is not ON_PAGE else part.words.position
            yield from changed_conclusion(part.of, what, part.p, part.p_without, part.alpha)
