from __future__ import annotations

from typing import Any

import pytest
from drawn import assert_texts_do_not_collide
from matplotlib.colors import to_hex

from textassay.report.figures.style import ON_SQUARE, Palette
from textassay.report.figures.weights import KINDS, WeightsFigure
from textassay.results import Figure


def figure(actions: int = 2, events: int = 3, name: str = "action {}", **more: Any) -> Figure:
    rows = [
        {
            "name": name.format(number),
            "group": list(KINDS)[min(2, number)],
            "parts": [
                {"value": 0.1 * (event + 1), "kind": list(KINDS)[min(2, number)], "label": str(event + 1)}
                for event in range(events)
            ],
        }
        for number in range(actions)
    ]
    keys = [f"{event + 1} a kind of event with a rather long name" for event in range(events)]
    return Figure("w", "W", "weights", {"rows": rows, "axis": "share of the weight", "keys": keys, **more})


def test_in_words() -> None:
    assert WeightsFigure().describe(figure(1, 2)) == (
        "Share of the weight. appropriate, action 0: .300 (1 .100, 2 .200). "
        "Labels: 1 a kind of event with a rather long name; 2 a kind of event with a rather long name."
    )


def test_parts_are_stacked_and_have_the_colour_of_their_kind() -> None:
    drawing = WeightsFigure().draw(figure(3, 2), Palette.of([]))
    bars = drawing.canvas.axes[0].patches
    assert [round(bar.get_x(), 3) for bar in bars] == [0, 0.1] * 3
    assert [to_hex(bar.get_facecolor()) for bar in bars[::2]] == [fill for fill, _ in KINDS.values()]


def contrast(one: str, other: str) -> float:
    def luminance(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_can_be_read_and_edges_seen(kind: str) -> None:
    fill, edge = KINDS[kind]
    assert contrast(fill, ON_SQUARE) >= 4.5
    assert contrast(edge, "#ffffff") >= 3


@pytest.mark.parametrize(("actions", "events"), [(1, 1), (3, 8), (18, 30)])
@pytest.mark.parametrize("name", ["{}", "a very long name of an action, number {}"])
def test_texts_do_not_cover_each_other(actions: int, events: int, name: str) -> None:
    assert_texts_do_not_collide(figure(actions, events, name))


def test_systems_have_no_sum_and_can_be_highlighted() -> None:
    shown = figure(2, 2, systems=True)
    assert list(WeightsFigure().systems(shown)) == ["action 0", "action 1"]
    drawing = WeightsFigure().draw(shown, Palette.of([]))
    names = [mark.name for mark in drawing.marks.values()]
    assert set(names) == {"system:action 0", "system:action 1"}
    assert len(names) == 2 + 4  # a name and two parts each
    assert ".300" not in [text.get_text() for text in drawing.canvas.axes[0].texts]
    assert not WeightsFigure().systems(figure())
