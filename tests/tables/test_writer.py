from __future__ import annotations

import math
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import UsageError
from textassay.formula_cells import MARK
from textassay.tables.reader import read_table
from textassay.tables.schema import Column, TableSchema
from textassay.tables.writer import write_table, write_text

ENDINGS = [".csv", ".tsv", ".jsonl"]
SCHEMA = TableSchema("t", "a table", (Column("a", "text", "a"), Column("b", "text", "b"), Column("c", "text", "c")))
nasty = st.text(
    st.sampled_from(
        [
            '"',
            "'",
            "\u2060",
            "=",
            "+",
            "-",
            "@",
            "5",
            ",",
            ";",
            "\t",
            "\n",
            "\r",
            " ",
            "\\",
            "\x0b",
            "\x0c",
            "\x1c",
            "\x85",
            "\u2028",
            "\ufeff",
        ]
    )
    | st.characters(exclude_categories=["Cs"], exclude_characters=["\0"]),
    max_size=12,
)


@pytest.mark.parametrize("ending", ENDINGS)
@given(rows=st.lists(st.tuples(nasty, nasty, nasty), min_size=1, max_size=6))
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, ending: str, rows: list[tuple[str, ...]]
) -> None:
    path = tmp_path_factory.mktemp("t") / f"t{ending}"
    write_table(path, "abc", [dict(zip("abc", row, strict=True)) for row in rows])
    assert [tuple(row.values.values()) for row in read_table(path, SCHEMA)] == rows


@pytest.mark.parametrize("ending", ENDINGS)
@given(rows=st.lists(nasty, min_size=1, max_size=6))
def test_a_single_column_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, ending: str, rows: list[str]
) -> None:
    path = tmp_path_factory.mktemp("t") / f"t{ending}"
    write_table(path, ["a"], [{"a": row} for row in rows])
    assert [row["a"] for row in read_table(path, SCHEMA)] == rows


@given(names=st.lists(nasty.filter(str.strip), min_size=2, max_size=4, unique=True))
def test_names_of_columns_survive(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    path = tmp_path_factory.mktemp("t") / "t.csv"
    names = [name.removeprefix("\ufeff") or "x" for name in names[:1]] + names[1:]  # it would be a byte order mark
    if len(set(names)) == len(names):
        write_table(path, names, [dict.fromkeys(names, "v")])
        assert read_table(path, SCHEMA).columns == tuple(names)


VALUES: list[tuple[Any, str, str]] = [
    (None, "", "null"),
    (math.nan, "", "null"),
    (np.float64("nan"), "", "null"),
    (pd.NA, "", "null"),
    (pd.NaT, "", "null"),
    (True, "true", "true"),
    (np.bool_(False), "false", "false"),
    (3, "3", "3"),
    (np.int64(3), "3", "3"),
    (0.1, "0.1", "0.1"),
    (np.float64(0.1), "0.1", "0.1"),
    (datetime(2026, 1, 31, 9, 30, tzinfo=UTC), "2026-01-31T09:30:00+00:00", '"2026-01-31T09:30:00+00:00"'),
]


@pytest.mark.parametrize(("value", "cell", "json"), VALUES)
def test_values_as_files_have_them(tmp_path: Path, value: Any, cell: str, json: str) -> None:
    for ending in (".csv", ".jsonl"):
        write_table(tmp_path / f"t{ending}", ["a", "b"], [{"a": value, "b": "x"}])
    assert (tmp_path / "t.csv").read_text(encoding="utf-8") == f"a,b\n{cell},x\n"
    assert (tmp_path / "t.jsonl").read_text(encoding="utf-8") == f'{{"a": {json}, "b": "x"}}\n'


def test_a_formula_of_a_participant_is_no_formula_in_the_file(tmp_path: Path) -> None:
    answers = ["=HYPERLINK(1)", "-3.5", -3.5, "- too long", "'=", "'-ed' is a suffix", None]
    write_table(tmp_path / "t.csv", ["a", "=b"], [{"a": answer, "=b": "x"} for answer in answers])
    written = [line.partition(",")[0] for line in (tmp_path / "t.csv").read_text(encoding="utf-8").splitlines()]
    assert written == ["a", MARK + "=HYPERLINK(1)", "-3.5", "-3.5", MARK + "- too long", "'=", "'-ed' is a suffix", ""]
    read = read_table(tmp_path / "t.csv", SCHEMA)
    assert read.columns == ("a", "=b")
    assert [row["a"] for row in read] == ["" if answer is None else str(answer) for answer in answers]
    write_table(tmp_path / "t.jsonl", ["a"], [{"a": "=1+1"}])
    assert (tmp_path / "t.jsonl").read_text(encoding="utf-8") == '{"a": "=1+1"}\n'


def test_only_cells_that_need_them_have_quotation_marks(tmp_path: Path) -> None:
    write_table(tmp_path / "t.csv", ["a", "b"], [{"a": 'say "x", y', "b": "plain"}, {"b": "x\r"}])
    assert (tmp_path / "t.csv").read_bytes() == b'a,b\n"say ""x"", y",plain\n,"x\r"\n'


def test_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"t\.xlsx: cannot write a table with this ending; use \.csv, \.tsv or \.jsonl$"
    ):
        write_table(tmp_path / "t.xlsx", ["a"], [])


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "new" / "t.txt"
    write_text(path, "first")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "x" * 100_000 + "\ud800")
    assert path.read_text(encoding="utf-8") == "first"
    assert [each.name for each in path.parent.iterdir()] == ["t.txt"]
