"""Error marks as judgements: what each rater marked in a text, weighted by severity and category, and summed.

As in MQM (Freitag et al. 2021, Experts, errors, and context): a text that a rater read without finding an error has one
row that says so (severity or category `no-error`). A rater who has no row for a text has not judged it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from textassay.errors import DataError, UsageError
from textassay.meta.judged_texts import JudgedTexts, cells_of
from textassay.stats.samples import FloatArray
from textassay.tables.frames import read_frame, to_frame
from textassay.tables.reader import columns_of
from textassay.tables.schema import ERROR_MARKS
from textassay.tables.text_files import read_text

CRITERION = "errors"
"""The criterion that marks become; less of it is better."""
NO_ERROR = "no-error"
_ALSO_CALLED = {"participant": ("rater", "annotator"), "item": ("seg_id", "segment", "globalSegId")}
"""Column → what files of others call it, where they do not have it."""
_NEEDED = [column.name for column in ERROR_MARKS.columns if column.required]


@dataclass(frozen=True)
class MarkWeight:
    """What a mark costs."""

    weight: float
    severity: str = ""
    """Of marks of this severity; empty for all."""
    category: str = ""
    """Of marks whose category begins so; empty for all."""

    def fits(self, severities: pd.Series[str], categories: pd.Series[str]) -> pd.Series[bool]:
        """Which marks it is for, by severity and category in lower case."""
        fitting = categories.str.startswith(self.category.lower())
        return fitting & (severities == self.severity.lower()) if self.severity else fitting


MQM_WEIGHTS = (
    MarkWeight(0.0, severity=NO_ERROR),
    MarkWeight(0.0, category=NO_ERROR),
    MarkWeight(25.0, category="non-translation"),
    MarkWeight(0.1, "minor", "fluency/punctuation"),
    MarkWeight(5.0, "major"),
    MarkWeight(1.0, "minor"),
    MarkWeight(0.0, "neutral"),
)
"""Freitag et al. (2021); the first that fits a mark counts."""


def parse_weights(text: str) -> tuple[MarkWeight, ...]:
    """Weights as the command line has them; those of MQM follow for marks that none of them fits.

    >>> for each in parse_weights("critical=10, minor:style=0.5, :non-translation=30")[2:5]:
    ...     print(each)
    MarkWeight(weight=10.0, severity='critical', category='')
    MarkWeight(weight=0.5, severity='minor', category='style')
    MarkWeight(weight=30.0, severity='', category='non-translation')

    Raises:
        UsageError: it has another form.
    """
    found = []
    for part in filter(None, map(str.strip, text.split(","))):
        name, given, number = part.rpartition("=")
        severity, _, category = name.partition(":")
        try:
            weight = float(number)
        except ValueError:
            weight = float("nan")
        if not given or not name.strip() or not np.isfinite(weight):
            form = "severity=weight, severity:category=weight or :category=weight, separated by commas"
            raise UsageError(f"cannot read the weight {part!r}; write {form}")
        found.append(MarkWeight(weight, severity.strip(), category.strip()))
    return (*MQM_WEIGHTS[:2], *found, *MQM_WEIGHTS[2:])


def is_marks(columns: Sequence[str]) -> bool:
    """Whether a table with these columns holds error marks."""
    names = _renamed(columns)
    return all(column in {names.get(each, each) for each in columns} for column in _NEEDED)


def marks_columns(path: Path) -> list[str]:
    """The columns of a file that may hold error marks; see `read_marks`."""
    if path.suffix.lower() == ".tsv":
        first = read_text(path, path.name).split("\n", 1)[0]
        return first.rstrip("\r").split("\t")
    return columns_of(path)


def read_marks(path: Path) -> pd.DataFrame:
    """A table of marks; in a TSV file quotation marks are part of the text, as in the files of others.

    Raises:
        TableError: the file is not such a table.
        DataError: a row has another number of values than the header.
    """
    if path.suffix.lower() != ".tsv":
        # its columns may have the names that others give them
        table = read_frame(path, replace(ERROR_MARKS, columns=()))
        return table.rename(columns=_renamed(table.columns))
    lines = [line.rstrip("\r").split("\t") for line in read_text(path, path.name).split("\n")]
    header, *rows = [line for line in lines if line != [""]]
    wrong = next((place for place, row in enumerate(rows, 2) if len(row) != len(header)), None)
    if wrong is not None:
        raise DataError(f"{path.name}, row {wrong}: {len(rows[wrong - 2])} values, but the header has {len(header)}")
    names = _renamed(header)
    columns = [names.get(each, each) for each in header]
    return to_frame((dict(zip(columns, row, strict=True)) for row in rows), ERROR_MARKS)


def marks_judgements(
    table: pd.DataFrame, weights: Sequence[MarkWeight] = MQM_WEIGHTS, *, name: str = "marks"
) -> JudgedTexts:
    """The sum of the weights of each rater's marks in each text, as judgements on `errors`, of which less is better.

    >>> table = pd.DataFrame({"item": [1, 1, 1, 2], "system": "a", "participant": ["p", "p", "q", "p"],
    ...     "category": ["Style/Awkward", "Fluency/Punctuation", "Accuracy/Omission", "No-error"],
    ...     "severity": ["Minor", "Minor", "Major", "No-error"]})
    >>> marks_judgements(table).judgements[["participant", "item", "value", "marks"]].values.tolist()
    [['p', '1', 1.1, 2], ['q', '1', 5.0, 1], ['p', '2', 0.0, 0]]

    Args:
        table: Columns `item, system, participant, category, severity`; the first three also under the names that
            files of others give them (`seg_id`, `rater` …). One row per mark, or one without error.
        weights: The first that fits a mark counts.
        name: What reports call it.

    Raises:
        DataError: a column is missing, or a mark that no weight fits.
    """
    table = table.rename(columns=_renamed(table.columns))
    missing = [column for column in _NEEDED if column not in table]
    if missing:
        there = ", ".join(map(str, table.columns)) or "none"
        raise DataError(f"error marks need the column(s) {', '.join(missing)}; there are: {there}")
    key = ["participant", "item", "system"]
    unnamed = table[key].isna().any(axis=1) | (table[key].astype(str) == "").any(axis=1)
    if unnamed.any():
        raise DataError(f"error marks, row {int(np.argmax(unnamed)) + 1}: participant, item or system is missing")
    costs, found = _weighted(table, weights)
    marks = table[key].astype(str).assign(value=costs, marks=found)
    sums = marks.groupby(key, sort=False)[["value", "marks"]].sum().reset_index()
    judged = sums.assign(criterion=CRITERION, value=sums["value"].round(12))
    return JudgedTexts(name, judged, frozenset({CRITERION}), cells_of(table, "text"))


def _weighted(table: pd.DataFrame, weights: Sequence[MarkWeight]) -> tuple[FloatArray, FloatArray]:
    """What each row costs, and 1 where it is a mark, 0 where it says that there is none."""
    severity, category = (
        table[name].fillna("").astype(str).str.strip().str.lower() for name in ("severity", "category")
    )
    severity, category = (each.str.replace("no error", NO_ERROR) for each in (severity, category))
    cost = np.full(len(table), np.nan)
    for each in reversed(weights):
        cost[each.fits(severity, category).to_numpy()] = each.weight
    unknown = np.flatnonzero(np.isnan(cost))
    if unknown.size:
        row = table.iloc[unknown[0]]
        raise DataError(
            f"error marks, row {unknown[0] + 1}: no weight for severity {row['severity']!r}, category "
            f"{row['category']!r}; give it one"
        )
    none = (severity == NO_ERROR) | category.str.startswith(NO_ERROR)
    return cost, (~none).to_numpy().astype(int)


def _renamed(columns: Sequence[str] | pd.Index[str]) -> Mapping[str, str]:
    """Columns of the files of others → their names here, where they are not there."""
    there = set(columns)
    found = {}
    for own, others in _ALSO_CALLED.items():
        other = next((each for each in others if each in there), None)
        if own not in there and other is not None:
            found[other] = own
    return found
