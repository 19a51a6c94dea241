"""System, Text and Evaluator: by hand, against B10's degrees of freedom, and on data that lack something."""

import math

import pandas as pd
import pytest

from textassay.analysis.options import RecipeOptions
from textassay.analysis.published_analysis import NOT_INDEPENDENT, system_text_evaluator
from textassay.results import RECORD_KEYS
from textassay.stats import Tukey


def figures(analysis, statistic, by=None):
    return [r for r in analysis.records() if r["statistic"] == statistic and by in (None, r["by"])]


def table(analysis, name):
    return next(each for each in analysis.tables if each.name == name)


def test_by_hand(small):
    # Means A 1.5, B 4 around 2.75: SS between = 8·1.25² = 12.5, within 1 + 2 = 3 on 6 df: F = 12.5/.5 = 25.
    # Text: means 3 3 2.5 2.5: SS .5 on 3 df, within 15 on 4: F = (.5/3)/3.75. Evaluator: means 2.5, 3: F = .5/2.5.
    analysis = system_text_evaluator(small)
    found = {r["by"]: (r["value"], r["df"]) for r in figures(analysis, "F")}
    assert found["System"] == (pytest.approx(25.0), (1, 6))
    assert found["Text"] == (pytest.approx(0.5 / 3 / 3.75), (3, 4))
    assert found["Evaluator"] == (pytest.approx(0.2), (1, 6))
    assert [r["value"] for r in figures(analysis, "mean")] == [1.5, 4.0]
    assert figures(analysis, "W")[0]["value"] == pytest.approx(1.0)
    assert figures(analysis, "mean W within evaluators")[0]["value"] == pytest.approx(1.0)
    assert figures(analysis, "significant pairs")[0]["value"] == 1


@pytest.mark.parametrize(
    ("shape", "published", "pairs"),
    [  # Belz & Kow (2010): systems, items and evaluators of the rating versions of their three experiments
        ((10, 30, 10), {"System": (9, 290), "Text": (29, 270), "Evaluator": (9, 290)}, 45),
        ((11, 22, 22), {"System": (10, 473), "Text": (21, 462), "Evaluator": (21, 462)}, 55),
        ((8, 112, 8), {"System": (7, 888), "Text": (111, 784), "Evaluator": (7, 888)}, 28),
    ],
)
def test_published_degrees_of_freedom(latin, shape, published, pairs):
    systems, items, evaluators = shape
    analysis = system_text_evaluator(latin(systems, items, evaluators))
    assert {r["by"]: r["df"] for r in figures(analysis, "F")} == published
    assert figures(analysis, "significant pairs")[0]["pairs"] == pairs
    assert figures(analysis, "W")[0]["n"] == evaluators
    within = figures(analysis, "mean W within evaluators")[0]
    assert within["repetitions"] == items // systems
    assert 0 <= within["value"] <= 1


def test_published_analysis_says_what_it_assumes(small):
    analysis = system_text_evaluator(small)
    assert NOT_INDEPENDENT in analysis.warnings
    assert all("answers:taken as independent" in r["signature"] for r in figures(analysis, "F"))
    once = pd.DataFrame(
        {"participant": list("pqrs"), "item": list("ijkl"), "system": list("AABB"), "value": [1, 2, 4, 5]}
    ).assign(criterion="clarity")
    assert NOT_INDEPENDENT not in system_text_evaluator(once).warnings


def test_each_criterion_stands_alone(small):
    both = pd.concat([small, small.assign(criterion="fluency", value=small["value"] * 10 + 5)])
    analysis = system_text_evaluator(both)
    clarity, fluency = figures(analysis, "F", "System")
    assert (clarity["of"], fluency["of"]) == ("clarity", "fluency")
    assert fluency["value"] == pytest.approx(clarity["value"])


def test_systems_come_in_the_order_given(small):
    means = figures(system_text_evaluator(small, RecipeOptions(systems=["B", "A"])), "mean")
    assert [(record["by"], record["value"], record["n"]) for record in means] == [("B", 4.0, 4), ("A", 1.5, 4)]


def test_tables_are_ready_for_print(small):
    analysis = system_text_evaluator(small)
    assert [each.name for each in analysis.tables] == ["variance", "significant-pairs", "agreement"]
    assert table(analysis, "variance").records()[0]["Factor"] == "System"
    assert table(analysis, "variance").rows[0][:5] == ("clarity", "System", pytest.approx(25.0), 1, 6)
    assert table(analysis, "significant-pairs").rows[0][1:3] == (1, 1)
    for each in analysis.tables:
        assert all(len(row) == len(each.columns) for row in each.rows)


def test_options_reach_the_methods(small):
    analysis = system_text_evaluator(small, RecipeOptions(alpha=0.01, confidence=0.9))
    assert next(result for result in analysis.results if isinstance(result, Tukey)).pairs.alpha == 0.01
    assert "confidence:0.9" in figures(analysis, "mean")[0]["signature"]
    assert all(tuple(record)[: len(RECORD_KEYS)] == RECORD_KEYS for record in analysis.records())


def test_no_answers():
    empty = pd.DataFrame(columns=["participant", "item", "system", "criterion", "value"])
    analysis = system_text_evaluator(empty)
    assert analysis.warnings == ("there are no answers to analyse",)
    assert analysis.results == analysis.tables == analysis.figures == ()


def test_one_system(small):
    analysis = system_text_evaluator(small.assign(system="A"))
    assert math.isnan(figures(analysis, "F", "System")[0]["value"])
    assert math.isnan(figures(analysis, "W")[0]["value"])
    assert any("System has one group only (A)" in warning for warning in analysis.warnings)


def test_one_participant(small):
    analysis = system_text_evaluator(small[small["participant"] == "p"])
    assert math.isnan(figures(analysis, "F", "Evaluator")[0]["value"])
    assert math.isnan(figures(analysis, "W")[0]["value"])
    assert figures(analysis, "F", "System")[0]["value"] == pytest.approx(8.0)  # means 1.5, 3.5: 4 / (1/2)
    assert any("Evaluator has one group only (p)" in warning for warning in analysis.warnings)


def test_one_answer(small):
    analysis = system_text_evaluator(small.head(1))
    assert all(math.isnan(r["value"]) for r in figures(analysis, "F"))
    assert figures(analysis, "mean")[0]["value"] == 1.0


def test_constant_answers(small):
    analysis = system_text_evaluator(small.assign(value=3))
    assert all(math.isnan(r["value"]) for r in figures(analysis, "F"))
    assert any("all values are equal (3)" in warning for warning in analysis.warnings)
    assert figures(analysis, "significant pairs")[0]["value"] == 0


def test_missing_values_are_counted_not_hidden(small):
    frame = small.astype({"value": float})
    frame.loc[0, "value"] = math.nan
    analysis = system_text_evaluator(frame)
    assert figures(analysis, "F", "System")[0]["df"] == (1, 5)
    assert "1 of 8 answers have no value or an infinite one; they are omitted" in analysis.warnings


def test_nothing_undefined_is_without_a_reason(small):
    for frame in (small.assign(system="A"), small.head(1), small.assign(value=3), small[small["participant"] == "p"]):
        for result in system_text_evaluator(frame).results:
            undefined = [r for r in result.records() if isinstance(r["value"], float) and math.isnan(r["value"])]
            assert not undefined or result.warnings


def test_one_answer_to_each_of_two_criteria_is_no_repeated_measure():
    rows = [(f"p{n}", f"i{n}", "AB"[n % 2], name, n + 1) for n in range(6) for name in ("clarity", "fluency")]
    found = system_text_evaluator(pd.DataFrame(rows, columns=["participant", "item", "system", "criterion", "value"]))
    assert NOT_INDEPENDENT not in found.warnings


def test_of_one_system_nothing_is_compared() -> None:
    judged = pd.DataFrame(
        [
            {"participant": person, "item": item, "system": "only", "criterion": "clarity", "value": value}
            for (person, item), value in zip(
                [(person, item) for person in "pqr" for item in "ij"], [3, 4, 2, 5, 4, 4], strict=True
            )
        ]
    )
    found = system_text_evaluator(judged)
    tables = {table.name: table.records() for table in found.tables}
    assert [row["Factor"] for row in tables["variance"]] == ["Text", "Evaluator"]
    assert tables["significant-pairs"] == []
    (agreement,) = tables["agreement"]
    assert list(agreement) == ["Criterion", "Repeats", "Mean absolute difference", "Share equal"]
    assert any("System has one group only (only)" in text for text in found.warnings)
