from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from textassay.report.figures.style import Palette
from textassay.report.view import Shelf
from textassay.results import Figure, Table

TABLE = Table("Means", "The means", ("system", "mean", "signature"), (("a", 1.234, "x"), ("b", math.nan, "x")), "Note.")


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path, Palette.of(["a", "b"]), ["p1"])


def test_a_table_is_written_in_three_formats(shelf: Shelf, tmp_path: Path) -> None:
    view = shelf.table(TABLE, warnings=["b has no values"])
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


def test_cells_that_name_somebody_are_marked(shelf: Shelf) -> None:
    table = Table("t", "T", ("who", "what"), (("p1", "a"), ("p2", "c"), (1, None)))
    marks = [[cell.mark for cell in row] for row in shelf.table(table).rows]
    assert marks == [["participant:p1", "system:a"], ["", ""], ["", ""]]


def test_bars_are_parts_of_the_largest(shelf: Shelf) -> None:
    table = Table("t", "T", ("answer", "participants"), (("yes", 8), ("no", 2), ("none", None)))
    assert [row[1].share for row in shelf.table(table, bars=True).rows] == [1.0, 0.25, None]
    assert [row[1].share for row in shelf.table(table).rows] == [None] * 3


def test_tables_of_one_name_get_files_of_their_own(shelf: Shelf, tmp_path: Path) -> None:
    assert [shelf.table(TABLE).stem, shelf.table(TABLE).stem] == ["means", "means-2"]
    assert len(list((tmp_path / "tables").iterdir())) == 6


def test_an_empty_table_and_a_long_one(shelf: Shelf) -> None:
    empty = shelf.table(Table("t", "T", ("a",), ()), bars=True)
    assert empty.rows == ()
    assert not empty.long
    assert shelf.table(Table("t", "T", ("a",), tuple((n,) for n in range(21)))).long


def test_a_figure_is_written_in_three_formats(shelf: Shelf, tmp_path: Path) -> None:
    data = {"criterion": "c", "groups": [{"system": "a", "mean": 1.0, "low": 0.5, "high": 1.5, "n": 3}]}
    view = shelf.figure(Figure("Means of c", "The means", "means", data, "Note."))
    files = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert files == ["means-of-c.pdf", "means-of-c.png", "means-of-c.svg"]
    assert view.id == "figure-means-of-c"
    assert 'id="figure-means-of-c-' in view.svg
    assert 'id="key-means-of-c-' in view.key_svg
    assert view.description.startswith("Mean c, the highest first. a: 1.00")
    assert shelf.missing == set()
