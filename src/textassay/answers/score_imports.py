"""Scores of metrics and judges that were computed elsewhere: checked against the study, kept in its directory.

They come as a long table (`item, system, metric, value`) or as a wide one (`item, system`, one column per metric), and
are kept as a long one, `imported/scores.csv`. Nothing of textassay's own is written there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from textassay import catalogue
from textassay.answers.columns import IMPORTED_FOLDER
from textassay.errors import Problem, TableError, UsageError
from textassay.study.study import Study
from textassay.tables.reader import Row, Rows, UnfitValueError, columns_of, convert, read_table
from textassay.tables.schema import SCORES, SYSTEM, Column, TableSchema
from textassay.tables.writer import write_table

IMPORTED = "imported"
"""End of the signature of a score that came without one."""
DIRECTIONS = ("higher", "lower")
_WIDE = TableSchema(
    SCORES.name,
    "scores with one column per metric",
    (Column("item", "text", "the item; empty where the scores are for the whole system"), SYSTEM),
    key=("item", "system"),
)
_COLUMNS = [column.name for column in SCORES.columns]

ScoreRow = dict[str, Any]


@dataclass(frozen=True)
class ScoreImport:
    """What was imported."""

    rows: int
    metrics: tuple[str, ...]
    path: Path
    """The copy in the study directory."""
    left_out: tuple[str, ...] = ()
    """Columns of a wide table without numbers."""
    assumed: tuple[str, ...] = ()
    """Metrics of which nobody said whether higher is better."""

    def __str__(self) -> str:
        text = f"scores: imported {self.rows} scores by {', '.join(self.metrics)} into {self.path}"
        return f"{text}; columns without numbers, left out: {', '.join(self.left_out)}" if self.left_out else text


def holds_scores(path: Path) -> bool:
    """Whether a file holds scores: by its columns, or by its name where it may be a wide table.

    Raises:
        TableError: it cannot be read.
    """
    header = columns_of(path)
    return {"system", "metric", "value"} <= set(header) or (path.stem == SCORES.name and "participant" not in header)


def import_scores(
    study: Study, path: Path, *, lower: Collection[str] = (), replace_earlier: bool = False
) -> ScoreImport:
    """Import scores that were computed elsewhere; those of other metrics that were imported earlier stay.

    Args:
        study: The study whose texts were scored.
        path: The file.
        lower: Metrics of which lower values are better.
        replace_earlier: Whether scores of the same metrics may be replaced.

    Raises:
        TableError: with every problem found.
        UsageError: a metric has the name of one of the study's own or was imported already, or `lower` names none.
    """
    rows, left_out = _long(path) if "metric" in columns_of(path) else _wide(path)
    metrics = tuple(dict.fromkeys(row["metric"] for row in rows))
    wrong = [name for name in lower if name not in metrics]
    if wrong:
        raise UsageError(f"--lower-is-better {wrong[0]}: {path.name} has no such metric; it has: {', '.join(metrics)}")
    _refuse_own_names(study, metrics)
    kept = imported_scores(study)
    again = [name for name in metrics if any(row["metric"] == name for row in kept)]
    if again and not replace_earlier:
        raise UsageError(f"scores by {', '.join(again)} were imported already; replace them with --replace")
    table = Rows(SCORES, tuple(_COLUMNS), tuple(rows), path.name)
    problems = [*_unknown(table, "item", study.items_in_order), *_unknown(table, "system", study.systems)]
    problems += _directions(table)
    if problems:
        raise TableError(problems)
    new = [_kept(row, lower) for row in rows]
    target = _path(study)
    write_table(target, _COLUMNS, [*(row for row in kept if row["metric"] not in metrics), *new])
    known = catalogue.names("metric")
    said = {row["metric"] for row in new if row["better"]}
    assumed = tuple(name for name in metrics if name not in said and name not in known)
    return ScoreImport(len(rows), metrics, target, left_out, assumed)


def imported_scores(study: Study) -> list[ScoreRow]:
    """Rows of the table `scores` that were imported; each has the column `better`, empty where nobody said.

    Raises:
        TableError: the table is wrong.
        UsageError: a metric has the name of one of the study's own.
    """
    path = _path(study)
    if not path.exists():
        return []
    table = read_table(path, SCORES, f"{IMPORTED_FOLDER}/{path.name}")
    rows = [{"better": "", **row.values} for row in table]
    _refuse_own_names(study, dict.fromkeys(row["metric"] for row in rows))
    return rows


def _path(study: Study) -> Path:
    return study.directory / IMPORTED_FOLDER / f"{SCORES.name}.csv"


def _refuse_own_names(study: Study, metrics: Collection[str]) -> None:
    own = {choice.label or choice.metric for choice in study.file.metrics}
    clash = [name for name in metrics if name in own]
    if clash:
        remedy = "rename it in the table of scores, or give the study's own a 'label'"
        raise UsageError(f"the imported metric {clash[0]!r} has the name of one of the study's own metrics; {remedy}")


def _long(path: Path) -> tuple[list[Row], tuple[str, ...]]:
    return list(read_table(path, SCORES)), ()


def _wide(path: Path) -> tuple[list[Row], tuple[str, ...]]:
    """One row per text and metric; a column without any number is no metric."""
    table = read_table(path, _WIDE)
    others = [column for column in table.columns if _WIDE.column(column) is None]
    metrics = [column for column in others if any(_is_number(row[column]) for row in table)]
    if not metrics:
        raise TableError([Problem(table.file, 1, 0, "", "no column of numbers; add one for each metric")])
    found, problems = [], []
    for row in table:
        for metric in metrics:
            try:
                value = None if _is_empty(row[metric]) else convert(row[metric], "number")
            except UnfitValueError as error:
                problems.append(table.problem(row, metric, str(error)))
                continue
            cells = {"item": row.get("item") or "", "system": row["system"], "metric": metric, "value": value}
            found.append(replace(row, values=cells))
    if problems:
        raise TableError(problems)
    return found, tuple(column for column in others if column not in metrics)


def _is_empty(value: object) -> bool:
    return value is None or not str(value).strip()


def _is_number(value: object) -> bool:
    try:
        return not _is_empty(value) and convert(value, "number") is not None
    except UnfitValueError:
        return False


def _kept(row: Row, lower: Collection[str]) -> ScoreRow:
    metric = row["metric"]
    better = "lower" if metric in lower else str(row.get("better") or "").strip().casefold()
    return {**row.values, "signature": row.get("signature") or f"{metric}|{IMPORTED}", "better": better}


def _unknown(table: Rows, column: str, known: Sequence[str]) -> Iterator[Problem]:
    """One problem for each name that the study does not have, at its first line."""
    there, first = set(known), dict[str, Row]()
    for row in table:
        name = str(row.get(column) or "")
        if name and name not in there:
            first.setdefault(name, row)
    for name, row in first.items():
        yield table.problem(row, column, f"the study has no {column} {name!r}; correct it or remove its rows")


def _directions(table: Rows) -> Iterator[Problem]:
    said: dict[str, set[str]] = {}
    for row in table:
        better = str(row.get("better") or "").strip().casefold()
        if better and better not in DIRECTIONS:
            yield table.problem(row, "better", f"{row['better']!r} is neither higher nor lower; write one of the two")
        said.setdefault(row["metric"], set()).add(better)
    first = {row["metric"]: row for row in reversed(table.rows)}
    for metric, each in said.items():
        if set(DIRECTIONS) <= each:
            yield table.problem(first[metric], "better", f"both higher and lower are better of {metric!r}; write one")
