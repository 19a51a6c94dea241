"""One measure compared between systems by subjects and by items, and all pairs by the right error term.

F1 compares each participant's means, F2 each item's; every comparison has the error term of its own analysis. A
participant or item that lacks a system is excluded from these analyses, and counted.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import pandas as pd

from textassay.analysis.table_builder import PAIR, build_table
from textassay.analysis.wording import named_warnings, per_cent
from textassay.pairwise import Better
from textassay.results import Analysis, Result, Table
from textassay.stats import Anova, ErrorTerm, RmAnova, Tukey, anova, by_subjects_items, rm_anova, tukey

Across = Literal["within", "between"]
UNITS = {"subjects": "participant", "items": "item"}
"""What means are taken of → column."""
_NAMED = 5
"""How many names a warning lists."""


@dataclass(frozen=True)
class Ratio:
    """One F ratio."""

    test: str
    """`F1`, `F2` or `min F′`."""
    f: float
    df: tuple[float, float]
    p: float
    p_gg: float | None = None
    """With the degrees of freedom of Greenhouse & Geisser; nothing where there is no sphericity to doubt."""
    partial_eta2: float | None = None
    n: int | None = None
    """Participants or items."""


@dataclass(frozen=True)
class SubjectsItems:
    """One measure compared between systems."""

    of: str
    lines: tuple[Ratio, ...] = ()
    """F1, F2 and min F′, as far as they are defined."""
    pairs: Mapping[str, Tukey] = field(default_factory=dict)
    """By `subjects` and by `items`: all pairs of systems."""
    results: tuple[Result, ...] = ()
    warnings: tuple[str, ...] = ()
    """Without the measure's name."""

    @property
    def p(self) -> float:
        """That of min F′; where it is undefined, of F1 or else F2."""
        both = [line.p for line in self.lines if line.test == "min F′"]
        return both[0] if both else next((line.p for line in self.lines), math.nan)


def subjects_items(
    frame: pd.DataFrame,
    value: str,
    *,
    of: str,
    factor: str = "system",
    across_items: Across | None = None,
    alpha: float | None = 0.05,
    better: Better = "none",
) -> SubjectsItems:
    """One measure by subjects and by items.

    Args:
        frame: Columns `participant`, `item`, that of the factor, and that of the measure.
        value: The measure's column. Rows without a value are omitted, and counted.
        of: What it is called in results.
        factor: The column whose levels are compared.
        across_items: Whether the factor lies within items or between them. Not said: as it lies in the data. `between`
            where the same item has several levels takes each version of it as an item of its own (Lapata 2006,
            experiment 1).
        alpha: Level of the comparisons of pairs; nothing: they are not made.
        better: Which values of the measure are the better ones.
    """
    columns = [*UNITS.values(), factor]
    known = frame[[*columns, value]].assign(**{column: frame[column].astype(str) for column in columns})
    known = known[np.isfinite(known[value].astype(float))]
    lost = len(frame) - len(known)
    warnings = [f"{lost} of {len(frame)} answers have no value; they are omitted"] if lost else []
    if known[factor].nunique() < 2:
        return SubjectsItems(of, warnings=(*warnings, f"there is one {factor} only, so nothing is compared"))
    across = {over: _across(known, column, factor) for over, column in UNITS.items()}
    if across_items == "between" and across["items"] == "within":
        known = known.assign(item=known["item"] + " × " + known[factor])
    across["items"] = across_items or across["items"]
    found = _Comparison(known, value, of, factor, across, alpha, better).found()
    return replace(found, warnings=(*warnings, *found.warnings))


def _across(frame: pd.DataFrame, unit: str, factor: str) -> Across:
    return "between" if frame.groupby(unit)[factor].nunique().max() == 1 else "within"


@dataclass(frozen=True)
class _Comparison:
    """The data of one measure, and how the factor lies in them."""

    frame: pd.DataFrame
    value: str
    of: str
    factor: str
    across: Mapping[str, Across]
    alpha: float | None
    better: Better

    def found(self) -> SubjectsItems:
        """Both analyses over the same answers where that is possible, else each over those it can use."""
        joint = self.complete(UNITS)
        if all(joint[column].nunique() > 1 for column in UNITS.values()):
            return self.of_both(joint)
        parts = [self.alone(over) for over in UNITS]
        why = "min F′ is undefined: it needs two participants and two items with every system"
        return SubjectsItems(
            self.of,
            tuple(line for part in parts for line in part.lines),
            {over: pairs for part in parts for over, pairs in part.pairs.items()},
            tuple(result for part in parts for result in part.results),
            (*(warning for part in parts for warning in part.warnings), why),
        )

    def complete(self, overs: Collection[str]) -> pd.DataFrame:
        """The answers of participants and of items that have every level, where the factor lies within them."""
        frame, levels = self.frame, self.frame[self.factor].nunique()
        before = -1
        while len(frame) != before:  # once an item is gone, a participant may lack a level
            before = len(frame)
            for column in (UNITS[over] for over in overs if self.across[over] == "within"):
                frame = frame[frame.groupby(column)[self.factor].transform("nunique") == levels]
        return frame

    def of_both(self, frame: pd.DataFrame) -> SubjectsItems:
        """F1, F2 and min F′."""
        tests = by_subjects_items(
            frame[self.value].to_numpy(dtype=float),
            frame["participant"].to_numpy(),
            frame["item"].to_numpy(),
            {self.factor: frame[self.factor].to_numpy()},
            across_items=self.across["items"],
            across_subjects=self.across["subjects"],
        ).about(self.of)
        both, tables = tests[self.factor], {"subjects": tests.by_subjects, "items": tests.by_items}
        errors = {over: table[self.factor].error for over, table in tables.items()}
        pairs = self.pairs(frame, errors)
        lines = [self.line(over, table) for over, table in tables.items()]
        warnings = [*(text for over in UNITS for text in self.left_out(frame, over)), *_news(tests.warnings)]
        return SubjectsItems(
            self.of,
            (*lines, Ratio("min F′", both.min_f, both.df, both.p)),
            pairs,
            (tests, *pairs.values()),
            tuple(warnings),
        )

    def alone(self, over: str) -> SubjectsItems:
        """One of the two analyses, where the other is not possible."""
        frame = self.complete([over])
        if frame[UNITS[over]].nunique() < 2:
            text = f"F by {over} is undefined: fewer than 2 of them have every {self.factor}"
            return SubjectsItems(self.of, warnings=(text,))
        test = self.test(frame, over)
        pairs = self.pairs(frame, {over: test.error if isinstance(test, Anova) else test[self.factor].error})
        warnings = [*self.left_out(frame, over), *(f"by {over}: {text}" for text in _news(test.warnings))]
        return SubjectsItems(
            self.of,
            (self.line(over, test),),
            pairs,
            (test, *pairs.values()),
            tuple(warnings),
        )

    def test(self, frame: pd.DataFrame, over: str) -> RmAnova | Anova:
        """The analysis of variance over the means of one kind of unit."""
        of = f"{self.of}, by {over}"
        if self.across[over] == "within":
            values, units = frame[self.value].to_numpy(dtype=float), frame[UNITS[over]].to_numpy()
            return rm_anova(values, units, {self.factor: frame[self.factor].to_numpy()}).about(of)
        means = self.means(frame, over)
        return anova(means[self.value].to_numpy(), means[self.factor].to_numpy(), factor=self.factor).about(of)

    def line(self, over: str, test: RmAnova | Anova) -> Ratio:
        """The test as one line."""
        name = "F1" if over == "subjects" else "F2"
        if isinstance(test, Anova):
            return Ratio(name, test.f, test.df, test.p, None, test.eta2, test.n)
        effect = test[self.factor]
        p_gg = effect.p_gg if effect.sphericity is not None else None
        return Ratio(name, effect.f, (effect.df, effect.error.df), effect.p, p_gg, effect.partial_eta2, test.subjects)

    def pairs(self, frame: pd.DataFrame, errors: Mapping[str, ErrorTerm]) -> dict[str, Tukey]:
        """All pairs of levels, measured by the error term of each analysis."""
        found: dict[str, Tukey] = {}
        if self.alpha is None:
            return found
        for over, error in errors.items():
            means = self.means(frame, over)
            values, labels = means[self.value].to_numpy(dtype=float), means[self.factor].to_numpy()
            of = self.of if over == "subjects" else f"{self.of}, by {over}"
            compared = tukey(values, labels, alpha=self.alpha, factor=self.factor, error=error)
            found[over] = compared.about(of, better=self.better)
        return found

    def means(self, frame: pd.DataFrame, over: str) -> pd.DataFrame:
        """One mean a participant (or item) and level."""
        return frame.groupby([UNITS[over], self.factor], sort=False)[self.value].mean().reset_index()

    def left_out(self, frame: pd.DataFrame, over: str) -> list[str]:
        """Who is not in the data that were used."""
        there = set(self.frame[UNITS[over]].unique())
        gone = sorted(there - set(frame[UNITS[over]].unique()))
        more = f" and {len(gone) - _NAMED} more" if len(gone) > _NAMED else ""
        who = f"{len(gone)} of {len(there)} {over} without every {self.factor}: {', '.join(gone[:_NAMED])}{more}"
        return [f"analyses by subjects and by items leave out {who}"] if gone else []


def _news(warnings: Sequence[str]) -> list[str]:
    """All but that values were averaged, which is what these analyses are."""
    return [text for text in warnings if "were averaged" not in text]


PREFER = (
    "F1 (over participants' means) takes the items as fixed, F2 (over items' means) the participants: an effect that "
    "is significant in both need not hold for other participants and other items at once. min F′ (Clark 1973) tells "
    "that, on the safe side. Show F1 and F2 beside published work; prefer the mixed model, which is sharper and leaves "
    "nobody out."
)
RATIOS = ("Of", "Test", "F", "df 1", "df 2", "p", "p GG", "partial eta squared", "n")
Row = tuple[object, ...]


def subjects_items_analysis(
    frame: pd.DataFrame,
    values: Mapping[str, str],
    *,
    factor: str = "system",
    across_items: Across | None = None,
    alpha: float = 0.05,
) -> Analysis:
    """F1, F2, min F′ and all pairs for each measure, with their tables.

    Args:
        frame: Columns `participant`, `item`, that of the factor, and those of the measures; one row per answer.
        values: What each measure is called → its column. Rows without a value are omitted, and counted.
        factor: The column whose levels are compared.
        across_items: Whether the factor lies within items or between them; see `subjects_items`.
        alpha: Level of the comparisons of pairs.
    """
    parts = [
        subjects_items(frame, column, of=of, factor=factor, across_items=across_items, alpha=alpha)
        for of, column in values.items()
    ]
    return Analysis(
        "by-subjects-items",
        "By subjects and by items",
        results=tuple(result for part in parts for result in part.results),
        tables=(ratios_table(parts), tukey_pairs_table(parts, alpha)),
        warnings=tuple(named_warnings((part.of, part.warnings) for part in parts)),
    )


def ratios_table(parts: Sequence[SubjectsItems], more: Sequence[Row] = (), note: str = "") -> Table:
    """F1, F2 and min F′ of each measure.

    Args:
        parts: One per measure.
        more: Further rows under `RATIOS`; each follows those of the measure it names.
        note: What is to be said of them.
    """
    rows: list[Row] = []
    for part in parts:
        own = [(part.of, x.test, x.f, *x.df, x.p, x.p_gg, x.partial_eta2, x.n) for x in part.lines]
        rows += [*own, *(row for row in more if row[0] == part.of)]
    rows += [row for row in more if row[0] not in {part.of for part in parts}]
    means = "A mean counts the same however many values it has. p GG: on the df of Greenhouse and Geisser."
    note = f"{PREFER} {means} {note}".strip()
    return Table("f-ratios", "Systems compared by subjects and by items", RATIOS, tuple(rows), note)


def tukey_pairs_table(parts: Sequence[SubjectsItems], alpha: float) -> Table:
    """All pairs of systems, by subjects and by items."""
    rows = [(part.of, over, pair) for part in parts for over, found in part.pairs.items() for pair in found.pairs]
    return build_table(
        "pairs-by-subjects-items",
        "All pairs of systems by subjects and by items",
        PAIR,
        rows,
        labels=("Of", "By"),
        note="Tukey's HSD over participants' or items' means, measured by the variance of system × participant or "
        f"system × item. All intervals of one analysis hold together at {per_cent(1 - alpha)}; they take sphericity "
        "for granted: where p GG is far from p, prefer the pairs of the mixed model.",
    )
