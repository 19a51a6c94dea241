"""Evaluations in the layout of the tables in Belz & Kow (2010): one row per measure, one column per criterion."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from textassay.analysis.evaluation_summary import EvaluationSummary
from textassay.analysis.table_builder import TableColumn, build_table
from textassay.results import Record, Table

_STARS = ((0.01, "**"), (0.05, "*"))
_W = {"W": "Kendall's W between evaluators", "mean W within evaluators": "mean W within evaluators"}
"""Statistic → what the row is called."""


@dataclass(frozen=True)
class LayoutRow:
    """One measure of one version."""

    measure: str
    cells: Mapping[str, str]
    """By criterion."""


def published_layout(versions: Sequence[EvaluationSummary], criteria: Mapping[str, Sequence[str]]) -> Table:
    """The table, version by version; measures that a version lacks have no row.

    Args:
        versions: The evaluations.
        criteria: What a criterion is called here → its name in each version.
    """
    rows = [
        (version.name, row)
        for place, version in enumerate(versions)
        for row in _rows(version, {shown: names[place] for shown, names in criteria.items()})
    ]
    return build_table(
        "comparison-published",
        "In the layout of Belz & Kow (2010)",
        [TableColumn("Measure", lambda row: row.measure), *(_column(name) for name in criteria)],
        rows,
        labels=("Version",),
        note="F: of one-way analyses of variance. Significant pairs: by Tukey's HSD, of all. In brackets: what should "
        "have little effect. *: p < .05, **: p < .01; those of F take all answers as independent.",
    )


def _column(criterion: str) -> TableColumn[LayoutRow]:
    return TableColumn(criterion, lambda row: row.cells.get(criterion))


def _rows(version: EvaluationSummary, names: Mapping[str, str]) -> Iterator[LayoutRow]:
    by_factor: dict[str, dict[str, Record]] = {}
    for shown, name in names.items():
        for record in version.factors(name):
            by_factor.setdefault(record["by"], {})[shown] = record
    if "System" in by_factor:
        yield _ratio("F", by_factor.pop("System"))
    pairs = _found(version, names, "significant pairs", method="Tukey's HSD")
    if pairs:
        cells = {shown: f"{record['value']}/{record['pairs']}" for shown, record in pairs.items()}
        yield LayoutRow("significant pairs", cells)
    for statistic, measure in _W.items():
        found = _found(version, names, statistic)
        known = {shown: record for shown, record in found.items() if not math.isnan(record["value"])}
        if known:
            yield LayoutRow(measure, {shown: _starred(record, leading_zero=False) for shown, record in known.items()})
    for factor, records in by_factor.items():
        yield _ratio(f"({factor} F)", records)


def _found(
    version: EvaluationSummary, names: Mapping[str, str], statistic: str, method: str | None = None
) -> dict[str, Record]:
    found = {shown: version.find(name, statistic, method=method) for shown, name in names.items()}
    return {shown: record for shown, record in found.items() if record is not None}


def _ratio(measure: str, records: Mapping[str, Record]) -> LayoutRow:
    """Degrees of freedom are with the measure where all criteria have the same, otherwise in the cells."""
    df = {shown: "({}, {})".format(*record["df"]) for shown, record in records.items()}
    if len(set(df.values())) == 1:
        named = measure.replace("F", f"F{next(iter(df.values()))}")
        return LayoutRow(named, {shown: _starred(record) for shown, record in records.items()})
    return LayoutRow(measure, {shown: f"{df[shown]} {_starred(record)}" for shown, record in records.items()})


def _starred(record: Record, *, leading_zero: bool = True) -> str:
    if math.isnan(record["value"]):
        return "undefined"
    shown = f"{record['value']:.3f}"
    p = record["p"]
    stars = "" if p is None else next((mark for level, mark in _STARS if p < level), "")
    return f"{shown if leading_zero else shown.removeprefix('0')}{stars}"
