"""Two versions of one evaluation side by side: what is better of which, and what cannot be compared."""

import math
from dataclasses import replace

import pandas as pd
import pytest

from textassay.analysis.compare_evaluations import Line, compare_evaluations, shared_criteria
from textassay.analysis.evaluation_summary import summarise_evaluation
from textassay.analysis.published_analysis import system_text_evaluator
from textassay.errors import UsageError


def of(name, frame):
    return summarise_evaluation(name, [system_text_evaluator(frame)], frame, frame, "rt_ms")


def rows(analysis, name):
    return next(table for table in analysis.tables if table.name == name).records()


@pytest.fixture(scope="module")
def sharp(drawn):
    return drawn(8, 8, 4).frame(1, 4.0, sds=(0.1, 0.1, 0.1, 0.1, 0.4))


@pytest.fixture(scope="module")
def blunt(drawn):
    return drawn(16, 8, 4).frame(2, 2.0, sds=(1.0, 1.0, 0.5, 0.5, 1.0))


@pytest.fixture(scope="module")
def found(sharp, blunt):
    timed = {
        name: frame.assign(trial=frame["item"], rt_ms=ms)
        for name, frame, ms in (("sharp", sharp, 9000.0), ("blunt", blunt, 5000.0))
    }
    return compare_evaluations(of("sharp", timed["sharp"]), of("blunt", timed["blunt"]))


def test_the_version_that_tells_systems_apart_is_better(found):
    table = {row["Statistic"]: row for row in rows(found, "comparison")}
    assert table["variance due to System"]["Better"] == "sharp"
    assert table["variance due to Text"]["Better"] == "sharp"  # less is better
    assert table["variance due to Evaluator"]["Better"] == "sharp"
    assert table["W between evaluators"]["Better"] == "sharp"
    assert table["significant pairs (share)"]["sharp"] == "6 of 6"


def test_cost_is_compared_too(found):
    table = {row["Statistic"]: row for row in rows(found, "comparison")}
    # 8 × 8 and 16 × 8 trials of 9 and of 5 seconds
    assert (table["trials"]["sharp"], table["trials"]["blunt"], table["trials"]["Better"]) == (64, 128, "sharp")
    assert (table["minutes in all"]["sharp"], table["minutes in all"]["blunt"]) == (9.6, pytest.approx(128 / 12))
    assert table["seconds a trial (median)"]["Better"] == "blunt"
    assert table["participants"]["Better"] == "sharp"


def test_counts_of_pairs_by_other_methods_are_not_taken_for_the_published_one(found, sharp, blunt):
    counted = {"statistic": "significant pairs", "by": "System", "method": "sign test", "value": 0, "n": 3}
    one, other = of("sharp", sharp), of("blunt", blunt)
    more = replace(one, records={name: [counted, *records] for name, records in one.records.items()})
    table = {row["Statistic"]: row for row in rows(compare_evaluations(more, other), "comparison")}
    assert table["significant pairs (share)"]["sharp"] == "6 of 6"
    assert found.headlines[0].text.startswith("sharp and blunt do not agree on the best system on clarity: s3 in ")


def test_f_ratios_stand_beside_each_other_as_published(found, sharp):
    variance = rows(found, "comparison-variance")
    assert [(row["Factor"], row["Version"]) for row in variance][:4] == [
        ("System", "sharp"), ("System", "blunt"), ("Text", "sharp"), ("Text", "blunt")
    ]  # fmt: skip
    expected = next(r for r in system_text_evaluator(sharp).records() if r["statistic"] == "F")
    assert (variance[0]["F"], variance[0]["omega squared"]) == (expected["value"], expected["omega2"])


def test_systems_of_both_versions_correlate(found):
    (row,) = rows(found, "comparison-systems")
    assert row["n"] == 4
    assert row["r"] > 0.8
    (figure,) = found.figures
    assert (figure.kind, figure.data["x_label"], figure.data["y_label"]) == ("scatter", "sharp", "blunt")


def test_records_name_version_and_wish(found):
    records = [r for r in found.records() if r["statistic"] == "variance due to Text"]
    assert [(r["of"], r["by"], r["wanted"], r["better"]) for r in records] == [
        ("clarity", "sharp", "less", "sharp"), ("clarity", "blunt", "less", "sharp")
    ]  # fmt: skip


def test_published_mode_says_so(found):
    assert "take all answers as independent" in found.warnings[0]


@pytest.mark.parametrize(
    ("values", "wanted", "better"),
    [((2, 1), "more", "a"), ((2, 1), "less", "b"), ((1, 1), "more", ""), ((math.nan, 1), "more", "")],
)
def test_better(values, wanted, better):
    assert Line("clarity", "x", wanted, values).better(("a", "b")) == better


def test_one_criterion_each_is_the_same_question(small):
    one, other = of("ratings", small), of("preferences", small.assign(criterion="clearer"))
    assert shared_criteria(one, other) == {"clarity / clearer": ("clarity", "clearer")}


def test_criteria_that_only_one_has_are_left_out_aloud(small):
    both = pd.concat([small, small.assign(criterion="fluency")])
    more = pd.concat([small, small.assign(criterion="style")])
    found = compare_evaluations(of("one", both), of("two", more))
    assert {row["Criterion"] for row in rows(found, "comparison")} == {"clarity", "all"}
    assert "one: fluency is omitted, since two has no such criterion" in found.warnings
    assert "two: style is omitted, since one has no such criterion" in found.warnings
    assert "one: trials are not counted, for its table has no column 'trial'" in found.warnings


def test_systems_that_only_one_has_are_named(small):
    other = small.assign(system=small["system"].map({"A": "A", "B": "C"}))
    found = compare_evaluations(of("one", small), of("two", other))
    assert "clarity: B, C is in one version only, which makes them harder to compare" in found.warnings


@pytest.mark.parametrize(
    ("change", "name", "message"),
    [
        (lambda x: pd.concat([x.assign(criterion="a"), x.assign(criterion="b")]), "two", "no criterion in common"),
        (lambda x: x.assign(system=x["system"] + "'"), "two", r"no system in common \(A, B; A', B'\)"),
        (lambda x: x, "one", "both versions are called 'one'"),
    ],
)
def test_what_cannot_be_compared_is_refused(small, change, name, message):
    with pytest.raises(UsageError, match=message):
        compare_evaluations(of("one", small), of(name, change(small)))


def test_equal_but_for_rounding_is_better_for_neither():
    assert Line("clarity", "trials", "less", (0.1 + 0.2, 0.3)).better(("a", "b")) == ""


def test_criteria_and_pairs_are_those_of_each_version(sharp, blunt):
    one = of("one", pd.concat([sharp, sharp.assign(criterion="style")]))
    other = of("other", pd.concat([blunt, blunt.assign(criterion="form")]))
    mixed = {**one.records["clarity"][0], "statistic": "significant pairs", "by": "system", "value": 0, "pairs": 9}
    one = replace(one, records={**one.records, "clarity": [mixed, *one.records["clarity"]]})
    found = compare_evaluations(one, other)
    assert "one: style is omitted, since other has no such criterion" in found.warnings
    assert "other: form is omitted, since one has no such criterion" in found.warnings
    table = {row["Statistic"]: row for row in rows(found, "comparison")}
    assert table["significant pairs (share)"]["one"] == "6 of 6"  # Tukey's, not those of a mixed model


def test_the_only_criterion_of_each_version_is_the_same_question(sharp, blunt):
    found = compare_evaluations(of("one", sharp), of("other", blunt.assign(criterion="form")))
    assert not any("is omitted" in text for text in found.warnings)


def test_neither_version_is_better_where_both_estimate_no_variance():
    shares = (-0.02, -0.01)
    assert Line("clarity", "variance due to Text", "less", shares, floor=0.0).better(("a", "b")) == ""
    assert Line("clarity", "variance due to Text", "less", shares).better(("a", "b")) == "a"
    assert Line("clarity", "variance due to Text", "less", (math.nan, -0.01), floor=0.0).better(("a", "b")) == ""
