"""Tests and pairs of systems as tables, whatever the task."""

import math

import pytest

from textassay.analysis.compare_systems import (
    SystemComparison,
    SystemTest,
    compare_crossed,
    pairs_table,
    system_tests_table,
)
from textassay.analysis.crossed_model import crossed_model
from textassay.analysis.leading_test import leading_test
from textassay.analysis.options import RecipeOptions
from textassay.analysis.subjects_items import subjects_items
from textassay.pairwise import PairwiseComparison, PairwiseComparisons


def pairs(*found, **more):
    made = [
        PairwiseComparison(first=a, second=b, difference=d, ci=(d - 1, d + 1), p=p, p_raw=p / 2, n=9)
        for a, b, d, p in found
    ]
    given = {"method": "made up", "adjustment": "Holm", "interval": "single", "better": "higher", **more}
    return PairwiseComparisons(pairs=tuple(made), **given)


def test_tests_stand_in_their_order_with_the_measure():
    linear = SystemTest("mixed model", "F", 4.0, (2, 30.5), 0.03, "first")
    tests = (linear, SystemTest("cumulative link model", "χ²", 7.0, (2, None), 0.1, "second"))
    table = system_tests_table([SystemComparison(measure="clarity", tests=tests)], of="Score", note="why")
    assert table.columns[:4] == ("Score", "Test", "Statistic", "Value")
    assert table.rows[0] == ("clarity", "mixed model", "F", 4.0, 2, 30.5, 0.03, "first")
    assert table.rows[1][5] is None
    assert table.note == "why"


def test_pairs_are_shown_once_from_the_side_of_the_first_source():
    part = SystemComparison(
        measure="clarity",
        pairs=pairs(("a", "b", 2.0, 0.01), ("c", "a", 0.5, 0.8)),
        further_pairs={"p ordinal": pairs(("b", "a", -9.0, 0.04)), "p published": None},
        direct={("b", "a"): (3, 7)},
    )
    rows = pairs_table([part], direct=("Above", "Below")).records()
    assert [(row["First"], row["Second"]) for row in rows] == [("b", "a"), ("c", "a")]
    one, other = rows
    assert (one["Above"], one["Below"], one["Difference"], one["Low"], one["High"]) == (3, 7, -2.0, -3.0, -1.0)
    assert (one["p"], one["Significant"], one["Winner"], one["p ordinal"]) == (0.01, True, "a", 0.04)
    # better by its sign, but not significantly: nobody wins
    assert (other["Above"], other["Significant"], other["Winner"], other["p ordinal"]) == (None, False, "", None)
    assert other["p published"] is None


def test_without_a_model_plain_differences_have_neither_interval_nor_p():
    part = SystemComparison(measure="clarity", plain=pairs(("a", "b", 2.0, 0.01)))
    (row,) = pairs_table([part]).records()
    assert (row["Difference"], row["Low"], row["p"], row["Winner"]) == (2.0, None, None, None)


def test_measures_with_other_methods_share_one_table():
    parts = [
        SystemComparison(measure="x", pairs=pairs(("a", "b", 1.0, 0.2)), further_pairs={"p one": None}),
        SystemComparison(measure="y", further_pairs={"p two": pairs(("a", "b", 1.0, 0.3))}),
    ]
    first, second = pairs_table(parts).records()
    assert (first["p"], first["p one"], first["p two"]) == (0.2, None, None)
    assert (second["p"], second["p one"], second["p two"]) == (None, None, 0.3)
    # an effect size that only one of them has, wherever it stands
    one, other = parts[0], SystemComparison(measure="z", pairs=pairs(("a", "b", 1.0, 0.2), effect_size="d"))
    for order in ([one, other], [other, one]):
        table = pairs_table(order, note="Why.")
        assert table.columns.count("d") == 1
        assert table.note.startswith("Why. d: the difference over the standard deviation")
    assert pairs_table([one], note="Why.").note == "Why."


def test_a_crossed_measure_has_its_tests_from_the_valid_to_the_published(drawn):
    frame = drawn(8, 6, 3, complete=True).frame(4, 2.0)
    model = crossed_model(frame, "value", of="clarity", better="higher")
    leading = leading_test(frame, "value", of="clarity", options=RecipeOptions(), better="higher")
    found = compare_crossed("clarity", leading, model, subjects_items(frame, "value", of="clarity"))
    assert [test.name for test in found.tests] == ["ANOVA-type test", "mixed model", "min F′", "F1", "F2"]
    assert (found.tests[0].p, found.tests[1].p) == (leading.general.p, model.model.test("system").p)
    assert found.estimates["s0"][0] == pytest.approx(frame.loc[frame["system"] == "s0", "value"].mean())
    assert not found.ratios


def test_differences_of_logarithms_are_shown_as_ratios():
    part = SystemComparison(measure="time", pairs=pairs(("a", "b", math.log(2), 0.01)), ratios=True)
    (row,) = pairs_table([part]).records()
    assert (row["Ratio"], row["Low"], row["High"]) == pytest.approx((2.0, 2 / math.e, 2 * math.e))
    assert "Difference" not in row


def test_ratios_beside_differences_have_the_heading_of_ratios_and_logarithms_are_ratios(drawn):
    logs = SystemComparison(measure="time", pairs=pairs(("a", "b", math.log(2), 0.01)), ratios=True)
    plain = SystemComparison(measure="score", pairs=pairs(("a", "b", 2.0, 0.01)))
    assert "Ratio" in pairs_table([logs, plain]).columns
    frame = drawn(6, 6, 2).frame(1, 1.0)
    leading = leading_test(frame, "value", of="time", options=RecipeOptions())
    made = [leading, crossed_model(frame, "value", of="time"), subjects_items(frame, "value", of="time")]
    assert [compare_crossed("time", *made, logarithms=each).ratios for each in (True, False)] == [True, False]


def test_leading_tests_of_several_criteria_are_corrected_over_them() -> None:
    def part(name: str, p: float) -> SystemComparison:
        led = SystemTest("ANOVA-type test", "F", 4.0, (1, 9), p, "first choice of all")
        return SystemComparison(measure=name, tests=(led, SystemTest("F1", "F", 9.0, (1, 9), 0.001, "beside it")))

    table = system_tests_table([part("clarity", 0.02), part("fluency", 0.04), part("style", 0.03)], note="Why.")
    # Holm: 3 × .02, then 2 × .03, then .04, none below the one before; only of the tests that lead
    assert [row["p Holm"] for row in table.records()] == [
        pytest.approx(0.06), None, pytest.approx(0.06), None, pytest.approx(0.06), None,
    ]  # fmt: skip
    assert "corrected for the 3 criteria" in table.note
    assert table.note.startswith("Why. p is that of one criterion by itself.")
    alone = system_tests_table([part("P", 0.02)], of="Score")
    assert "p Holm" not in alone.columns
    assert "corrected for the 2 scores" in system_tests_table([part("P", 0.02), part("Q", 0.2)], of="Score").note
    unknown = system_tests_table([part("P", 0.02), part("Q", math.nan)])
    assert "p Holm" not in unknown.columns  # one test needs no correction


def test_a_test_for_these_participants_is_told_under_the_table() -> None:
    led = SystemTest("ANOVA-type test, for these participants, logarithms", "F", 4.0, (1, 9), 0.04, "first choice …")
    note = system_tests_table([SystemComparison(measure="time", tests=(led,))], note="Why.").note
    assert (
        note == "Why. The test for these participants takes them as they are and says nothing about other participants."
    )
