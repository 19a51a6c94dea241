from __future__ import annotations

from pathlib import Path

import pytest

from textassay.errors import ProblemsError
from textassay.tables.formats import read_json, read_json_lines
from textassay.tables.raw_table import RawTable


def read(tmp_path: Path, text: str) -> RawTable:
    path = tmp_path / "t.jsonl"
    path.write_bytes(text.encode())
    return read_json_lines(path, "t.jsonl")


def test_columns_are_all_keys_and_a_missing_key_is_empty(tmp_path: Path) -> None:
    table = read(tmp_path, '{"a": 1}\r\n\n{"b": "x"}\n')
    assert table.header == ["a", "b"]
    assert [(row.line, row.values) for row in table.rows] == [(1, {"a": 1, "b": None}), (3, {"a": None, "b": "x"})]


def test_line_separators_inside_values_end_no_line(tmp_path: Path) -> None:
    assert [row.line for row in read(tmp_path, '{"a": "x\u2028y\x85"}\n{"a": "z"}').rows] == [1, 2]


def test_every_wrong_line_is_named(tmp_path: Path) -> None:
    lines = [
        '{"a": 1',
        "[1]",
        '{"a": 1, "b": 2, "a": 3}',
        '{"a": ' + "9" * 5000 + "}",
        "[" * 100_000,
        '{"a": 1}',
        "x" * 50,
    ]
    with pytest.raises(ProblemsError) as caught:
        read(tmp_path, "\n".join(lines))
    assert str(caught.value).split("\n") == [
        "t.jsonl:1:8: not a JSON object (Expecting ',' delimiter); write one object per line",
        "t.jsonl:2:1: not a JSON object (got [1]); write one object per line",
        "t.jsonl:3: duplicate key 'a'; keep one",
        "t.jsonl:4: a value is too large; write it as a string",
        "t.jsonl:5: a value is too large; write it as a string",
        "t.jsonl:7:1: not a JSON object (Expecting value); write one object per line",
    ]


@pytest.mark.parametrize(("escape", "code"), [(r"\ud83d", "D83D"), (r"\u0000", "0000"), (r"\udfff", "DFFF")])
def test_characters_that_no_file_can_hold(tmp_path: Path, escape: str, code: str) -> None:
    table = read(tmp_path, f'{{"a": "x", "b": "y{escape}"}}')
    assert table.rows[0].problems == (("b", f"contains a character that is not text (U+{code}); remove it"),)


def test_a_whole_pair_of_surrogates_is_a_character(tmp_path: Path) -> None:
    assert read(tmp_path, r'{"a": "\ud83d\ude00"}').rows[0].values == {"a": "😀"}


@pytest.mark.parametrize(
    "text",
    [
        '[{"a": 1}, {"b": "x"}]',
        '\n[\n {"a": 1},\n {"b": "x"}\n]\n',
        '{"data": [{"a": 1}, {"b": "x"}], "license": "mine"}',
        '{"a": 1}\n{"b": "x"}\n',  # JSON lines under another name
    ],
)
def test_list_of_objects_is_a_table(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.json"
    path.write_text(text, encoding="utf-8")
    table = read_json(path, "t.json")
    assert [(row.line, row.values) for row in table.rows] == [(1, {"a": 1, "b": None}), (2, {"a": None, "b": "x"})]


def test_objects_under_their_ids_are_rows(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text('{"x": {"a": 1}, "y": {"a": 2, "id": "z"}}', encoding="utf-8")
    assert [row.values for row in read_json(path, "t.json").rows] == [{"id": "x", "a": 1}, {"id": "z", "a": 2}]


def test_list_of_objects_under_the_name_of_json_lines_is_read(tmp_path: Path) -> None:
    assert [row.values for row in read(tmp_path, '[{"a": 1},\n{"a": 2}]\n').rows] == [{"a": 1}, {"a": 2}]


NO_TABLE = "t.json: not a table; write a list of objects, one per row: [{...}, {...}]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("['a']", "t.json:1:2: not JSON (Expecting value)"),
        ('{"a": 1}', NO_TABLE),
        ('[["a", 1]]', NO_TABLE),
        ('{"a": [{"x": 1}], "b": [{"x": 2}]}', NO_TABLE),
        ('[{"a": 1, "a": 2}]', "t.json: duplicate key 'a'; keep one"),
    ],
)
def test_json_that_is_no_table(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "t.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ProblemsError) as caught:
        read_json(path, "t.json")
    assert str(caught.value) == message
