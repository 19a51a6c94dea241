from __future__ import annotations

import base64
import csv
import io
import json
import math

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from textassay.report.tables import csv_address, csv_text, json_text
from textassay.results import Table

CELLS = (('a, "b"\nc', 0.1 + 0.2, math.nan, None, True, (1.5, math.nan), np.int64(3)),)
TABLE = Table("t", "Title", ("text", "sum", "nan", "none", "bool", "ci", "n"), CELLS, "A note.")


def test_csv_keeps_every_digit_and_tells_nothing_from_undefined() -> None:
    (head, row) = csv.reader(io.StringIO(csv_text(TABLE)))
    assert head == list(TABLE.columns)
    assert row == ['a, "b"\nc', "0.30000000000000004", "nan", "", "true", "[1.5, null]", "3"]


@example([("\r", 0.0)])
@given(st.lists(st.tuples(st.text(), st.floats(allow_nan=False)), max_size=5))
def test_csv_gives_back_what_went_in(rows: list[tuple[str, float]]) -> None:
    text = csv_text(Table("t", "T", ("name", "value"), tuple(rows)))
    found = list(csv.reader(io.StringIO(text, newline="")))[1:]
    assert [(name, float(value)) for name, value in found] == rows


def test_the_address_holds_the_same_csv() -> None:
    kind, _, content = csv_address(TABLE).partition(",")
    assert kind == "data:text/csv;charset=utf-8;base64"
    assert base64.b64decode(content).decode("utf-8-sig") == csv_text(TABLE)


def test_json_has_null_for_undefined_and_the_reason() -> None:
    content = json.loads(json_text(TABLE, ["no values"]))
    assert content["warnings"] == ["no values"]
    assert content["title"] == "Title"
    assert content["note"] == "A note."
    (record,) = content["records"]
    assert record["nan"] is None
    assert record["ci"] == [1.5, None]
    assert record["sum"] == 0.1 + 0.2
    assert record["n"] == 3
