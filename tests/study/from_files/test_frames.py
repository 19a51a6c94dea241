"""Studies from data frames of several kinds."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import textassay as ta
from textassay.errors import UsageError
from textassay.study.from_files.frames import table_of

COLUMNS: dict[str, list[Any]] = {"id": [1, 2], "gpt-x": ["A one.", "A two."], "llama-y": ["B one.", None]}
ROWS = [{name: values[n] for name, values in COLUMNS.items()} for n in range(2)]


class Dataset:
    """What a data set of Hugging Face has."""

    column_names = tuple(COLUMNS)

    def __getitem__(self, name: str) -> list[Any]:
        return COLUMNS[name]


class Polars:
    """What a data frame of polars has."""

    def to_dicts(self) -> list[dict[str, Any]]:
        return ROWS


class Other:
    """What many other frames have."""

    def to_pandas(self) -> pd.DataFrame:
        return pd.DataFrame(COLUMNS)


@pytest.mark.parametrize(
    "frame",
    [COLUMNS, ROWS, iter(ROWS), pd.DataFrame(COLUMNS), Dataset(), Polars(), Other()],
    ids=type,
)
def test_every_kind_of_frame_is_the_same_table(frame: Any) -> None:
    table = table_of(frame)
    assert table.header == list(COLUMNS)
    assert [row.values["gpt-x"] for row in table.rows] == COLUMNS["gpt-x"]
    assert [row.line for row in table.rows] == [1, 2]


def test_pyarrow_tables_are_taken() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    assert [row.values for row in table_of(pyarrow.table(COLUMNS)).rows] == ROWS


def test_numpy_and_missing_values_become_plain() -> None:
    frame = pd.DataFrame({"a": [np.array(["x", "y"])], "b": [pd.NA], "c": [np.int64(3)]})
    assert table_of(frame).rows[0].values == {"a": ["x", "y"], "b": None, "c": 3}


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (3, "a int is no table; give a pandas or polars data frame"),
        ("text", "a str is no table; give"),
        (["text"], "a list is no table; give"),
        ([], "the frame has no rows; give it at least one"),
        ({"a": [1], "b": []}, "the columns differ in length: a has 1, b has 0; make them equally long"),
    ],
)
def test_what_is_no_frame(frame: Any, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        table_of(frame)


def test_study_is_written_and_what_is_not_certain_is_a_warning(tmp_path: Path) -> None:
    frame = pd.DataFrame({"id": [1, 1], "prompt": ["P", "Q"], "alpha": ["One.", "Two."], "beta": ["Three.", "Four."]})
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        study = ta.study.from_frame(frame, tmp_path / "study")
    assert str(told[0].message).startswith(
        "column 'id' looks like ids, but '1' is in rows 1 and 2, so items are numbered"
    )
    assert str(told[1].message).endswith("to say which are: systems=['alpha', 'beta']")
    assert study.directory == tmp_path / "study"
    assert ta.pipeline.load(study.directory).texts == study.texts == {
        ("1", "alpha"): "One.", ("1", "beta"): "Three.", ("2", "alpha"): "Two.", ("2", "beta"): "Four."
    }  # fmt: skip


def test_columns_can_be_said(tmp_path: Path) -> None:
    study = ta.study.from_frame(
        {"k": ["x"], "a": ["A"], "b": ["B"], "c": ["C"]},
        tmp_path / "study",
        item="k",
        systems=["a"],
        context="b",
        reference="c",
        task="reading",
    )
    assert (study.texts, study.references, study.items["x"]["b"]) == ({("x", "a"): "A"}, {"x": ("C",)}, "B")
    with pytest.raises(UsageError, match="is not empty"):
        ta.study.from_frame([{"a": "A"}], tmp_path / "study", systems=["a"])


def test_columns_that_cannot_be_told_are_listed_with_an_example() -> None:
    with pytest.raises(UsageError) as caught:
        ta.study.from_frame(
            [{"one": "Some words of text", "two": "Other words of text", "three": "More words of text"}]
        )
    assert str(caught.value).splitlines()[-1] == (
        "Say it, for example: from_frame(frame, systems=['two', 'three'], context='one')"
    )
