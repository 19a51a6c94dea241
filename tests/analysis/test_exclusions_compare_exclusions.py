"""Results with and without exclusions, side by side."""

import math
from dataclasses import dataclass

import pandas as pd

from textassay.analysis.exclusions import compare_exclusions
from textassay.analysis.options import RecipeOptions
from textassay.analysis.published_analysis import system_text_evaluator
from textassay.analysis.ratings import ratings_in_brief
from textassay.results import Analysis, Result


def test_means_f_and_w_stand_side_by_side(small):
    everyone = system_text_evaluator(small)
    kept = system_text_evaluator(small[small["participant"] == "p"])
    table = compare_exclusions(everyone, kept)
    rows = {(row["Statistic"], row["Of"]): row for row in table.records()}
    # All: A is 1 2 2 1 and B 3 4 5 4; p alone: A is 1 2, B is 3 4.
    assert (rows["mean", "A"]["All"], rows["mean", "A"]["Kept"]) == (1.5, 1.5)
    assert (rows["mean", "B"]["All"], rows["mean", "B"]["Kept"]) == (4.0, 3.5)
    assert (rows["mean", "B"]["All: n"], rows["mean", "B"]["Kept: n"]) == (4, 2)
    assert (rows["F", "System"]["All"], rows["F", "System"]["Kept"]) == (25.0, 8.0)
    assert rows["F", "System"]["All: p"] < rows["F", "System"]["Kept: p"]
    assert [row[1] for row in table.rows] == [
        "mean", "mean", "F", "F", "F", "W", "mean W within evaluators", "significant pairs"
    ]  # fmt: skip


def test_what_one_side_lacks_is_left_empty(small):
    both = pd.concat([small, small.assign(criterion="fluency")])
    table = compare_exclusions(system_text_evaluator(both), system_text_evaluator(both[both["system"] == "A"]))
    row = next(row for row in table.records() if (row["Criterion"], row["Of"]) == ("fluency", "B"))
    assert row["All"] == 4.0
    assert row["Kept"] is None
    assert [row["Criterion"] for row in table.records()] == ["clarity"] * 8 + ["fluency"] * 8


def test_of_two_methods_the_first_that_is_defined_is_taken():
    @dataclass(frozen=True, kw_only=True)
    class Found(Result):
        values: tuple[float, ...]

        def records(self):
            return [
                self.record("F", value, of="clarity", by="System", n=place) for place, value in enumerate(self.values)
            ]

    def analysis(*values):
        return Analysis("a", "A", (Found(method="m", values=values),))

    (row,) = compare_exclusions(analysis(math.nan, 2.0, 3.0), analysis(4.0, math.nan)).records()
    assert (row["All"], row["All: n"], row["Kept"], row["Kept: n"]) == (2.0, 1, 4.0, 0)


def test_nobody_left(small):
    table = compare_exclusions(system_text_evaluator(small), system_text_evaluator(small.head(0)))
    assert all(row["Kept"] is None for row in table.records())
    assert compare_exclusions(system_text_evaluator(small.head(0)), system_text_evaluator(small.head(0))).rows == ()


def test_two_methods_of_one_thing_are_told_apart(small):

    (everyone,) = ratings_in_brief(small, RecipeOptions())
    table = compare_exclusions(everyone, everyone)
    ratios = [row["Of"] for row in table.records() if row["Statistic"] == "F"]
    assert ratios == ["system (ANOVA-type test)", "System (one-way ANOVA)", "Text", "Evaluator"]


def test_what_everyone_lacks_can_be_left_out(small):
    kept = system_text_evaluator(pd.concat([small, small.assign(criterion="fluency")]))
    table = compare_exclusions(system_text_evaluator(small), kept, in_both=True)
    assert {row["Criterion"] for row in table.records()} == {"clarity"}
    assert all(row["Kept"] is not None for row in table.records())
    both = compare_exclusions(system_text_evaluator(small), kept)
    assert {row["Criterion"] for row in both.records()} == {"clarity", "fluency"}
