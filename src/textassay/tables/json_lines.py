"""JSON lines: one object a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from textassay.errors import Problem, ProblemsError
from textassay.tables.decode import read_text
from textassay.tables.raw import RawRow, RawTable


class _RepeatedKeyError(ValueError):
    """An object names a key twice."""


def read_json_lines(path: Path, name: str) -> RawTable:
    """Read a table with one JSON object a line; a key that a line lacks counts as empty there.

    Raises:
        ProblemsError: with every line that is not a JSON object.
    """
    header: dict[str, None] = {}
    rows: list[RawRow] = []
    problems: list[Problem] = []
    for line, source in enumerate(read_text(path, name).split("\n"), 1):
        if not source.strip():
            continue
        try:
            values = _object(source)
        except json.JSONDecodeError as error:
            problems.append(Problem(name, line, error.colno, "", f"not JSON ({error.msg}); write one object a line"))
        except (ValueError, RecursionError) as error:
            reason = (
                str(error) if isinstance(error, _RepeatedKeyError) else "a value is too large; write it as a string"
            )
            problems.append(Problem(name, line, 0, "", reason))
        else:
            header.update(dict.fromkeys(values))
            rows.append(RawRow(values, line, tuple(_unwritable(values))))
    if problems:
        raise ProblemsError(problems)
    columns = list(header)
    full = [RawRow({column: row.values.get(column) for column in columns}, row.line, row.problems) for row in rows]
    return RawTable(columns, full)


def _object(source: str) -> dict[str, Any]:
    values = json.loads(source, object_pairs_hook=_pairs)
    if not isinstance(values, dict):
        seen = source.strip() if len(source.strip()) <= 40 else source.strip()[:39] + "…"
        raise json.JSONDecodeError(f"{seen} is no object", source, len(source) - len(source.lstrip()))
    return values


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for index, key in enumerate(keys) if key in keys[:index])
        raise _RepeatedKeyError(f"key {twice!r} stands there twice; keep one")
    return values


def _unwritable(values: dict[str, Any]) -> list[tuple[str, str]]:
    """JSON can spell characters that no file can hold: half of a surrogate pair, and NUL."""
    message = "holds a character that is not text (U+{:04X}); remove it"
    return [
        (column, message.format(ord(character)))
        for column, value in values.items()
        if isinstance(value, str)
        for character in value
        if character == "\0" or "\ud800" <= character <= "\udfff"
    ][:1]
