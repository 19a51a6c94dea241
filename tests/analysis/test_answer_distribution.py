"""Distributions of answers, bins, and what is said of values outside the scale."""

import pandas as pd
import pytest

from textassay.analysis.answer_distribution import count_answers, describe_answers


def distributions(analysis):
    return [figure for figure in analysis.figures if figure.kind == "distribution"]


def test_counts_at_each_value(small):
    # A: 1 2 2 1; B: 3 4 5 4.
    (figure,) = distributions(describe_answers(small, scales={"clarity": (1, 5)}))
    assert figure.data["criterion"] == "clarity"
    assert figure.data["values"] == ["1", "2", "3", "4", "5"]
    assert figure.data["systems"] == ["A", "B"]
    assert figure.data["counts"] == [[2, 2, 0, 0, 0], [0, 0, 1, 2, 1]]


def test_table_holds_the_same_counts(small):
    table = describe_answers(small, scales={"clarity": (1, 5)}, systems=["B"]).tables[0]
    assert table.columns == ("System", "1", "2", "3", "4", "5")
    assert table.rows == (("B", 0, 0, 1, 2, 1), ("A", 2, 2, 0, 0, 0))


def test_slider_is_cut_into_ten_bins():
    frame = pd.DataFrame({"system": ["A"] * 5, "value": [0, 9, 10, 99, 100]})
    found = count_answers(frame, "clarity", (0, 100))
    assert found.values[0] == "0–10"
    assert found.values[-1] == "90–100"
    assert found.counts == ((2, 1, 0, 0, 0, 0, 0, 0, 0, 2),)  # 10 is on an edge and counts above; 100 in the last


def test_values_between_the_steps_are_cut_into_bins():
    found = count_answers(pd.DataFrame({"system": ["A", "A"], "value": [1.5, 5.0]}), "clarity", (1, 5))
    assert len(found.values) == 10
    assert sum(found.counts[0]) == 2


@pytest.mark.parametrize("value", [4, 4.5])
def test_constant_answers_without_a_scale_are_one_value(value):
    found = count_answers(pd.DataFrame({"system": ["A", "A"], "value": [value] * 2}), "clarity", (value, value))
    assert found.values == (f"{value:g}",)
    assert found.counts == ((2,),)


def test_answers_outside_the_scale_are_counted_aloud(small):
    analysis = describe_answers(small, scales={"clarity": (1, 4)})
    assert "clarity: 1 answer(s) lie outside the scale from 1 to 4" in analysis.warnings


def test_excluded_participants_are_not_in_the_distribution_but_in_the_diagnostics(small):
    analysis = describe_answers(small, scales={"clarity": (1, 5)}, excluded=["q"])
    assert distributions(analysis)[0].data["counts"] == [[1, 1, 0, 0, 0], [0, 0, 1, 1, 0]]
    people = analysis.figures[-1].data["participants"]
    assert {person["participant"]: person["excluded"] for person in people} == {"p": False, "q": True}


def test_everybody_excluded_leaves_the_diagnostics(small):
    analysis = describe_answers(small, excluded=["p", "q"])
    assert distributions(analysis) == []
    assert len(analysis.figures[-1].data["participants"]) == 2


def test_no_answers():
    empty = pd.DataFrame(columns=["participant", "item", "system", "criterion", "value"])
    analysis = describe_answers(empty)
    assert analysis.warnings == ("there are no answers to describe",)
    assert analysis.tables == analysis.figures == ()
