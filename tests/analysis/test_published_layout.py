"""The layout of the paper's tables: measures in rows, criteria in columns, stars at .05 and .01."""

import math

import pytest

from textassay.analysis.evaluation_summary import Cost, EvaluationSummary
from textassay.analysis.published_layout import published_layout


def f(by, value, df, p):
    return {"statistic": "F", "by": by, "value": value, "df": df, "p": p, "omega2": 0.1, "method": "one-way ANOVA"}


def records(*, system, text, evaluator, pairs, between, within):
    """The figures of one column of Table 2 in Belz & Kow (2010), for 10 systems × 30 texts × 10 evaluators."""
    return [
        f("System", system, (9, 290), 0.001),
        f("Text", text[0], (29, 270), text[1]),
        f("Evaluator", evaluator[0], (9, 290), evaluator[1]),
        {"statistic": "significant pairs", "by": "System", "value": pairs, "pairs": 45, "method": "Tukey's HSD"},
        {"statistic": "W", "by": "", "value": between, "p": 0.001, "method": "Kendall's W"},
        {"statistic": "mean W within evaluators", "by": "System", "value": within, "p": None, "method": "mean"},
    ]


def summary(name, by_criterion):
    return EvaluationSummary(name, by_criterion, {each: {} for each in by_criterion}, Cost(10, 300, math.nan, math.nan))


@pytest.fixture
def rated():
    clarity = records(
        system=10.975, text=(2.512, 0.001), evaluator=(3.998, 0.001), pairs=19, between=0.543, within=0.5275
    )
    fluency = records(
        system=35.998, text=(1.825, 0.008), evaluator=(0.630, 0.77), pairs=27, between=0.760, within=0.7192
    )
    return summary("RSE", {"clarity": clarity, "fluency": fluency})


CRITERIA = {"clarity": ["clarity"], "fluency": ["fluency"]}


def test_first_half_of_table_2(rated):
    assert published_layout([rated], CRITERIA).rows == (
        ("RSE", "F(9, 290)", "10.975**", "35.998**"),
        ("RSE", "significant pairs", "19/45", "27/45"),
        ("RSE", "Kendall's W between evaluators", ".543**", ".760**"),
        ("RSE", "mean W within evaluators", ".527", ".719"),  # .5275 is below its decimal figure in binary
        ("RSE", "(Text F(29, 270))", "2.512**", "1.825**"),
        ("RSE", "(Evaluator F(9, 290))", "3.998**", "0.630"),
    )


def test_one_star_and_degrees_of_freedom_that_differ(rated):
    fluency = [f("System", 2.0, (9, 281), 0.04), *rated.records["fluency"][1:]]
    other = summary("PJE", {"clear": rated.records["clarity"], "fluent": fluency})
    table = published_layout([rated, other], {"clarity": ["clarity", "clear"], "fluency": ["fluency", "fluent"]})
    assert table.columns == ("Version", "Measure", "clarity", "fluency")
    assert table.rows[6] == ("PJE", "F", "(9, 290) 10.975**", "(9, 281) 2.000*")


def test_what_is_undefined_for_all_criteria_has_no_row(rated):
    lacking = {
        name: [{**each, "value": math.nan} if "within" in each["statistic"] else each for each in own]
        for name, own in rated.records.items()
    }
    measures = [row[1] for row in published_layout([summary("PJE", lacking)], CRITERIA).rows]
    assert "mean W within evaluators" not in measures
    assert len(measures) == 5
