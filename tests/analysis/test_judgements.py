"""Which answers count, and what is said about the others."""

import math

import pandas as pd
import pytest

from textassay.analysis.judgements import (
    CELL,
    need_columns,
    read_judgements,
    reasons_omitted,
    said_unjudged,
    without_unjudged,
)
from textassay.errors import DataError


def test_practice_checks_and_repeats_do_not_count(small):
    extra = pd.DataFrame(
        {
            "participant": ["p"] * 4,
            "item": ["i1", "check-1", "pr", "i2"],
            "system": ["A", "", "", "A"],
            "value": [3.0, 1.0, 2.0, 5.0],
            "criterion": "clarity",
            "kind": ["repeat", "check", "practice", "main"],
            "repeat": [1, 0, 0, 1],
            "practice": [False, False, True, False],
        }
    )
    frame = pd.concat([small.assign(kind="main", repeat=0, practice=False), extra])
    judged = read_judgements(frame)
    assert len(judged.main) == 8
    assert judged.repeats["item"].tolist() == ["i1", "i2"]
    assert judged.warnings == ()


@pytest.mark.parametrize(
    ("yes", "no"), [(True, False), (1, 0), ("true", "false"), ("1", ""), (True, None), (1.0, math.nan), ("Yes", "No")]
)
def test_flags_are_understood_however_they_are_written(small, yes, no):
    flagged = small.assign(practice=[yes] + [no] * 7, repeat=[no] * 7 + [yes])
    judged = read_judgements(flagged)
    assert len(judged.main) == 6
    assert len(judged.repeats) == 1


def test_nullable_types_of_the_table_reader_are_understood(small):
    frame = small.assign(
        practice=pd.array([None] * 7 + [True], dtype="boolean"), repeat=pd.array([None] * 8, dtype="Int64")
    )
    assert len(read_judgements(frame).main) == 7


def test_unmarked_duplicates_are_repeats_and_counted(small):
    judged = read_judgements(pd.concat([small, small.head(2)]))
    assert len(judged.main) == 8
    assert len(judged.repeats) == 2
    assert "2 answer(s) repeat an earlier one" in judged.warnings[0]


def test_the_answer_given_first_counts_not_the_row_that_stands_first(small):
    twice = pd.concat([small.head(1).assign(value=7, position=9), small.head(1).assign(position=2)])
    judged = read_judgements(twice)
    assert judged.main["value"].tolist() == [1.0]
    assert judged.repeats["value"].tolist() == [7.0]


def test_gaps_are_left_out_and_counted(small):
    frame = small.astype({"value": object, "participant": object})
    frame.loc[0, "value"] = None
    frame.loc[1, "value"] = math.inf
    frame.loc[2, "value"] = "n/a"
    frame.loc[3, "participant"] = None
    judged = read_judgements(frame)
    assert len(judged.main) == 4
    assert judged.warnings == (
        "1 of 8 answers name no participant, item, system or criterion; they are omitted",
        "3 of 8 answers have no value or an infinite one; they are omitted",
    )


def test_number_labels_become_text(small):
    frame = small.assign(participant=[1] * 4 + [2] * 4)
    assert set(read_judgements(frame).main["participant"]) == {"1", "2"}


def test_missing_columns_are_named():
    with pytest.raises(DataError, match=r"need the column\(s\) system, criterion; there are: participant, item, value"):
        read_judgements(pd.DataFrame({"participant": ["p"], "item": ["i"], "value": [1]}))


def test_the_frame_passed_in_is_left_as_it_was(small):
    before = small.copy()
    read_judgements(small)
    pd.testing.assert_frame_equal(small, before)


def test_missing_columns_are_named_beside_those_that_are_there() -> None:
    table = pd.DataFrame({"participant": ["p1"], "value": [1.0]})
    need_columns(table, ("participant", "value"), "answers")
    with pytest.raises(DataError, match=r"^answers need the column\(s\) item, rank; there are: participant, value$"):
        need_columns(table, ("participant", "item", "rank"), "answers")
    with pytest.raises(DataError, match=r"there are: none$"):
        need_columns(pd.DataFrame(), ("item",), "answers")


@pytest.mark.parametrize("column", CELL)
def test_one_empty_name_is_enough_to_leave_an_answer_out(small, column):
    found = read_judgements(small.astype(object).assign(**{column: ["", *small[column][1:]]}))
    assert len(found.main) == len(small) - 1
    assert found.warnings == ("1 of 8 answers name no participant, item, system or criterion; they are omitted",)


def test_what_could_not_be_judged_is_omitted_without_a_warning(small):
    first = small.index[0]
    unsure = small.assign(cannot_judge=False).astype({"value": float, "cannot_judge": object})
    unsure.loc[first, ["value", "cannot_judge"]] = [float("nan"), "yes"]
    found = read_judgements(unsure)
    assert found.warnings == read_judgements(small).warnings
    assert len(found.main) == len(read_judgements(small).main) - 1
    assert reasons_omitted(unsure)[0] == "could not be judged"
    assert len(without_unjudged(unsure)) == len(small) - 1
    assert said_unjudged(unsure)["value"].sum() == 1
    assert len(said_unjudged(unsure)) == len(read_judgements(small).main)
