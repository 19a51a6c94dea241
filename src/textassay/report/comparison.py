"""Two analyses side by side: those who passed the screening, and everyone."""

from __future__ import annotations

from typing import Any

from textassay.results import RECORD_KEYS, Analysis, Record, Table

_NUMBERS = ("value", "p", "n")
_Key = tuple[tuple[str, str], ...]


def side_by_side(valid: Analysis, everyone: Analysis) -> Table:
    """The numbers of all records that either analysis has, in the order of the report."""
    left, right = _by_key(valid), _by_key(everyone)
    keys = list(dict.fromkeys([*left, *right]))
    names = list(dict.fromkeys(name for key in keys for name, _ in key))
    rows = tuple(
        (*(dict(key).get(name) for name in names), *_numbers(left.get(key)), *_numbers(right.get(key))) for key in keys
    )
    columns = (*names, *_NUMBERS, *(f"{number} (all)" for number in _NUMBERS))
    note = "Columns with (all): everyone who answered; the others: those who passed the screening."
    return Table(f"{valid.name}-with-and-without", f"{valid.title}: with and without exclusions", columns, rows, note)


def _by_key(analysis: Analysis) -> dict[_Key, Record]:
    """Records by what names them: of, statistic, by, and the method's own words, such as the pair compared."""
    return {_key(record): record for record in analysis.records()}


def _key(record: Record) -> _Key:
    own = [key for key, value in record.items() if key not in RECORD_KEYS and isinstance(value, str)]
    return tuple((name, str(record[name])) for name in ("of", "statistic", "by", *own) if record.get(name))


def _numbers(record: Record | None) -> tuple[Any, ...]:
    return tuple(None if record is None else record.get(number) for number in _NUMBERS)
