from __future__ import annotations

from pathlib import Path

import pandas as pd

from textassay.tables.frames import read_frame, rows_of_block, to_frame
from textassay.tables.schema import JUDGEMENTS, PARTICIPANTS


def test_columns_have_their_declared_type_and_declared_ones_come_first() -> None:
    rows = [
        {"mood": "fine", "value": 4, "participant": "p1", "item": "i1", "system": "A", "criterion": "c", "position": 1},
        {
            "mood": None,
            "value": 2.5,
            "participant": "p1",
            "item": "i2",
            "system": "A",
            "criterion": "c",
            "position": None,
        },
    ]
    frame = to_frame(rows, JUDGEMENTS)
    assert list(frame.columns) == ["participant", "item", "system", "criterion", "value", "position", "mood"]
    assert frame["value"].tolist() == [4.0, 2.5]
    assert str(frame["value"].dtype) == "float64"
    assert str(frame["position"].dtype) == "Int64"
    assert frame["position"].isna().tolist() == [False, True]


def test_nothing_stays_nothing_in_a_text_column() -> None:
    # astype(str) would make the text "None" of it.
    frame = to_frame([{"participant": "p1", "cohort": None}, {"participant": "p2", "cohort": "lay"}], PARTICIPANTS)
    assert frame["cohort"].isna().tolist() == [True, False]
    assert frame["cohort"].tolist()[1] == "lay"


def test_no_rows_still_have_all_columns() -> None:
    frame = to_frame([], JUDGEMENTS)
    assert list(frame.columns) == [column.name for column in JUDGEMENTS.columns]
    assert len(frame) == 0
    assert str(frame["value"].dtype) == "float64"


def test_times_and_truths_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "participants.csv"
    path.write_text("participant,counted,started_at\np1,yes,2026-01-31T10:30:00+01:00\np2,,\n", encoding="utf-8")
    frame = read_frame(path, PARTICIPANTS)
    assert frame["started_at"][0] == pd.Timestamp("2026-01-31T09:30:00Z")
    assert frame["started_at"].isna().tolist() == [False, True]
    assert frame["counted"].isna().tolist() == [False, True]
    assert bool(frame["counted"][0]) is True


PEOPLE = pd.DataFrame({"participant": ["p1", "p1", "p2", "p3"], "value": [1.0, 3.0, 4.0, 8.0]})


def test_rows_belong_by_block_and_criterion() -> None:
    rows = [("one", "clarity"), ("two", "clarity"), ("one", "style"), (None, "clarity"), ("", "clarity")]
    table = pd.DataFrame(rows, columns=["block", "criterion"])
    assert list(rows_of_block(table, "one", criteria=["clarity"]).index) == [0, 3, 4]
    assert list(rows_of_block(table[["criterion"]], "one", criteria=["clarity"]).index) == [0, 1, 3, 4]


def test_rows_of_other_blocks_are_left_out() -> None:
    named = PEOPLE.assign(block=pd.Series(["one", "two", None, ""], dtype=object))
    assert list(rows_of_block(named, "one").index) == [0, 2, 3]  # a row that names no block may be of any
    assert list(rows_of_block(PEOPLE, "one").index) == [0, 1, 2, 3]
    assert list(rows_of_block(PEOPLE, "one", without={"p1"}).index) == [2, 3]
