"""Two measures against each other, such as a metric against people: a point for each system or text.

Data: `x_label`, `y_label`, `points`, each `{label, system, x, y}`, and the coefficient `r` with its `p`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textassay.report.figures.drawing import Drawing, add_axes, empty, entry, new_canvas
from textassay.report.figures.fonts import shortened, text_width
from textassay.report.figures.labels import Box, place_labels
from textassay.report.figures.legend import draw_legend, legend_height, legend_rows
from textassay.report.figures.style import LINE, MARGIN, QUIET, SMALL, TEXT, WIDTH, Palette
from textassay.report.numbers import Kind, shown
from textassay.results import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_LABELLED = 30
_LABEL = 96.0
"""Points that a label may take."""
_LEFT, _BOTTOM, _TOP = 50.0, 42.0, MARGIN + 1.9 * TEXT
_ACROSS, _HEIGHT = WIDTH - _LEFT - MARGIN - 6, 190.0
"""Points: margins, then width and height of the axes."""


@dataclass(frozen=True)
class Point:
    """One point."""

    label: str
    system: str
    x: float
    y: float

    @property
    def short(self) -> str:
        """Its label, no longer than a figure allows."""
        return shortened(self.label, SMALL, _LABEL)

    @property
    def text(self) -> str:
        """The point in words."""
        return f"{self.label}: {shown(self.x)} and {shown(self.y)}"


def systems(figure: Figure) -> Sequence[str]:
    """The systems that the figure shows."""
    return [str(point["system"]) for point in figure.data.get("points", ()) if point.get("system")]


def describe(figure: Figure) -> str:
    """The figure in words."""
    points, absent = _read(figure)
    x_label, y_label = entry(figure, figure.data, "x_label", "y_label")
    lost = f" {absent} without a value are not shown." if absent else ""
    if not points:
        return f"There is no point of {x_label} and {y_label} to show.{lost}"
    listed = ""
    if len(points) <= _MOST_LABELLED:
        listed = " " + "; ".join(point.text for point in points) + "."
    return f"{x_label} (across) and {y_label} (up) of {len(points)} points; {_coefficient(figure)}.{listed}{lost}"


def draw(figure: Figure, palette: Palette) -> Drawing:
    """The figure: names beside the points where there is room for all of them, else a legend."""
    points, _ = _read(figure)
    if not points:
        return empty("no values to show")
    spans = _span([point.x for point in points]), _span([point.y for point in points])
    boxes = _label_boxes(points, *spans) if len(points) <= _MOST_LABELLED else None
    legend = legend_rows(list(dict.fromkeys(point.system for point in points if point.system))) if not boxes else []
    under = _BOTTOM + legend_height(legend)
    drawing = Drawing(new_canvas(_TOP + _HEIGHT + under))
    axes = add_axes(drawing.canvas, _LEFT, under, WIDTH - _LEFT - _ACROSS, _TOP)
    axes.set_xlim(spans[0])
    axes.set_ylim(spans[1])
    axes.grid(color=LINE, lw=0.6)
    _labels_of_axes(axes, figure, len(points))
    _points(drawing, axes, points, palette)
    for point, box in zip(points, boxes or (), strict=False):
        _name_point(drawing, axes, point, box)
    draw_legend(drawing, legend, palette)
    return drawing


def _read(figure: Figure) -> tuple[list[Point], int]:
    """The points that have both values, and how many have not."""
    (rows,) = entry(figure, figure.data, "points")
    points = [_point(figure, row) for row in rows]
    kept = [point for point in points if math.isfinite(point.x) and math.isfinite(point.y)]
    return kept, len(points) - len(kept)


def _point(figure: Figure, row: Mapping[str, Any]) -> Point:
    x, y = (math.nan if value is None else float(value) for value in entry(figure, row, "x", "y"))
    system = str(row.get("system") or "")
    return Point(str(row.get("label") or system), system, x, y)


def _coefficient(figure: Figure) -> str:
    r, p = figure.data.get("r"), figure.data.get("p")
    if r is None or math.isnan(r):
        return "r undefined"
    chance = "" if p is None or math.isnan(p) else f", p {_equals(shown(float(p), Kind.P))}"
    return f"r = {shown(float(r), Kind.BOUNDED)}{chance}"


def _equals(text: str) -> str:
    return text if text[0] in "<>" else f"= {text}"


def _span(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    pad = (high - low) * 0.08 or abs(low) * 0.1 or 0.5
    return low - pad, high + pad


def _labels_of_axes(axes: Axes, figure: Figure, n: int) -> None:
    x_label, y_label = entry(figure, figure.data, "x_label", "y_label")
    axes.set_xlabel(shortened(str(x_label), TEXT, _ACROSS), color=QUIET)
    axes.set_ylabel(shortened(str(y_label), TEXT, _HEIGHT), color=QUIET)
    axes.yaxis.set_label_coords(-(_LEFT - MARGIN - TEXT / 2) / _ACROSS, 0.5)
    axes.tick_params(labelsize=SMALL)
    axes.annotate(
        f"{_coefficient(figure)}, n = {n}", (0, 1), xytext=(0, 6), xycoords="axes fraction",
        textcoords="offset points", ha="left", va="bottom",
    )  # fmt: skip


def _points(drawing: Drawing, axes: Axes, points: Sequence[Point], palette: Palette) -> None:
    """One element a point where they are few, else one a system."""
    each = len(points) <= _MOST_LABELLED
    groups: dict[object, list[Point]] = {}
    for place, point in enumerate(points):
        groups.setdefault(place if each else point.system, []).append(point)
    for group in groups.values():
        first, look = group[0], palette.look(group[0].system)
        tip = first.text if each else f"{first.system}: {len(group)} points"
        axes.plot(
            [point.x for point in group], [point.y for point in group], ls="none", marker=look.marker,
            ms=7 if each else 4.5, mfc=look.colour, mec="white", mew=0.8 if each else 0.4, clip_on=False, zorder=3,
            alpha=1.0 if each else 0.8, gid=drawing.mark(f"system:{first.system}", tip) if first.system else None,
        )  # fmt: skip


def _label_boxes(points: Sequence[Point], across: tuple[float, float], up: tuple[float, float]) -> list[Box] | None:
    """Room for each label, in points from the corner of the axes; nothing where they do not all fit."""
    places = [
        (_ACROSS * (p.x - across[0]) / (across[1] - across[0]), _HEIGHT * (p.y - up[0]) / (up[1] - up[0]))
        for p in points
    ]
    widths = [text_width(point.short, SMALL) for point in points]
    return place_labels(places, widths, 1.15 * SMALL, Box(0, 0, _ACROSS + MARGIN, _HEIGHT + 4), gap=5.5)


def _name_point(drawing: Drawing, axes: Axes, point: Point, box: Box) -> None:
    axes.annotate(
        point.short, ((box.left + box.right) / 2, (box.bottom + box.top) / 2), xycoords="axes points", ha="center",
        va="center", size=SMALL, annotation_clip=False, zorder=4,
        gid=drawing.mark(f"system:{point.system}", point.text) if point.system else None,
    )  # fmt: skip
