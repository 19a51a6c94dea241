"""Whether systems differ by subjects (F1), by items (F2) and over both (min F′), with all pairs (Lapata 2006)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from textassay.analysis.subjects_items import Across, SubjectsItems, subjects_items
from textassay.analysis.wording import named_warnings
from textassay.results import Analysis, Table

PREFER = (
    "F1 (over participants' means) takes the items as fixed, F2 (over items' means) the participants: an effect that "
    "is significant in both need not hold for other participants and other items at once. min F′ (Clark 1973) tells "
    "that, on the safe side. Show F1 and F2 beside published work; prefer the mixed model, which is sharper and leaves "
    "nobody out."
)
RATIOS = ("Of", "Test", "F", "df 1", "df 2", "p", "p GG", "partial eta squared", "n")
PAIRS = ("Of", "By", "System", "Other system", "Difference", "Low", "High", "p", "Significant")
Row = tuple[object, ...]


def by_subjects_items(
    frame: pd.DataFrame,
    values: Mapping[str, str],
    *,
    factor: str = "system",
    across_items: Across | None = None,
    alpha: float = 0.05,
) -> Analysis:
    """F1, F2, min F′ and all pairs for each measure, with their tables.

    Args:
        frame: Columns `participant`, `item`, that of the factor, and those of the measures; one row an answer.
        values: What each measure is called → its column. Rows without a value are left out, and counted.
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
        tables=(ratios_table(parts), pairs_table(parts, alpha)),
        warnings=tuple(named_warnings((part.of, part.warnings) for part in parts)),
    )


def ratios_table(parts: Sequence[SubjectsItems], more: Sequence[Row] = (), note: str = "") -> Table:
    """F1, F2 and min F′ of each measure.

    Args:
        parts: One a measure.
        more: Further rows under `RATIOS`, such as those of a mixed model; each follows those of the measure it names.
        note: What is to be said of them.
    """
    rows: list[Row] = []
    for part in parts:
        own = [(part.of, x.test, x.f, *x.df, x.p, x.p_gg, x.partial_eta2, x.n) for x in part.lines]
        rows += [*own, *(row for row in more if row[0] == part.of)]
    rows += [row for row in more if row[0] not in {part.of for part in parts}]
    means = "A mean counts the same however many values it has. p GG: on the df of Greenhouse and Geisser."
    note = f"{PREFER} {means} {note}".strip()
    return Table("tests", "Do the systems differ?", RATIOS, tuple(rows), note)


def pairs_table(parts: Sequence[SubjectsItems], alpha: float) -> Table:
    """All pairs of systems, by subjects and by items."""
    rows = [
        (part.of, over, pair.first, pair.second, pair.difference, *pair.ci, pair.p, pair.significant)
        for part in parts
        for over, found in part.pairs.items()
        for pair in found.pairs
    ]
    return Table(
        "pairs",
        "All pairs of systems by subjects and by items",
        PAIRS,
        tuple(rows),
        note="Tukey's HSD over participants' or items' means, measured by the variance of system × participant or "
        f"system × item. All intervals of one analysis hold together at {100 * (1 - alpha):g} %; they take sphericity "
        "for granted: where p GG is far from p, prefer the pairs of the mixed model.",
    )
