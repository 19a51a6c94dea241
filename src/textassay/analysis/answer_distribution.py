"""What the answers look like before any test: their distribution, each participant's habits and use of the scale."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pandas as pd

from textassay.analysis.judgements import in_order, read_judgements
from textassay.analysis.participant_habits import (
    diagnostics,
    diagnostics_figure,
    diagnostics_table,
    scale_use,
    scale_use_table,
)
from textassay.analysis.wording import slug
from textassay.results import Analysis, Figure, Table

_MOST_VALUES = 21
"""A scale with more values than this is shown in bins."""
_BINS = 10

Scale = tuple[float, float]


@dataclass(frozen=True)
class AnswerDistribution:
    """How often each value, or each bin of values, was given to each system."""

    criterion: str
    values: tuple[str, ...]
    """Labels of the values or bins."""
    systems: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    """One row per system, one column per value."""
    outside: int
    """Answers outside the scale, which no column counts."""
    note: str


def describe_answers(
    judgements: pd.DataFrame,
    *,
    scales: Mapping[str, Scale] | None = None,
    systems: Sequence[str] = (),
    excluded: Collection[str] = (),
) -> Analysis:
    """Distribution of the answers for each system and criterion, and diagnostics of the participants.

    Args:
        judgements: Columns `participant, item, system, criterion, value`; where known `rt_ms, kind, practice, repeat,
            position`.
        scales: Ends of the scale of each criterion; by default those of the values seen.
        systems: The order in which systems are shown; those not named follow by name.
        excluded: Participants whose answers are not counted in the distributions; their diagnostics are shown, marked.

    Raises:
        DataError: a column is missing.
    """
    judged = read_judgements(judgements)
    if judged.main.empty:
        warnings = (*judged.warnings, "there are no answers to describe")
        return Analysis(
            name="description", title="The answers and who gave them", warnings=warnings, place="participants"
        )
    ends = {criterion: (scales or {}).get(criterion) or _seen(judged.main, criterion) for criterion in judged.criteria}
    kept = replace(judged, main=judged.main[~judged.main["participant"].isin(list(excluded))])
    found = [count_answers(kept.of(name).main, name, ends[name], systems) for name in kept.criteria]
    outside = [
        f"{each.criterion}: {each.outside} answer(s) lie outside the scale from {low:g} to {high:g}"
        for each in found
        for low, high in [ends[each.criterion]]
        if each.outside
    ]
    habits = diagnostics(judged, ends, excluded)
    use = [scale_use(judged, name, ends[name], excluded=excluded) for name in judged.criteria]
    return Analysis(
        name="description",
        title="The answers and who gave them",
        results=tuple(use),
        tables=tuple(
            replace(table, detail=True)
            for table in (*map(_table, found), diagnostics_table(habits), scale_use_table(use))
        ),
        figures=(*map(_figure, found), replace(diagnostics_figure(habits), detail=True)),
        warnings=(
            *judged.warnings,
            *outside,
            *habits.warnings,
            *(f"{x.of}: {text}" for x in use for text in x.warnings),
        ),
        place="participants",
    )


def count_answers(main: pd.DataFrame, criterion: str, scale: Scale, systems: Sequence[str] = ()) -> AnswerDistribution:
    """Counts of the answers to one criterion; a long or uneven scale is cut into ten bins."""
    values, names = main["value"].to_numpy(dtype=float), main["system"].to_numpy()
    inside = (values >= scale[0]) & (values <= scale[1])
    labels, codes, note = _binned(values[inside], *scale)
    order = in_order(set(names), systems)
    counts = [np.bincount(codes[names[inside] == system], minlength=len(labels)) for system in order]
    return AnswerDistribution(
        criterion=criterion,
        values=labels,
        systems=tuple(order),
        counts=tuple(tuple(row.tolist()) for row in counts),
        outside=int(np.count_nonzero(~inside)),
        note=note,
    )


def _binned(
    values: npt.NDArray[np.float64], low: float, high: float
) -> tuple[tuple[str, ...], npt.NDArray[np.intp], str]:
    """Labels, the index of the label of each value, and what the labels mean."""
    whole = float(low).is_integer() and bool(np.all(values == np.round(values)))
    if whole and high - low < _MOST_VALUES:
        labels = tuple(str(value) for value in range(int(low), int(high) + 1))
        return labels, (values - low).astype(np.intp), ""
    if low == high:
        return (f"{low:g}",), np.zeros(values.size, dtype=np.intp), ""
    edges = np.linspace(low, high, _BINS + 1)
    labels = tuple(f"{start:g}–{end:g}" for start, end in pairwise(edges))
    codes = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, _BINS - 1)
    return labels, codes.astype(np.intp), "A value on the edge of two bins counts in the upper one."


def _seen(main: pd.DataFrame, criterion: str) -> Scale:
    values = main.loc[main["criterion"] == criterion, "value"]
    return float(values.min()), float(values.max())


def _table(found: AnswerDistribution) -> Table:
    return Table(
        f"distribution-{slug(found.criterion)}",
        f"Answers to {found.criterion}",
        ("System", *found.values),
        tuple((system, *row) for system, row in zip(found.systems, found.counts, strict=True)),
        note=" ".join(["Number of answers of each value.", found.note]).strip(),
    )


def _figure(found: AnswerDistribution) -> Figure:
    return Figure(
        name=f"distribution-{slug(found.criterion)}",
        title=f"Answers to {found.criterion}",
        kind="distribution",
        data={
            "criterion": found.criterion,
            "values": list(found.values),
            "systems": list(found.systems),
            "counts": [list(row) for row in found.counts],
        },
        note=found.note,
    )
