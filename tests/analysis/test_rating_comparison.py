"""How many pairs differ, and what is shown where there is no model."""

import math

import pytest

from textassay.analysis.compare_systems import SystemComparison, SystemTest
from textassay.analysis.judgements import read_judgements
from textassay.analysis.leading_test import LEADING
from textassay.analysis.options import RecipeOptions
from textassay.analysis.published_analysis import of_criteria
from textassay.analysis.rating_comparison import (
    compare_ratings,
    disagreements,
    systems_compared,
)
from textassay.analysis.subjects_items import subjects_items


def compared(frame, **scales):
    judged = read_judgements(frame)
    options = RecipeOptions(scales=scales)
    (published,) = of_criteria(judged, options)
    part = compare_ratings(judged.main, published, subjects_items(judged.main, "value", of="clarity"), options)
    return systems_compared([part], options)


def test_without_a_model_plain_means_stand_without_intervals(small):
    found = compared(small.assign(value=small["value"] * 0 + small["system"].map({"A": 1, "B": 2})))
    (figure,) = found.figures
    assert [group["mean"] for group in figure.data["groups"]] == [1, 2]
    assert all(math.isnan(group["low"]) for group in figure.data["groups"])
    assert figure.note == "Plain means."
    means, tests, pairs, *_ = found.tables
    assert [row["Estimate"] for row in means.records()] == [None, None]
    assert "one-way ANOVA" not in [row["Test"] for row in tests.records()]  # not valid here, so among the published
    assert (pairs.records()[0]["Difference"], pairs.records()[0]["p"]) == (-1, None)
    assert any("no mixed model" in text for text in found.warnings)


def test_where_answers_are_independent_the_leading_test_is_welchs(small):
    lone = small.assign(participant=[f"p{n}" for n in range(8)], item=[f"i{n}" for n in range(8)])
    found = compared(lone)
    test = found.tables[1].records()[0]
    assert test["When to prefer it"].startswith("first choice")
    assert test["Value"] == pytest.approx(25.0)  # two systems of one size: as the one-way ANOVA's, which is by hand
    assert [group["low"] < group["mean"] < group["high"] for group in found.figures[0].data["groups"]] == [True, True]


def test_scale_reaches_the_figure(small):
    assert compared(small, clarity=(1, 7)).figures[0].data["scale_to"] == 7
    assert compared(small).figures[0].data["scale_to"] is None


def test_nothing_to_compare():
    assert systems_compared([], RecipeOptions()).warnings == ("there are no answers to analyse",)


@pytest.mark.parametrize(
    ("linear", "ordered", "alpha", "said"),
    [(0.03, 0.2, 0.05, 1), (0.2, 0.03, 0.05, 1), (0.03, 0.04, 0.05, 0), (0.2, 0.3, 0.05, 0), (0.03, 0.04, 0.035, 1),
     (0.03, math.nan, 0.05, 0)],
)  # fmt: skip
def test_where_the_two_models_disagree_a_reader_is_warned(linear, ordered, alpha, said):
    tests = [
        SystemTest(name, "F", 3.0, (1, 9), p, "")
        for name, p in zip((LEADING, "cumulative link model"), (linear, ordered), strict=True)
    ]
    found = list(disagreements(SystemComparison(measure="clarity", tests=tuple(tests)), alpha))
    assert len(found) == said
    assert all(
        text.startswith(f"clarity: the ANOVA-type test (p = .{linear * 1000:03.0f}) and the cum") for text in found
    )
    assert list(disagreements(SystemComparison(measure="clarity", tests=tuple(tests[:1])), alpha)) == []
