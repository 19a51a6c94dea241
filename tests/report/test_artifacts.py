from __future__ import annotations

import base64
import codecs
import csv
import io
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from textassay.formula_cells import unmarked
from textassay.report.artifacts import (
    ArtifactWriter,
    FileNames,
    csv_address,
    csv_text,
    file_name,
    json_text,
    write_file,
)
from textassay.report.figures.style import Palette
from textassay.results import Figure, Table

TABLE = Table("Means", "The means", ("system", "mean", "signature"), (("a", 1.234, "x"), ("b", math.nan, "x")), "Note.")


@pytest.fixture
def writer(tmp_path: Path) -> ArtifactWriter:
    return ArtifactWriter(tmp_path, Palette.of(["a", "b"]), ["p1"])


def test_a_table_is_written_in_three_formats(writer: ArtifactWriter, tmp_path: Path) -> None:
    view = writer.table(TABLE, warnings=["b has no values"])
    assert sorted(path.name for path in (tmp_path / "tables").iterdir()) == ["means.csv", "means.json", "means.tex"]
    assert (tmp_path / "tables" / "means.csv").read_text(
        encoding="utf-8"
    ) == "system,mean,signature\na,1.234,x\nb,nan,x\n"
    assert json.loads((tmp_path / "tables" / "means.json").read_text(encoding="utf-8"))["warnings"] == [
        "b has no values"
    ]
    assert r"\label{tab:means}" in (tmp_path / "tables" / "means.tex").read_text(encoding="utf-8")
    assert view.head == (("system", False), ("mean", True))
    assert [[cell.text for cell in row] for row in view.rows] == [["a", "1.23"], ["b", "undefined"]]
    assert view.rows[1][1].undefined


def test_cells_that_name_somebody_are_marked(writer: ArtifactWriter) -> None:
    table = Table("t", "T", ("who", "what"), (("p1", "a"), ("p2", "c"), (1, None)))
    marks = [[cell.mark for cell in row] for row in writer.table(table).rows]
    assert marks == [["participant:p1", "system:a"], ["", ""], ["", ""]]


def test_bars_are_parts_of_the_largest(writer: ArtifactWriter) -> None:
    table = Table("t", "T", ("answer", "participants"), (("yes", 8), ("no", 2), ("none", None)))
    assert [row[1].share for row in writer.table(table, bars=True).rows] == [1.0, 0.25, None]
    assert [row[1].share for row in writer.table(table).rows] == [None] * 3


def test_tables_of_one_name_get_files_of_their_own(writer: ArtifactWriter, tmp_path: Path) -> None:
    assert [writer.table(TABLE).stem, writer.table(TABLE).stem] == ["means", "means-2"]
    assert len(list((tmp_path / "tables").iterdir())) == 6


def test_an_empty_table_and_a_long_one(writer: ArtifactWriter) -> None:
    empty = writer.table(Table("t", "T", ("a",), ()), bars=True)
    assert empty.rows == ()
    assert not empty.long
    assert writer.table(Table("t", "T", ("a",), tuple((n,) for n in range(21)))).long


def test_the_page_shows_the_first_rows_of_a_very_long_table_and_its_files_all(
    writer: ArtifactWriter, tmp_path: Path
) -> None:
    rows = tuple((n,) for n in range(201))
    view = writer.table(Table("t", "T", ("a",), rows, "Note."))
    assert len(view.rows) == 200
    assert view.note == "The first 200 of 201 rows; the files below have all of them. Note."
    assert len((tmp_path / "tables" / "t.csv").read_text(encoding="utf-8").splitlines()) == 202
    whole = writer.table(Table("u", "U", ("a",), rows[:200], "Note."))
    assert (len(whole.rows), whole.note) == (200, "Note.")


def test_the_page_links_to_the_csv_of_a_very_long_table(
    writer: ArtifactWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert writer.table(TABLE).csv.startswith("data:text/csv")
    monkeypatch.setattr("textassay.report.artifacts._MOST_WITHIN", len(csv_text(TABLE)) - 1)
    address = writer.table(TABLE).csv
    assert (tmp_path.parent / address).read_text(encoding="utf-8") == csv_text(TABLE)


def test_a_figure_is_written_in_three_formats_with_its_numbers(writer: ArtifactWriter, tmp_path: Path) -> None:
    data = {"criterion": "c", "groups": [{"system": "a", "mean": 1.0, "low": 0.5, "high": 1.5, "n": 3}]}
    view = writer.figure(Figure("Means of c", "The means", "means", data, "Note."))
    files = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert files == ["means-of-c.csv", "means-of-c.pdf", "means-of-c.png", "means-of-c.svg"]
    assert view.id == "figure-means-of-c"
    assert 'id="figure-means-of-c-' in view.svg
    assert view.description.startswith("Mean c, the highest first. a: 1.00")
    assert writer.missing == set()


@given(st.text(max_size=200))
@example("a" * 200)
@example("a" * 79 + " b")
def test_a_slug_is_safe_on_every_file_system(name: str) -> None:
    found = file_name(name)
    assert re.fullmatch(r"[a-z0-9_-]{1,81}", found)
    assert found not in {"con", "nul", "aux", "prn", "com1", "lpt9"}
    assert found == file_name(name)


@pytest.mark.parametrize("name", ["COM1", "aux", "Con"])
def test_names_of_devices_are_changed(name: str) -> None:
    assert file_name(name) == f"{name.lower()}-"


def test_names_without_a_latin_letter_stay_apart() -> None:
    assert file_name("明瞭さ") != file_name("流暢さ")
    assert file_name("明瞭さ").startswith("x-")


def test_each_file_gets_a_name_of_its_own() -> None:
    names = FileNames()
    claimed = [names.claim(name) for name in ("means", "Means", "means", "means-2", "other")]
    assert claimed == ["means", "means-2", "means-3", "means-2-2", "other"]


@given(st.lists(st.sampled_from(["a", "A", "a-2", "a 2", "á", "b"]), max_size=12))
def test_claimed_names_are_unique(wanted: list[str]) -> None:
    names = FileNames()
    claimed = [names.claim(name) for name in wanted]
    assert len(set(claimed)) == len(claimed)


def test_a_file_is_written_whole_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.csv"
    write_file(path, "first\n")
    write_file(path, "größer\n")
    assert path.read_bytes() == "größer\n".encode()
    assert [entry.name for entry in path.parent.iterdir()] == ["a.csv"]
    write_file(path, b"\x00\x01")
    assert path.read_bytes() == b"\x00\x01"


CELLS = (('a, "b"\nc', 0.1 + 0.2, math.nan, None, True, (1.5, math.nan), np.int64(3)),)
EVERY_CELL = Table("t", "Title", ("text", "sum", "nan", "none", "bool", "ci", "n"), CELLS, "A note.")


def test_csv_keeps_every_digit_and_tells_nothing_from_undefined() -> None:
    (head, row) = csv.reader(io.StringIO(csv_text(EVERY_CELL)))
    assert head == list(EVERY_CELL.columns)
    assert row == ['a, "b"\nc', "0.30000000000000004", "nan", "", "true", "[1.5, null]", "3"]


@example([("\r", 0.0)])
@given(st.lists(st.tuples(st.text(), st.floats(allow_nan=False)), max_size=5))
def test_csv_gives_back_what_went_in(rows: list[tuple[str, float]]) -> None:
    text = csv_text(Table("t", "T", ("name", "value"), tuple(rows)))
    found = list(csv.reader(io.StringIO(text, newline="")))[1:]
    assert [(unmarked(name), float(value)) for name, value in found] == rows


def test_the_address_holds_the_same_csv() -> None:
    kind, _, content = csv_address(EVERY_CELL).partition(",")
    assert base64.b64decode(content).startswith(codecs.BOM_UTF8)  # without it spreadsheets take it for another encoding
    assert kind == "data:text/csv;charset=utf-8;base64"
    assert base64.b64decode(content).decode("utf-8-sig") == csv_text(EVERY_CELL)


def test_json_has_null_for_undefined_and_the_reason() -> None:
    content = json.loads(json_text(EVERY_CELL, ["no values"]))
    assert content["warnings"] == ["no values"]
    assert content["title"] == "Title"
    assert content["note"] == "A note."
    (record,) = content["records"]
    assert record["nan"] is None
    assert record["ci"] == [1.5, None]
    assert record["sum"] == 0.1 + 0.2
    assert record["n"] == 3
