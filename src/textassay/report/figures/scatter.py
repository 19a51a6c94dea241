"""Two measures against each other, such as a metric against human judgements: one point per system or text.

Data: `x_label`, `y_label`, `points`, each `{label, system, x, y}`, and the coefficient `r` with its `p` and, where
it has one, its interval `ci`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textassay.report.figures.drawing import (
    Drawing,
    FigureKind,
    add_axes,
    draw_legend,
    empty,
    entry,
    legend_height,
    legend_rows,
    new_canvas,
    table_of,
)
from textassay.report.figures.style import KEPT, LINE, MARGIN, QUIET, SMALL, TEXT, WIDTH, Palette, shortened, text_width
from textassay.report.numbers import NumberFormat, format_value
from textassay.results import Figure, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_MOST_LABELLED = 30
_MOST_DRAWN = 1000
_CELLS = (48, 18)
"""Beyond that many points it shows how many lie in each of so many cells, across and up."""
_LABEL = 96.0
"""The widest label."""
_LEFT, _BOTTOM, _TOP = 50.0, 42.0, MARGIN + 1.9 * TEXT
_ACROSS, _HEIGHT = WIDTH - _LEFT - MARGIN - 6, 190.0
"""Margins, then width and height of the axes."""


@dataclass(frozen=True)
class LabelledPoint:
    """A point and its name."""

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
        return f"{self.label}: {format_value(self.x)} and {format_value(self.y)}"


class ScatterFigure(FigureKind):
    """Draws two measures against each other."""

    def systems(self, figure: Figure) -> Sequence[str]:
        """The systems that the figure shows."""
        return [str(point["system"]) for point in figure.data.get("points", ()) if point.get("system")]

    def describe(self, figure: Figure) -> str:
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

    def remark(self, figure: Figure) -> str:
        """Very many points are counted."""
        count = len(_read(figure)[0])
        said = f"The {count:,} points are counted in cells: the stronger the colour, the more (by their logarithm)."
        return said if count > _MOST_DRAWN else ""

    def numbers(self, figure: Figure) -> Table:
        """What the figure shows as a table."""
        points, _ = _read(figure)
        x_label, y_label = entry(figure, figure.data, "x_label", "y_label")
        rows = ((point.label, point.system, point.x, point.y) for point in points)
        return table_of(figure, ("label", "system", x_label, y_label), rows)

    def draw(self, figure: Figure, palette: Palette) -> Drawing:
        """Draw the points, with names beside them if all names fit, otherwise with a legend."""
        points, _ = _read(figure)
        if not points:
            return empty("no values to show")
        spans = _span([point.x for point in points]), _span([point.y for point in points])
        boxes = _label_boxes(points, *spans) if len(points) <= _MOST_LABELLED else None
        counted = len(points) > _MOST_DRAWN
        named = [] if boxes or counted else [point.system for point in points if point.system]
        legend = legend_rows(list(dict.fromkeys(named)))
        under = _BOTTOM + legend_height(legend)
        drawing = Drawing(new_canvas(_TOP + _HEIGHT + under))
        axes = add_axes(drawing.canvas, _LEFT, under, WIDTH - _LEFT - _ACROSS, _TOP)
        axes.set_xlim(spans[0])
        axes.set_ylim(spans[1])
        axes.grid(color=LINE, lw=0.6)
        _labels_of_axes(axes, figure, len(points))
        if counted:
            _cells(axes, points)
        else:
            _points(drawing, axes, points, palette)
        for point, box in zip(points, boxes or (), strict=False):
            _name_point(drawing, axes, point, box)
        draw_legend(drawing, legend, palette)
        return drawing


def _read(figure: Figure) -> tuple[list[LabelledPoint], int]:
    """The points with both values, and how many points lack one."""
    (rows,) = entry(figure, figure.data, "points")
    points = [_point(figure, row) for row in rows]
    kept = [point for point in points if math.isfinite(point.x) and math.isfinite(point.y)]
    return kept, len(points) - len(kept)


def _point(figure: Figure, row: Mapping[str, Any]) -> LabelledPoint:
    x, y = (math.nan if value is None else float(value) for value in entry(figure, row, "x", "y"))
    system = str(row.get("system") or "")
    return LabelledPoint(str(row.get("label") or system), system, x, y)


def _coefficient(figure: Figure) -> str:
    r, p, ci = (figure.data.get(name) for name in ("r", "p", "ci"))
    if r is None or math.isnan(r):
        return "r undefined"
    chance = "" if p is None or math.isnan(p) else f", p {_equals(format_value(float(p), NumberFormat.P))}"
    ends = "" if ci is None else f" [{', '.join(format_value(float(end), NumberFormat.BOUNDED) for end in ci)}]"
    return f"r = {format_value(float(r), NumberFormat.BOUNDED)}{ends}{chance}"


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


def _points(drawing: Drawing, axes: Axes, points: Sequence[LabelledPoint], palette: Palette) -> None:
    """Draw one element per point, or one per system where there are many points."""
    each = len(points) <= _MOST_LABELLED
    groups: dict[object, list[LabelledPoint]] = {}
    for place, point in enumerate(points):
        groups.setdefault(place if each else point.system, []).append(point)
    for group in groups.values():
        first, style = group[0], palette.style(group[0].system)
        tip = first.text if each else f"{first.system}: {len(group)} points"
        axes.plot(
            [point.x for point in group], [point.y for point in group], ls="none", clip_on=False, zorder=3,
            alpha=1.0 if each else 0.8, gid=drawing.mark(f"system:{first.system}", tip) if first.system else None,
            **(style.marked(7, 0.8) if each else style.marked(4.5, 0.4)),
        )  # fmt: skip


def _cells(axes: Axes, points: Sequence[LabelledPoint]) -> None:
    """Draw how many points lie where: each by itself, the last would hide the others, and the file would be large."""
    from matplotlib.colors import to_rgba  # noqa: PLC0415 -- only those who draw pay for matplotlib

    x, y = [point.x for point in points], [point.y for point in points]
    across, up = axes.get_xlim(), axes.get_ylim()
    cells = axes.hexbin(x, y, gridsize=_CELLS, mincnt=1, extent=(*across, *up), linewidths=0, zorder=3)
    found = cells.get_array()
    counts = [] if found is None else [float(count) for count in found]
    most = math.log(max(counts) + 1)
    cells.set_array(None)
    cells.set_facecolor([to_rgba(KEPT, 0.12 + 0.88 * math.log(count + 1) / most) for count in counts])
    axes.set_xlim(across)
    axes.set_ylim(up)


def _label_boxes(
    points: Sequence[LabelledPoint], across: tuple[float, float], up: tuple[float, float]
) -> list[Box] | None:
    """A box for each label, measured from the corner of the axes; None if they do not all fit."""
    places = [
        (_ACROSS * (p.x - across[0]) / (across[1] - across[0]), _HEIGHT * (p.y - up[0]) / (up[1] - up[0]))
        for p in points
    ]
    widths = [text_width(point.short, SMALL) for point in points]
    return place_labels(places, widths, 1.15 * SMALL, Box(0, 0, _ACROSS + MARGIN, _HEIGHT + 4), gap=5.5)


def _name_point(drawing: Drawing, axes: Axes, point: LabelledPoint, box: Box) -> None:
    axes.annotate(
        point.short, ((box.left + box.right) / 2, (box.bottom + box.top) / 2), xycoords="axes points", ha="center",
        va="center", size=SMALL, annotation_clip=False, zorder=4,
        gid=drawing.mark(f"system:{point.system}", point.text) if point.system else None,
    )  # fmt: skip


@dataclass(frozen=True)
class Box:
    """A rectangle."""

    left: float
    bottom: float
    right: float
    top: float

    def overlap(self, other: Box) -> float:
        """The area that both cover.

        >>> Box(0, 0, 2, 2).overlap(Box(1, 1, 5, 5)), Box(0, 0, 1, 1).overlap(Box(2, 0, 3, 1))
        (1.0, 0.0)
        """
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.top, other.top) - max(self.bottom, other.bottom)
        return float(max(width, 0) * max(height, 0))


def place_labels(
    points: Sequence[tuple[float, float]], widths: Sequence[float], height: float, bounds: Box, gap: float
) -> list[Box] | None:
    """A box for each label, the first free place around its point; None if a label has no free place.

    Args:
        points: Places of the points.
        widths: Width of each label.
        height: Height of all labels.
        bounds: Where labels may be.
        gap: Space that a point takes to each side.
    """
    dots = [Box(x - gap, y - gap, x + gap, y + gap) for x, y in points]
    placed: list[Box] = []
    for place, (point, width) in enumerate(zip(points, widths, strict=True)):
        others = dots[:place] + dots[place + 1 :] + placed
        free = (box for box in _candidates(point, width, height, gap) if _free(box, others, bounds))
        box = next(free, None)
        if box is None:
            return None
        placed.append(box)
    return placed


def _free(box: Box, others: Sequence[Box], bounds: Box) -> bool:
    inside = (
        bounds.left <= box.left and box.right <= bounds.right and bounds.bottom <= box.bottom and box.top <= bounds.top
    )
    return inside and not any(box.overlap(other) for other in others)


def _candidates(point: tuple[float, float], width: float, height: float, gap: float) -> Iterator[Box]:
    """Places around a point, best first: right, left, above, below, the corners, then the same further away."""
    x, y = point
    for far in (1.0, 2.0):
        reach = gap * far
        lefts = {"right": x + reach, "left": x - reach - width, "middle": x - width / 2}
        bottoms = {"middle": y - height / 2, "above": y + reach, "below": y - reach - height}
        for side, level in (
            ("right", "middle"), ("left", "middle"), ("middle", "above"), ("middle", "below"),
            ("right", "above"), ("right", "below"), ("left", "above"), ("left", "below"),
        ):  # fmt: skip
            left, bottom = lefts[side], bottoms[level]
            yield Box(left, bottom, left + width, bottom + height)
