"""A table as CSV and as JSON: full numbers, for programs."""

from __future__ import annotations

import base64
import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from textassay.results import Table, plain


def csv_text(table: Table) -> str:
    """The table as CSV: nothing for nothing, `nan` for undefined, several values of a cell as a JSON list.

    >>> print(csv_text(Table("t", "T", ("system", "ci"), (("a, b", (1.5, 2.0)), ("c", None)))), end="")
    system,ci
    "a, b","[1.5, 2.0]"
    c,
    """
    return "".join([_line(table.columns), *(_line([_cell(cell) for cell in row]) for row in table.rows)])


def csv_address(table: Table) -> str:
    """The CSV as a `data:` address, so that the page can offer it without any other file."""
    # the mark at the front tells spreadsheets that it is UTF-8
    encoded = base64.b64encode(csv_text(table).encode("utf-8-sig")).decode("ascii")
    return f"data:text/csv;charset=utf-8;base64,{encoded}"


def json_text(table: Table, warnings: Sequence[str] = ()) -> str:
    """The table as JSON: its records, and the reasons of what is undefined (null) in `warnings`."""
    content = {
        "name": table.name,
        "title": table.title,
        "note": table.note,
        "records": plain(table.records()),
        "warnings": list(warnings),
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _line(cells: Sequence[Any]) -> str:
    # the writer quotes only those line ends in a cell that it writes itself, so it is asked for both of them
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\r\n").writerow(cells)
    return buffer.getvalue().removesuffix("\r\n") + "\n"


def _cell(value: Any) -> Any:
    if hasattr(value, "tolist"):  # a NumPy scalar
        value = value.tolist()
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list)):
        return json.dumps(plain(value), ensure_ascii=False)
    return value
