from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import pytest
from drawn import assert_texts_do_not_collide
from hypothesis import given
from hypothesis import strategies as st

from textassay.report.figures import diagnostics
from textassay.report.figures.diagnostics import DiagnosticsFigure, swarm
from textassay.report.figures.style import Palette
from textassay.results import Figure


def person(code: str, *, excluded: bool = False, **values: Any) -> dict[str, Any]:
    usual = {"mean": 3.5, "sd": 1.25, "median_rt_ms": 2500.0, "modal_share": 0.4, "agreement": 0.5}
    return {"participant": code, **usual, **values, "excluded": excluded}


def figure(*people: dict[str, Any], **more: str) -> Figure:
    return Figure("p", "P", "diagnostics", {"participants": list(people), **more})


def test_in_words() -> None:
    found = DiagnosticsFigure().describe(figure(person("p1"), person("p2", excluded=True, sd=0.0, agreement=math.nan)))
    assert found == (
        "2 participants, 1 of them excluded; mean answer from 3.50 to 3.50; "
        "spread (SD) of the answer from 0.00 to 1.25; median response time (seconds) from 2.50 to 2.50; "
        "share of the most frequent answer from .400 to .400; "
        "agreement with the others from .500 to .500 (1 without a value). Excluded: p2: mean answer 3.50, "
        "spread (SD) of the answer 0.00, median response time (seconds) 2.50, share of the most frequent answer .400; "
        "excluded."
    )


def test_unit_and_level_are_told_where_known() -> None:
    found = [measure.label for measure in diagnostics.participant_measures(
        figure(person("p1"), unit="share of the scale", agreement_over="text")
    )]  # fmt: skip
    assert found[0] == "mean share of the scale"
    assert found[-1] == "agreement with the others, over texts"


def test_a_measure_that_nobody_has_has_no_strip() -> None:
    found = figure(person("p1", median_rt_ms=math.nan), person("p2", median_rt_ms=None))
    drawing = DiagnosticsFigure().draw(found, Palette.of([]))
    assert len(drawing.canvas.axes) == 4 + 1  # strips and legend


def test_the_legend_counts_who_is_in_the_analysis_and_who_is_not() -> None:
    people = [person(f"p{n}", excluded=n == 3) for n in range(5)]
    legend = DiagnosticsFigure().draw(figure(*people), Palette.of([])).canvas.axes[-1]
    assert [text.get_text() for text in legend.texts] == ["in the analysis (4)", "excluded (1)"]


def test_a_participant_has_a_mark_in_every_strip() -> None:
    marks = DiagnosticsFigure().draw(figure(person("p1"), person("p2", agreement=math.nan)), Palette.of([])).marks
    names = [mark.name for mark in marks.values()]
    assert names.count("participant:p1") == 5
    assert names.count("participant:p2") == 4


def test_a_crowd_is_drawn_without_names() -> None:
    crowd = figure(*(person(f"p{n}", mean=n / 100) for n in range(400)))
    drawing = DiagnosticsFigure().draw(crowd, Palette.of([]))
    assert drawing.marks == {}
    assert "400 participants in the analysis are drawn as one image" in DiagnosticsFigure().remark(crowd)
    assert any(line.get_rasterized() for line in drawing.canvas.axes[0].lines)


@pytest.mark.parametrize("count", [1, 2, 60])
def test_texts_do_not_cover_each_other(count: int) -> None:
    assert_texts_do_not_collide(figure(*(person(f"p{n}", mean=3 + n / 7, sd=n / 9) for n in range(count))))


@given(st.lists(st.floats(0, 330), min_size=1, max_size=60))
def test_marks_of_a_swarm_cover_each_other_only_where_there_is_no_room(places: list[float]) -> None:
    places = sorted(places)
    heights = swarm(places, 5, 30)
    assert all(abs(height) <= 15 for height in heights)
    levels = 7  # the middle, and three of 5 points to each side within 30
    for one, other in combinations(range(len(places)), 2):
        crowded = sum(abs(place - places[other]) < 5 for place in places) > levels
        if not crowded and heights[one] == heights[other]:
            assert places[other] - places[one] >= 5
