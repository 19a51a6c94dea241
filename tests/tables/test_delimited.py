from __future__ import annotations

import csv
from pathlib import Path

import pytest

from textassay.errors import ProblemsError
from textassay.tables.delimited import read_delimited
from textassay.tables.raw_table import RawTable


def read(tmp_path: Path, text: str, delimiter: str = ",") -> RawTable:
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode())
    return read_delimited(path, "t.csv", delimiter=delimiter)


def test_lines_are_counted_through_values_of_several_lines(tmp_path: Path) -> None:
    table = read(tmp_path, 'a,b\n1,"x\ny\r\nz"\n2,w\n')
    assert [(row.line, row.values) for row in table.rows] == [
        (2, {"a": "1", "b": "x\ny\r\nz"}),
        (5, {"a": "2", "b": "w"}),
    ]


@pytest.mark.parametrize("separator", ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
def test_only_line_ends_end_lines(tmp_path: Path, separator: str) -> None:
    # str.splitlines() would break at each of these, and every later line number would be off.
    table = read(tmp_path, f"a,b\n1{separator}1,x\n2,y\n")
    assert [row.line for row in table.rows] == [2, 3]
    assert table.rows[0].values["a"] == f"1{separator}1"
    assert table.place(table.rows[0], "b") == (2, 5)


@pytest.mark.parametrize(
    ("line", "places"),
    [
        ("1,2,3", [(2, 1), (2, 3), (2, 5)]),
        ('"1","2","3"', [(2, 1), (2, 5), (2, 9)]),
        ("1,,", [(2, 1), (2, 3), (2, 4)]),
        (",,", [(2, 1), (2, 2), (2, 3)]),
        ('"a,b","say ""x"", y",3', [(2, 1), (2, 7), (2, 22)]),
        ('5" pipe,"2""",3', [(2, 1), (2, 9), (2, 15)]),  # a mark inside a value without marks is just a mark
        ('"x\ny",2,"\n",3', [(2, 1), (3, 4), (3, 6)]),
        ('"x\r\n\r\ny",2,3', [(2, 1), (4, 4), (4, 6)]),
        ('"",2,3', [(2, 1), (2, 4), (2, 6)]),
    ],
)
def test_place_of_each_value(tmp_path: Path, line: str, places: list[tuple[int, int]]) -> None:
    table = read(tmp_path, f"a,b,c\n{line}\n")
    assert [table.locate(2, index) for index in range(3)] == places


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_all_systems(tmp_path: Path, end: str) -> None:
    table = read(tmp_path, end.join(["a,b", "1,2", "", "3,4", ""]))
    assert [(row.line, *row.values.values()) for row in table.rows] == [(2, "1", "2"), (4, "3", "4")]


def test_blank_lines_count_but_are_no_rows(tmp_path: Path) -> None:
    table = read(tmp_path, "\n\na,b\n\n1,2\n   \n")
    assert table.line == 3
    assert [row.line for row in table.rows] == [5]


def test_blank_values_of_a_single_column_are_rows(tmp_path: Path) -> None:
    assert [row.values for row in read(tmp_path, 'a\n  \n""\n').rows] == [{"a": "  "}, {"a": ""}]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1", "1 value, but the header has 3 columns; add the missing values, if only as empty ones"),
        ("1,2", "2 values, but the header has 3 columns; add the missing values, if only as empty ones"),
        ("1,2,3,4", "4 values, but the header has 3 columns; put a value that contains ',' in quotation marks"),
    ],
)
def test_ragged_rows(tmp_path: Path, row: str, message: str) -> None:
    assert read(tmp_path, f"a,b,c\n{row}\n").rows[0].problems == (("", message),)


def test_a_name_may_hold_another_delimiter_where_there_are_several_columns(tmp_path: Path) -> None:
    assert read(tmp_path, '"a;b",c\n1,2\n').header == ["a;b", "c"]


TWICE = "inside a value, write each quotation mark twice"
FOLLOWS = "'y' follows the closing quotation mark of this value instead of"
ESCAPED = 'a quotation mark in this value is written \\"; in such tables it is written twice: ""'


@pytest.mark.parametrize(
    ("text", "delimiter", "message"),
    [
        ('a,b\n1,"x\n2,y\n', ",", f"t.csv:2:3: the quotation mark here is never closed; close it; {TWICE}"),
        ('a,b\n"1\n1",2\n3,"x"y\n', ",", f"t.csv:4:3: {FOLLOWS} ','; {TWICE}"),
        ('a\tb\n3\t"x"y\n', "\t", f"t.csv:2:3: {FOLLOWS} a tab; {TWICE}"),
        ('a,b\n3,"say \\"y\\" now"\n', ",", f"t.csv:2:3: {ESCAPED}"),
    ],
)
def test_files_that_cannot_be_taken_apart(tmp_path: Path, text: str, delimiter: str, message: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        read(tmp_path, text, delimiter)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a;b\n1;2\n", ","),
        ('a;b\n1;"2"\n', ","),
        ("a\tb\n1\t2\n", ","),
        ("a,b\n1,2\n", "\t"),
        ("sep=;\na;b\n1;2\n", ","),
        ("\ufeffa;b\r\n1;2\r\n", ","),
        ("a,b,,\n1,2,,\n", ","),
        ("a,b\n1,2,,\n", ","),
    ],
)
def test_what_spreadsheets_write_is_read(tmp_path: Path, text: str, delimiter: str) -> None:
    assert [row.values for row in read(tmp_path, text, delimiter).rows] == [{"a": "1", "b": "2"}]


def test_semicolons_separate_where_commas_are_in_texts(tmp_path: Path) -> None:
    # The header has a comma too; only semicolons give all rows equally many values.
    table = read(tmp_path, 'id;name, long;text\n1;Ada;"Yes, it is; or not, or so."\n2;Bo;No.\n')
    assert table.header == ["id", "name, long", "text"]
    assert table.rows[0].values["text"] == "Yes, it is; or not, or so."
    assert table.place(table.rows[1], "text") == (3, 6)


def test_commas_stay_where_rows_are_unequal_either_way(tmp_path: Path) -> None:
    assert read(tmp_path, "a,b\n1,2;3\n4;5\n").header == ["a", "b"]


def test_unicode_text_of_excel_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("a\tb\r\nä\t“2”\r\n".encode("utf-16"))
    assert [row.values for row in read_delimited(path, "t.csv", delimiter=",").rows] == [{"a": "ä", "b": "“2”"}]


def test_windows_encoding_is_named_with_a_word(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("a,b\n1,Die Größe\n".encode("cp1252"))
    with pytest.raises(ProblemsError) as caught:
        read_delimited(path, "t.csv", delimiter=",")
    assert str(caught.value) == (
        "t.csv:2:9: not UTF-8; as Windows-1252, which Excel writes for 'CSV', it would read 'Größe' here; "
        "if that is right, save it as UTF-8 (in Excel: Save as, CSV UTF-8)"
    )


def test_long_values_are_read_and_the_limit_of_the_csv_module_is_left_as_it_was(tmp_path: Path) -> None:
    before = csv.field_size_limit()
    long = "x" * (before + 1)
    assert read(tmp_path, f"a,b\n1,{long}\n").rows[0].values["b"] == long
    assert csv.field_size_limit() == before
