"""The file formats of tables: CSV, TSV, JSON lines, JSON, Excel and Parquet, every row with its line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from textassay.errors import Problem, ProblemsError
from textassay.tables.delimited import read_delimited
from textassay.tables.excel import read_excel
from textassay.tables.raw_table import RawRow, RawTable
from textassay.tables.text_files import decode_table, read_bytes

# --- JSON lines -------------------------------------------------------------------------------------------------------

_LONGEST_EXCERPT = 40


class _RepeatedKeyError(ValueError):
    """An object has a key twice."""


def read_json_lines(path: Path, name: str) -> RawTable:
    """Read a table with one JSON object per line; a key that is missing in a line counts as empty there.

    A file that holds one list of objects instead is read as well.

    Raises:
        ProblemsError: with every line that is not a JSON object.
    """
    text = decode_table(read_bytes(path, name), name)
    return _json_list(text, name) if text.lstrip().startswith("[") else _json_lines(text, name)


def _json_lines(text: str, name: str) -> RawTable:
    rows: list[RawRow] = []
    problems: list[Problem] = []
    for line, source in enumerate(text.split("\n"), 1):
        if not source.strip():
            continue
        try:
            values = _object(source)
        except json.JSONDecodeError as error:
            message = f"not a JSON object ({error.msg}); write one object per line"
            problems.append(Problem(name, line, error.colno, "", message))
        except (ValueError, RecursionError) as error:
            too_large = "a value is too large; write it as a string"
            message = str(error) if isinstance(error, _RepeatedKeyError) else too_large
            problems.append(Problem(name, line, 0, "", message))
        else:
            rows.append(RawRow(values, line, tuple(_unwritable(values))))
    if problems:
        raise ProblemsError(problems)
    return _filled_up(rows)


def _filled_up(rows: Iterable[RawRow]) -> RawTable:
    """A table in which each row has the keys of all, empty where it lacks them."""
    found = list(rows)
    columns = list(dict.fromkeys(key for row in found for key in row.values))
    full = [RawRow({column: row.values.get(column) for column in columns}, row.line, row.problems) for row in found]
    return RawTable(columns, full)


def read_json(path: Path, name: str) -> RawTable:
    """Read a JSON file with a list of objects, or an object with such a list in it; lines are entries, from 1.

    So are objects under their ids, which become a column `id`, and JSON lines under this name.

    Raises:
        ProblemsError: it is not JSON, or is no list of objects.
    """
    text = decode_table(read_bytes(path, name), name)
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        first = text.lstrip().partition("\n")[0]
        if first.rstrip().endswith("}") and first.startswith("{"):
            return _json_lines(text, name)
    return _json_list(text, name)


def _json_list(text: str, name: str) -> RawTable:
    try:
        data = json.loads(text, object_pairs_hook=_unique_pairs)
    except json.JSONDecodeError as error:
        raise ProblemsError([Problem(name, error.lineno, error.colno, "", f"not JSON ({error.msg})")]) from None
    except (ValueError, RecursionError) as error:
        too_large = "a value is too large or nested too deeply; write it as a string"
        message = str(error) if isinstance(error, _RepeatedKeyError) else too_large
        raise ProblemsError([Problem(name, 0, 0, "", message)]) from None
    if isinstance(data, dict) and len(data) > 1 and all(isinstance(part, dict) for part in data.values()):
        data = [{"id": key, **part} for key, part in data.items()]  # rows under their ids
    inside = [part for part in data.values() if _is_list_of_objects(part)] if isinstance(data, dict) else [data]
    if len(inside) != 1 or not _is_list_of_objects(inside[0]):
        message = "not a table; write a list of objects, one per row: [{...}, {...}]"
        raise ProblemsError([Problem(name, 0, 0, "", message)])
    return _filled_up(RawRow(row, line, tuple(_unwritable(row))) for line, row in enumerate(inside[0], 1))


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(isinstance(entry, dict) for entry in value)


def _object(source: str) -> dict[str, Any]:
    values = json.loads(source, object_pairs_hook=_unique_pairs)
    if not isinstance(values, dict):
        seen = source.strip()
        seen = seen if len(seen) <= _LONGEST_EXCERPT else seen[: _LONGEST_EXCERPT - 1] + "…"
        raise json.JSONDecodeError(f"got {seen}", source, len(source) - len(source.lstrip()))
    return values


def _unique_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        duplicate = next(key for index, key in enumerate(keys) if key in keys[:index])
        raise _RepeatedKeyError(f"duplicate key {duplicate!r}; keep one")
    return values


def _unwritable(values: dict[str, Any]) -> list[tuple[str, str]]:
    """The first character that JSON can spell but no text file can hold: half of a surrogate pair, or NUL."""
    message = "contains a character that is not text (U+{:04X}); remove it"
    return [
        (column, message.format(ord(character)))
        for column, value in values.items()
        if isinstance(value, str)
        for character in value
        if character == "\0" or "\ud800" <= character <= "\udfff"
    ][:1]


# --- Parquet ----------------------------------------------------------------------------------------------------------


def read_parquet(path: Path, name: str) -> RawTable:
    """Read a Parquet file; lines are rows, counted from 1.

    Raises:
        ProblemsError: pyarrow is not installed, or the file is missing or not Parquet.
    """
    try:
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        remedy = "install it with: pip install 'textassay[parquet]'"
        raise ProblemsError([Problem(name, 0, 0, "", f"reading Parquet needs pyarrow; {remedy}")]) from None
    if not path.is_file():
        raise ProblemsError([Problem(name, 0, 0, "", "no such file; create it or correct the path")])
    try:
        table = parquet.read_table(path)
    except (OSError, ValueError) as error:  # pyarrow's own errors derive from ValueError
        reason = str(error).partition("\n")[0].rstrip(".")
        raise ProblemsError([Problem(name, 0, 0, "", f"not a Parquet file ({reason}); save it again")]) from None
    rows = [RawRow(values, line) for line, values in enumerate(table.to_pylist(), 1)]
    return RawTable(list(table.column_names), rows)


FORMATS: dict[str, Callable[[Path, str], RawTable]] = {
    ".csv": partial(read_delimited, delimiter=","),
    ".tsv": partial(read_delimited, delimiter="\t"),
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".json": read_json,
    ".xlsx": read_excel,
    ".parquet": read_parquet,
}
"""The reader for each file ending; it takes the path and what to call the file in messages."""
