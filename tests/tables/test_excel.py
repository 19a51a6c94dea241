from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from workbook import write_workbook

from textassay.errors import ProblemsError
from textassay.tables.excel import read_excel, sheet_names

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def test_first_sheet_with_anything_in_it_is_read(tmp_path: Path) -> None:
    path = write_workbook(
        tmp_path / "t.xlsx",
        [["id", "text", "score"], [1, "Two\nlines", 2.5], [2, None, 3], [None], ["x & y", "Größe", None]],
        before=["Cover"],
    )
    table = read_excel(path, "t.xlsx")
    assert (table.header, table.line) == (["id", "text", "score"], 1)
    assert [(row.line, row.values) for row in table.filled_rows] == [
        (2, {"id": 1, "text": "Two\nlines", "score": 2.5}),
        (3, {"id": 2, "text": None, "score": 3}),
        (5, {"id": "x & y", "text": "Größe", "score": None}),
    ]
    assert sheet_names(path) == ["Cover", "Sheet1"]


def test_merged_cells_of_a_header_are_told(tmp_path: Path) -> None:
    path = write_workbook(tmp_path / "t.xlsx", [["id", "Systems"], [None, "gpt-x", "llama-y"], [1, "One", "Two"]])
    assert read_excel(path, "t.xlsx").one_header == ("id", "gpt-x", "llama-y")


def test_shared_strings_runs_escapes_booleans_errors_and_formulas(tmp_path: Path) -> None:
    # As Excel itself writes them: strings in a part of their own, with runs of one format and phonetic aids.
    path = write_workbook(tmp_path / "t.xlsx", [["a"]])
    cells = (
        '<row><c t="s"><v>1</v></c><c t="s"><v>0</v></c><c t="str"><f>A1</f><v>made</v></c></row>'
        '<row><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c><v>1E3</v></c></row>'
    )
    strings = (
        f"<sst {MAIN}><si><t>b_x000D_\nc</t></si>"
        '<si><r><t>bo</t></r><r><rPr><b/></rPr><t xml:space="preserve">ld </t></r><rPh><t>no</t></rPh></si></sst>'
    )
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["xl/worksheets/sheet1.xml"] = f"<worksheet {MAIN}><sheetData>{cells}</sheetData></worksheet>".encode()
    parts["xl/sharedStrings.xml"] = strings.encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    table = read_excel(path, "t.xlsx")
    assert table.header == ["bold ", "b\nc", "made"]
    assert list(table.rows[0].values.values()) == [True, None, 1000]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "t.xlsx: no such file; create it or correct the path"),
        (b"id,text\n", "t.xlsx: not an Excel workbook; save it as .xlsx or as CSV UTF-8"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            "t.xlsx: an old .xls workbook, or one with a password; save it as .xlsx or as CSV UTF-8",
        ),
    ],
)
def test_files_that_are_no_workbooks(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "t.xlsx"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ProblemsError) as caught:
        read_excel(path, "t.xlsx")
    assert str(caught.value) == message


def test_an_archive_that_is_no_workbook(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "a")
    with pytest.raises(
        ProblemsError, match=r"t\.xlsx: not a workbook that can be read \(.*\); save it again as \.xlsx"
    ):
        read_excel(path, "t.xlsx")
