"""Whether answers depend on the place in the session and on the system before, and what the leading test is without it.

Learning and tiring make answers drift over a session; a text may be judged by the one before it. Random orders keep
both from favouring a system on average, but not in a single study.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from textassay.analysis.contrast_models import Contrasts
from textassay.analysis.crossed_model import known_rows
from textassay.analysis.leading_test import LEADING, LeadingTest, leading_contrasts, leading_test
from textassay.analysis.options import RecipeOptions
from textassay.analysis.wording import list_some
from textassay.report.numbers import p_in_words
from textassay.results import Record, Table
from textassay.stats.crossed.clustered_effects import ClusteredEffect, clustered_effects
from textassay.stats.crossed.crossed_design import CrossedDesign
from textassay.stats.distributions import t_quantile
from textassay.stats.samples import coded
from textassay.stats.statistic import Statistic

Floats = npt.NDArray[np.float64]
MOST_VALUES = 100_000
"""Values up to which the leading test is repeated: it costs as much as the first."""
_PLACE, _BEFORE = "place in the session", "system before"


@dataclass(frozen=True, kw_only=True)
class OrderEffects(Statistic):
    """What place and previous system do to one measure."""

    change: float
    """From the first to the last place in the session, in the unit of the measure; nan where it is not known."""
    ci: tuple[float, float]
    place: ClusteredEffect | None
    before: ClusteredEffect | None
    """Of the system in the trial before."""
    p: float
    """Of the leading test."""
    p_without: float
    """Of the leading test with both taken out."""
    alpha: float
    n: int

    @property
    def skipped(self) -> bool:
        """Whether there are too many values to tell."""
        return self.place is None and self.before is None

    def records(self) -> list[Record]:
        """The change over the session, the test of the system before, and the leading test without both."""
        place, before = self.place, self.before
        if self.skipped:
            return []
        found = []
        if place is not None:
            found.append(self.record(_PLACE, self.change, ci=self.ci, df=place.df[1], p=place.p, n=self.n))
        if before is not None:
            found.append(self.record(f"F of the {_BEFORE}", before.f, df=before.df, p=before.p, n=self.n))
        return [*found, self.record("p of the leading test without these", self.p_without, p=self.p_without, n=self.n)]

    @property
    def changes(self) -> bool:
        """Whether place or system before matter, and systems differ significantly only with, or only without, both.

        What does not matter costs degrees of freedom when it is taken out; that changes no conclusion.
        """
        matters = any(each is not None and each.p < self.alpha for each in (self.place, self.before))
        known = not math.isnan(self.p) and not math.isnan(self.p_without)
        return matters and known and (self.p < self.alpha) != (self.p_without < self.alpha)


def order_effects(
    frame: pd.DataFrame, value: str, leading: LeadingTest, *, of: str, options: RecipeOptions
) -> OrderEffects | None:
    """Of values that each belong to a system; nothing where places are not known, or nothing can be told.

    Args:
        frame: Columns `participant, item, system`, that of the measure, and `position`.
        value: The measure's column.
        leading: Its leading test.
        of: What it is called in results.
        options: Levels of tests and intervals.
    """
    placed = _placed(frame, value)
    if placed is None or math.isnan(leading.found.p):
        return None
    if len(placed) > MOST_VALUES:
        return _effects(None, None, 0.0, leading, None, of, options)
    before = _before(placed)
    names = [f"before {number}" for number in range(before.shape[1])]
    given = placed.assign(**dict(zip(names, before.T, strict=True)))
    system, people, items = (
        coded(given[name].tolist(), name)[0].astype(np.int64) for name in ("system", "participant", "item")
    )
    design = CrossedDesign(np.eye(int(system.max()) + 1)[system], people, items, np.zeros((len(given), 0)))
    place = given[["position"]].to_numpy(dtype=float)
    found = clustered_effects(design, given[value].to_numpy(dtype=float), place, before)
    used = [*(["position"] if found[0] else []), *(names if found[1] else [])]
    if not used:
        return None
    again = leading_test(given, value, of=of, options=options, covariates=used)
    return _effects(found[0], found[1], float(np.ptp(place)), leading, again, of, options)


def order_effects_of_contrasts(
    given: Contrasts, before: Floats, leading: LeadingTest, *, of: str, options: RecipeOptions
) -> OrderEffects | None:
    """Of values that compare systems within a trial, which are all at one place: only the systems before may matter.

    Args:
        given: Values and what they compare.
        before: Shape (values, systems): 1 where the system was shown in the trial before.
        leading: The leading test.
        of: What the values are called in results.
        options: Levels of tests and intervals.
    """
    if math.isnan(leading.found.p):
        return None
    if len(given.values) > MOST_VALUES:
        return _effects(None, None, 0.0, leading, None, of, options)
    again = np.sum(given.rows * before, axis=1)
    beside = [column for name, column in given.covariates.items() if given.tell_apart(name)]
    people, items = (
        coded(labels.tolist(), "labels")[0].astype(np.int64) for labels in (given.participants, given.items)
    )
    columns = np.column_stack(beside) if beside else np.zeros((len(again), 0))
    (found,) = clustered_effects(CrossedDesign(given.rows, people, items, columns), given.values, again[:, None])
    if found is None:
        return None
    more = replace(given, covariates={**given.covariates, _BEFORE: again})
    return _effects(None, found, 0.0, leading, leading_contrasts(more, of=of, options=options), of, options)


def shown_before(trials: pd.DataFrame, shown: Floats) -> Floats:
    """For each trial which systems were in the trial before it; none where that is not known.

    Args:
        trials: Columns `participant` and `position`, one row per trial.
        shown: Shape (trials, systems): 1 where the system is in the trial.
    """
    keys = list(zip(trials["participant"].astype(str), _places(trials), strict=True))
    at = {key: number for number, key in enumerate(keys) if not math.isnan(key[1])}
    earlier = [at.get((participant, place - 1), -1) for participant, place in keys]
    return np.asarray(np.vstack([shown, np.zeros((1, shown.shape[1]))])[earlier])


def order_table(parts: Sequence[OrderEffects | None], *, of: str = "Criterion") -> Table | None:
    """One row per measure; nothing where nothing is known."""
    known = [part for part in parts if part is not None]
    if not known:
        return None
    with_place = any(part.place is not None for part in known)
    columns = (
        of,
        *(("Change over the session", "Low", "High", "p") if with_place else ()),
        "F of the system before",
        "p of it",
        "p as analysed",
        "p without these",
    )
    rows = [
        (
            part.of,
            *((part.change, *part.ci, None if part.place is None else part.place.p) if with_place else ()),
            None if part.before is None else part.before.f,
            None if part.before is None else part.before.p,
            part.p,
            None if part.skipped else part.p_without,
        )
        for part in known
    ]
    skipped = [part.of for part in known if part.skipped]
    too_many = f"Not worked out for {list_some(skipped)}: more than {MOST_VALUES:,} values. " if skipped else ""
    note = too_many + (_NOTE if with_place or len(skipped) == len(known) else _NOTE_OF_CONTRASTS)
    return Table("order", "Do place and previous system matter?", columns, tuple(rows), note, detail=True)


ROBUST = "with standard errors clustered by participant (Liang & Zeger 1986)"
_ROBUST = f"participants and items taken out, {ROBUST}"
_NOTE = (
    "Change over the session: how much higher answers are in the last trial than in the first. F of the system before: "
    f"whether it matters which system the trial before showed. Both by regression, {_ROBUST}; "
    f"neither is corrected for the other measures. p as analysed: that systems differ, by the {LEADING}; p without "
    "these: the same with place and system before taken out."
)
_NOTE_OF_CONTRASTS = (
    "Systems are compared within a trial, so that the place of the trial favours none. F of the system before: whether "
    f"a system fares better, or worse, when it was also in the trial before; by regression, {_ROBUST}. "
    f"p as analysed: that systems differ, by the {LEADING}; p without these: the same with that taken out."
)


def order_cautions(parts: Sequence[OrderEffects | None]) -> Iterator[str]:
    """Where the conclusion depends on it."""
    for part in parts:
        if part is not None and part.changes:
            what = "place in the session and the system before" if part.place is not None else "system before"
            yield from changed_conclusion(part.of, what, part.p, part.p_without, part.alpha)


def changed_conclusion(of: str, what: str, p: float, p_without: float, alpha: float) -> Iterator[str]:
    """What to say where systems differ significantly only with, or only without, what was taken out.

    Args:
        of: The criterion or measure.
        what: What was taken out.
        p: Of the leading test.
        p_without: Of the leading test with that taken out.
        alpha: Level of significance.
    """
    if math.isnan(p) or math.isnan(p_without) or (p < alpha) == (p_without < alpha):
        return
    was, would = ("a significant one", "no") if p < alpha else ("none", "a")
    yield (
        f"{of}: with the {what} taken out there is {would} significant difference between systems "
        f"({p_in_words(p_without)}), as analysed there is {was} ({p_in_words(p)}; {LEADING})"
    )


def _effects(
    place: ClusteredEffect | None,
    before: ClusteredEffect | None,
    span: float,
    leading: LeadingTest,
    again: LeadingTest | None,
    of: str,
    options: RecipeOptions,
) -> OrderEffects:
    change, ends = math.nan, (math.nan, math.nan)
    if place is not None:
        change = span * float(place.estimates[0])
        half = span * float(place.se[0]) * t_quantile(0.5 + options.confidence / 2, place.df[1])
        ends = (change - half, change + half)
    return OrderEffects(
        method="regression with participants as clusters",
        settings={"covariances": "Liang & Zeger, small samples", "confidence": options.confidence},
        of=of,
        by="system",
        change=change,
        ci=ends,
        place=place,
        before=before,
        p=leading.found.p,
        p_without=math.nan if again is None else again.found.p,
        alpha=options.alpha,
        n=leading.found.n,
    )


def _placed(frame: pd.DataFrame, value: str) -> pd.DataFrame | None:
    """The rows with a value, each with its place; nothing where a place is missing or comes twice."""
    if "position" not in frame:
        return None
    known = known_rows(frame.assign(position=_places(frame)), [value, "position"])
    twice = known.duplicated(["participant", "position"]).any()
    complete = len(known) == len(known_rows(frame, [value]))
    return known if len(known) and complete and not twice and known["system"].nunique() > 1 else None


def _places(frame: pd.DataFrame) -> list[float]:
    places: list[float] = pd.to_numeric(frame["position"], errors="coerce").astype(float).tolist()
    return places


def _before(placed: pd.DataFrame) -> Floats:
    """Shape (answers, systems - 1): which system was in the trial before, as deviations; 0 where that is not known."""
    codes, names = pd.factorize(placed["system"], sort=True)
    indicators = shown_before(placed, np.eye(len(names))[codes])
    return np.asarray(indicators[:, :-1] - indicators[:, -1:])
