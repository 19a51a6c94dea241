"""Data frames, and whatever else can be turned into columns, as a table whose layout can be guessed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from textassay.errors import UsageError
from textassay.tables.raw_table import RawRow, RawTable

_KINDS = (
    "a pandas or polars data frame, a pyarrow table, a Dataset of Hugging Face, columns by name, or a list of dicts"
)
_SEVERAL = ("systems", "reference")


def table_of(frame: Any) -> RawTable:
    """A frame as a table; rows are numbered from 1.

    Args:
        frame: A data frame of pandas or polars, a pyarrow table, a Hugging Face `Dataset`, a mapping of names to
            columns, or rows as dicts.

    Raises:
        UsageError: it is none of these, has no rows, or columns of different lengths.
    """
    records = _records(frame)
    if not records:
        raise UsageError("the frame has no rows; give it at least one")
    columns = list(dict.fromkeys(str(column) for record in records for column in record))
    named = ({str(column): _plain(value) for column, value in record.items()} for record in records)
    rows = [RawRow({column: values.get(column) for column in columns}, n) for n, values in enumerate(named, 1)]
    return RawTable(columns, rows)


def in_python(message: str) -> str:
    """A message with arguments of `from_frame` in place of the options of the command.

    >>> in_python("to say which are: --systems a,b"), in_python("correct the rows, then: --item id")
    ("to say which are: systems=['a', 'b']", "correct the rows, then: item='id'")
    >>> in_python("for example: textassay new my-study --from 'the frame' --systems b --context a")
    "for example: from_frame(frame, systems=['b'], context='a')"
    """
    before, command, options = message.partition("textassay new my-study --from 'the frame' ")
    if command:
        return f"{before}from_frame(frame, {', '.join(map(_argument, _ARGUMENT.finditer(options)))})"
    return _ARGUMENT.sub(_argument, message)


_ARGUMENT = re.compile(r"--(\w+) ('[^']*'|[^ ]+)")


def _argument(option: re.Match[str]) -> str:
    name, value = option[1], option[2].strip("'")
    return f"{name}={value.split(',') if name in _SEVERAL else value!r}"


def _records(frame: Any) -> list[Mapping[Any, Any]]:
    """The rows, asked of the frame in its own way; none of these libraries is imported for it."""
    if isinstance(frame, Mapping):
        return _of_columns(frame)
    for method in ("to_pylist", "to_dicts"):  # pyarrow; polars
        if hasattr(frame, method):
            return list(getattr(frame, method)())
    if hasattr(frame, "iterrows") and hasattr(frame, "to_dict"):  # pandas
        return list(frame.to_dict("records"))
    if hasattr(frame, "column_names") and hasattr(frame, "__getitem__"):  # a Dataset of Hugging Face
        return _of_columns({name: frame[name] for name in frame.column_names})
    if hasattr(frame, "to_pandas"):
        return _records(frame.to_pandas())
    rows = list(frame) if isinstance(frame, Iterable) and not isinstance(frame, str | bytes) else None
    if rows is None or not all(isinstance(row, Mapping) for row in rows):
        raise UsageError(f"a {type(frame).__name__} is no table; give {_KINDS}")
    return rows


def _of_columns(columns: Mapping[Any, Any]) -> list[Mapping[Any, Any]]:
    lists = {str(name): list(values) for name, values in columns.items()}
    lengths = {name: len(values) for name, values in lists.items()}
    if len(set(lengths.values())) > 1:
        seen = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise UsageError(f"the columns differ in length: {seen}; make them equally long")
    return [dict(zip(lists, values, strict=True)) for values in zip(*lists.values(), strict=True)]


def _plain(value: Any) -> Any:
    """A value without numpy around it: arrays become lists, numbers those of Python."""
    if isinstance(value, str | int | float | bool | None):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return None if type(value).__name__ in ("NAType", "NaTType") else value
