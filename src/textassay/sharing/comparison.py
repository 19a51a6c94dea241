"""Stored and recomputed results side by side: which numbers differ, and by how much.

Records are matched by what they say they are (statistic, of, by, method), tables by name, and rows by their texts, so
that a result that came in another order is compared with its own counterpart. What has no counterpart is told.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any

from textassay.results import Record
from textassay.sharing.results_file import NOT_FINITE

TOLERANCE = 1e-9
"""Largest relative difference that counts as none."""
_FLOOR = 1e-6
"""Times the tolerance: numbers that close to 0 are what rounding left of a 0."""
_NAMED_BY = ("statistic", "of", "by", "method")
"""Keys of a record that say what it is."""
_LONGEST = 80
"""Characters of the texts by which a row is told from others."""
_VERSION = re.compile(r"\|version:[^|]*")
"""What a signature says of the release."""

Values = dict[tuple[str, str, str], Any]
"""Single values by analysis, record or table, and key or cell."""


@dataclass(frozen=True)
class Difference:
    """A value that came out otherwise."""

    analysis: str
    part: str
    """The record or table."""
    cell: str
    """The key of the record, or the cell of the table."""
    stored: Any
    recomputed: Any

    @property
    def difference(self) -> float | None:
        """Recomputed less stored; nothing where one of them is no number."""
        if is_number(self.stored) and is_number(self.recomputed):
            return float(_as_float(self.recomputed) - _as_float(self.stored))
        return None

    @property
    def relative(self) -> float | None:
        """The size of the difference relative to the stored number; nothing where that is 0 or undefined."""
        size = self.difference
        base = _as_float(self.stored) if size is not None else 0.0
        return abs(size / base) if size is not None and base and math.isfinite(size / base) else None

    def record(self) -> Record:
        """The difference as a row of a table."""
        return {
            "analysis": self.analysis,
            "result": self.part,
            "cell": self.cell,
            "stored": self.stored,
            "recomputed": self.recomputed,
            "difference": self.difference,
            "relative": self.relative,
        }


@dataclass(frozen=True)
class ResultsComparison:
    """Two sets of results side by side."""

    numbers: int
    """Numbers that both have."""
    texts: int
    """Texts that both have: labels, methods, sentences."""
    differences: tuple[Difference, ...]
    """Numbers first, the largest relative difference first."""
    only_stored: tuple[tuple[str, str, str], ...]
    """Analysis, record or table, and cell of values without a counterpart."""
    only_recomputed: tuple[tuple[str, str, str], ...]

    @property
    def different_numbers(self) -> int:
        """How many of the differences are of numbers."""
        return sum(is_number(each.stored) for each in self.differences)

    @property
    def unmatched(self) -> int:
        """How many values have no counterpart."""
        return len(self.only_stored) + len(self.only_recomputed)

    @property
    def same(self) -> bool:
        """Whether everything came out the same."""
        return not self.differences and not self.unmatched


def compare_results(
    stored: Mapping[str, Any], recomputed: Mapping[str, Any], *, tolerance: float = TOLERANCE, sentences: bool = True
) -> ResultsComparison:
    """Compare two sets of results; see `results_file.results_of`.

    Args:
        stored: Those of a bundle.
        recomputed: Those worked out again.
        tolerance: The largest relative difference that counts as none.
        sentences: Whether methods, headlines and warnings are compared, too; another release may word them otherwise.
    """
    before, after = _paired_values(stored, recomputed, sentences=sentences)
    common = [where for where in before if where in after]
    found = [
        Difference(*where, before[where], after[where])
        for where in common
        if not _same(before[where], after[where], tolerance)
    ]
    numbers = sum(is_number(before[where]) for where in common)
    return ResultsComparison(
        numbers,
        len(common) - numbers,
        tuple(sorted(found, key=_by_size)),
        tuple(where for where in before if where not in after),
        tuple(where for where in after if where not in before),
    )


def is_number(value: Any) -> bool:
    """Whether a value of the results is a number, even one that JSON has no word for."""
    return (isinstance(value, (int, float)) and not isinstance(value, bool)) or value in NOT_FINITE


def _as_float(value: Any) -> float:
    return float(value)  # which reads the words for numbers that are not finite, too


def _same(one: Any, other: Any, tolerance: float) -> bool:
    if isinstance(one, bool) or isinstance(other, bool) or not (is_number(one) and is_number(other)):
        return type(one) is type(other) and one == other
    if one in NOT_FINITE or other in NOT_FINITE:
        return bool(one == other)
    return one == other or math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance * _FLOOR)


def _by_size(difference: Difference) -> tuple[bool, float]:
    if difference.relative is not None:
        return False, -difference.relative
    return not is_number(difference.stored), -math.inf


def _paired_values(
    stored: Mapping[str, Any], recomputed: Mapping[str, Any], *, sentences: bool
) -> tuple[Values, Values]:
    """Every single value of the two, the same place under the same name in both."""
    found: tuple[Values, Values] = ({}, {})
    analyses = [_named(results.get("analyses", ())) for results in (stored, recomputed)]
    for values, results, own in zip(found, (stored, recomputed), analyses, strict=True):
        _flatten(values, "participants", "figures", results.get("participants", {}).get("figures", {}))
        for part in ("methods", "registration") if sentences else ():
            _flatten(values, part, "paragraphs", results.get(part, ()))
        for number, design in enumerate(results.get("design", ()), 1):
            _flatten(values, "design", str(design.get("name") or number), design)
        for name, row in _identified(results.get("scores", ()), ("metric", "system", "item")).items():
            _flatten(values, "scores", name, row)
        for name, analysis in own.items():
            for key, record in _identified(analysis.get("records", ()), _NAMED_BY).items():
                _flatten(values, name, key, record)
            for key in ("headlines", "warnings") if sentences else ():
                _flatten(values, name, key, analysis.get(key, ()))
    _pair_tables(found, "participants", *(each.get("participants", {}) for each in (stored, recomputed)))
    for name in dict.fromkeys(name for own in analyses for name in own):
        _pair_tables(found, name, *(own.get(name, {}) for own in analyses))
    return found


def _pair_tables(
    into: tuple[Values, Values], analysis: str, stored: Mapping[str, Any], recomputed: Mapping[str, Any]
) -> None:
    """The cells of both tables of each name; rows are told by their texts where these are the same in both."""
    sides = [_named(each.get("tables", ())) for each in (stored, recomputed)]
    for name in dict.fromkeys(name for side in sides for name in side):
        labels = [_labels(side[name]["rows"]) for side in sides if name in side]
        by_label = all(set(own) == set(labels[0]) for own in labels)
        for values, table in ((values, side[name]) for values, side in zip(into, sides, strict=True) if name in side):
            rows = table["rows"]
            keys = _labels(rows) if by_label else [f"row {number}" for number, _ in enumerate(rows, 1)]
            for key, row in zip(keys, rows, strict=True):
                for column, cell in zip(table["columns"], row, strict=True):
                    _flatten(values, analysis, f"table {name}", cell, f"{key}: {column}")


def _flatten(into: Values, analysis: str, part: str, value: Any, cell: str = "") -> None:
    """Each single value under the path that leads to it."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            _flatten(into, analysis, part, inner, f"{cell}.{key}" if cell else str(key))
    elif isinstance(value, (list, tuple)):
        for place, inner in enumerate(value, 1):
            _flatten(into, analysis, part, inner, f"{cell} {place}".strip())
    elif value is not None:  # nothing has nothing to be compared with
        text = _VERSION.sub("", value) if isinstance(value, str) else value
        into[analysis, part, cell] = text


def _once(names: Sequence[str]) -> Iterator[str]:
    """Each name, with a number where it has been there before.

    >>> list(_once(["a", "a", "a (2)"]))
    ['a', 'a (2)', 'a (2) (2)']
    """
    seen: set[str] = set()
    for name in names:
        free = chain([name], (f"{name} ({number})" for number in count(2)))
        chosen = next(each for each in free if each not in seen)
        seen.add(chosen)
        yield chosen


def _named(parts: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    return dict(zip(_once([str(part.get("name", "")) for part in parts]), parts, strict=True))


def _identified(records: Sequence[Record], keys: Sequence[str]) -> dict[str, Record]:
    """Records by what their keys say they are."""
    names = [" · ".join(str(record[key]) for key in keys if record.get(key)) for record in records]
    return dict(zip(_once(names), records, strict=True))


def _labels(rows: Sequence[Sequence[Any]]) -> list[str]:
    """The texts of each row, which tell it from others; a number where two rows have the same."""
    texts = [" · ".join(cell for cell in row if isinstance(cell, str) and cell not in NOT_FINITE) for row in rows]
    return list(_once([text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…" for text in texts]))
