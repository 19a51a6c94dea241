"""Ratings from beginning to end: the valid tests first, the published ones beside them, nothing without a reason."""

import math

import pandas as pd
import pytest

from textassay.analysis.leading_test import LEADING, leading_test
from textassay.analysis.options import RecipeOptions
from textassay.analysis.published_analysis import NOT_INDEPENDENT
from textassay.analysis.rating_comparison import PREFER
from textassay.analysis.ratings import ratings, ratings_in_brief


@pytest.fixture(scope="module")
def frame(drawn):
    return drawn(12, 9, 3).frame(8, 2.0)


@pytest.fixture(scope="module")
def found(frame):
    options = RecipeOptions(scales={"clarity": (1, 7)}, systems=["s2", "s1", "s0"])
    return {analysis.name: analysis for analysis in ratings(frame, options)}


def rows(analysis, name):
    return next(table for table in analysis.tables if table.name == name).records()


def records(analysis, statistic):
    return [record for record in analysis.records() if record["statistic"] == statistic]


def test_what_matters_comes_first(found):
    assert list(found) == ["systems", "system-text-evaluator", "agreement", "by-subjects-items"]
    assert [table.name for table in found["systems"].tables] == ["means", "tests", "pairs", "variances", "ordinal"]


def test_valid_tests_stand_here_and_the_published_ones_elsewhere(found):
    tests = rows(found["systems"], "tests")
    assert [row["Test"] for row in tests] == [LEADING, *PREFER]
    assert all(row["When to prefer it"] for row in tests)
    published = records(found["system-text-evaluator"], "F")[0]
    variance = rows(found["system-text-evaluator"], "variance")[0]
    assert (variance["F"], variance["p"]) == (published["value"], published["p"])
    assert [found[name].place for name in ("systems", "system-text-evaluator", "agreement", "by-subjects-items")] == [
        "results", "published", "agreement", "details",
    ]  # fmt: skip
    model = next(record for record in records(found["systems"], "F") if record["by"] == "system")
    assert (tests[0]["Value"], (tests[0]["df 1"], tests[0]["df 2"])) == (model["value"], model["df"])


def test_estimates_are_those_of_the_leading_test(frame, found):
    leading = leading_test(frame, "value", of="clarity", options=RecipeOptions())
    means = {mean.name: mean for mean in leading.general.means}
    for row in rows(found["systems"], "means"):
        assert row["Estimate"] == pytest.approx(means[row["System"]].estimate)
        assert (row["Low"], row["High"]) == pytest.approx(means[row["System"]].ci)
    assert [row["System"] for row in rows(found["systems"], "means")] == ["s2", "s1", "s0"]


def test_the_mean_of_a_single_system_has_an_interval_within_the_scale(frame):
    top = round(frame["value"].mean() + 0.05, 2)  # so that the interval would end above it
    analysis = ratings(frame.assign(system="a"), RecipeOptions(scales={"clarity": (1, top)}))[0]
    (row,) = rows(analysis, "means")
    assert row["Low"] < row["Estimate"] < row["High"] == top
    said = (
        "Only one system was judged on clarity, a: {Estimate:.2f} (95 % CI {Low:.2f} to {High:.2f}) on the scale from"
    )
    assert analysis.headlines[0].text.startswith(said.format(**row))
    assert [table.name for table in analysis.tables if table.rows] == ["means"]


def test_of_a_single_system_it_is_said_once_that_nothing_is_compared(frame):
    systems, *others = ratings(frame.assign(system="a"), RecipeOptions())
    assert systems.warnings == ("clarity: there is one system only, so nothing is compared",)
    assert [text for result in systems.results for text in result.warnings] == []
    said = [text for analysis in others for text in analysis.warnings]
    said += [text for analysis in others for result in analysis.results for text in result.warnings]
    assert [text for text in said if "one system" in text or "System" in text or "W " in text] == [NOT_INDEPENDENT]


def test_estimates_are_the_means_where_the_design_is_balanced(found):
    for row in rows(found["systems"], "means"):
        assert row["Estimate"] == pytest.approx(row["Mean"], abs=1e-6)


def test_pairs_hold_two_ways_to_the_same_difference_and_the_published_one_elsewhere(found):
    pairs = rows(found["systems"], "pairs")
    assert {(row["First"], row["Second"]) for row in pairs} == {("s0", "s1"), ("s0", "s2"), ("s1", "s2")}
    for row in pairs:
        assert row["Difference"] < 0  # the worst system is s0, the best s2
        assert row["Low"] < row["Difference"] < row["High"]
        assert row["Significant"] == (row["p"] < 0.05)
        assert 0 <= row["p ordinal"] <= 1
        assert math.copysign(1, row["d"]) == -1
    published = {(row["First"], row["Second"]): row for row in rows(found["system-text-evaluator"], "pairs-published")}
    assert {names: row["Difference"] for names, row in published.items()} == pytest.approx(
        {(row["First"], row["Second"]): row["Difference"] for row in pairs}
    )
    (counted,) = records(found["systems"], "significant pairs")
    assert (counted["value"], counted["pairs"]) == (sum(row["Significant"] for row in pairs), 3)


def test_ordered_answers_have_a_coefficient_a_system(found):
    coefficients = {r["by"]: r for r in records(found["systems"], "coefficient") if "cumulative" in r["method"]}
    ordered = rows(found["systems"], "ordinal")
    assert [(row["System"], row["Compared with"]) for row in ordered] == [("s2", "s0"), ("s1", "s0")]
    for row in ordered:
        record = coefficients[f"system[{row['System']}]"]
        assert (row["Log odds"], row["p"], (row["Low"], row["High"])) == (record["value"], record["p"], record["ci"])
        assert row["Odds ratio"] == pytest.approx(math.exp(record["value"]))
        assert row["Log odds"] > 0  # the worst system is s0


def test_figure_shows_what_holds_for_other_participants_and_items(found):
    (figure,) = found["systems"].figures
    assert (figure.kind, figure.data["scale_from"], figure.data["scale_to"]) == ("means", 1, 7)
    plain = {record["by"]: record["ci"] for record in records(found["system-text-evaluator"], "mean")}
    for group in figure.data["groups"]:
        low, high = plain[group["system"]]
        assert group["high"] - group["low"] > high - low


def test_ordinal_data_analysed_by_means_say_so(found):
    assert "take the steps of the scale as equal" in found["systems"].warnings[0]
    published = found["system-text-evaluator"]
    assert any("take all answers as independent" in text for text in published.warnings)


def test_by_subjects_and_by_items_with_the_published_f2(found):
    tests = {row["Test"]: row for row in rows(found["by-subjects-items"], "f-ratios")}
    assert list(tests) == ["F1", "F2", "min F′", "F2, texts as items"]
    # 12 participants and 9 items × 3 systems; 27 texts in 3 groups leave 24 degrees of freedom (Lapata 2006: 56).
    assert [(row["df 1"], row["df 2"]) for row in tests.values()][:2] == [(2, 22), (2, 16)]
    assert (tests["F2, texts as items"]["df 1"], tests["F2, texts as items"]["df 2"]) == (2, 24)


def test_lapatas_degrees_of_freedom():
    # 8 texts × 8 bins, 16 subjects by Latin square: F1(7, 15·7), F2(7, 49), and as published F2(7, 56).
    rows_ = [
        (f"p{p}", f"t{t}", f"bin{(t + p) % 8}", (3 * t + 5 * p + t * p + (t + p) % 8) % 7 + 1)
        for p in range(16)
        for t in range(8)
    ]
    frame = pd.DataFrame(rows_, columns=["participant", "item", "system", "value"]).assign(criterion="clarity")
    by_units = ratings(frame, RecipeOptions())[-1]
    df = {row["Test"]: (row["df 1"], row["df 2"]) for row in rows(by_units, "f-ratios")}
    assert (df["F1"], df["F2"], df["F2, texts as items"]) == ((7, 105), (7, 49), (7, 56))


def test_agreement_has_w_with_its_f_test_and_texts(found):
    (w,) = rows(found["agreement"], "agreement")
    record = records(found["systems"], "W")[0]
    assert (w["W between"], w["F"], w["p"]) == (record["value"], record["f"], record["f_p"])
    assert (w["df 1"], w["df 2"]) == pytest.approx((2 - 2 / 12, 11 * (2 - 2 / 12)))
    shared = {row["Statistic"] for row in rows(found["agreement"], "shared-texts")}
    assert {"alpha (interval)", "alpha (ordinal)", "r with the others"} <= shared


def test_properties_of_items_are_factors(drawn):
    frame = drawn(6, 6, 2).frame(1, 1.0)
    options = RecipeOptions(item_factors={"topic": {f"i{n}": str(n % 2) for n in range(6)}})
    found = {analysis.name: analysis for analysis in ratings(frame, options)}
    factors = [row["Factor"] for row in rows(found["system-text-evaluator"], "variance")]
    assert factors == ["System", "Text", "Evaluator", "topic"]


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x.assign(system="A"),
        lambda x: x.assign(value=3),
        lambda x: x.head(1),
        lambda x: x[x["participant"] == "p"],
        lambda x: x,  # A and B never overlap: no finite estimate of an ordinal model
    ],
    ids=["one system", "constant", "one answer", "one participant", "separated"],
)
def test_nothing_undefined_is_without_a_reason(small, change):
    for analysis in ratings(change(small), RecipeOptions()):
        undefined = [r for r in analysis.records() if isinstance(r["value"], float) and math.isnan(r["value"])]
        said = [*analysis.warnings, *(text for result in analysis.results for text in result.warnings)]
        assert not undefined or said
        assert all(len(row) == len(table.columns) for table in analysis.tables for row in table.rows)


def test_no_answers(small):
    found = ratings(small.head(0), RecipeOptions())
    assert found[0].warnings == ("there are no answers to analyse",)
    assert all(not analysis.results for analysis in found)


def test_in_brief_says_the_same_of_what_is_set_side_by_side(frame, found):
    brief = ratings_in_brief(frame, RecipeOptions())[0]
    for name, statistic in (("systems", "W"), ("systems", "significant pairs"), ("system-text-evaluator", "mean")):
        values = {record["by"]: record["value"] for record in records(found[name], statistic)}
        same = {record["by"]: record["value"] for record in records(brief, statistic)}
        assert {by: same[by] for by in values} == pytest.approx(values)
    assert [record["by"] for record in records(brief, "F")] == ["system", "System", "Text", "Evaluator"]
