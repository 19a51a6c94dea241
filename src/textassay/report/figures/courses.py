"""Means in the course of something, such as the places in a text: one line per system, with intervals.

Data: `x_label`, `y_label`, `series`, each `{system, points}`, each point `{x, mean, low, high}`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
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
from textassay.report.figures.style import LINE, MARGIN, QUIET, SMALL, WIDTH, Palette, text_width
from textassay.report.numbers import NumberFormat, format_value
from textassay.results import Figure, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEIGHT, _BOTTOM = 150.0, 38.0
_MOST_MARKED = 30
"""With more points a line has no markers, and its intervals are one band."""
_APART = 0.09
"""How far the points of two systems at the same place are drawn apart, so that their intervals can be told apart."""


@dataclass(frozen=True)
class CoursePoint:
    """A mean at one place."""

    x: float
    mean: float
    low: float
    high: float

    @property
    def text(self) -> str:
        """The point in words."""
        interval = "" if math.isnan(self.low) else f" ({_shown(self.low)} to {_shown(self.high)})"
        return f"{self.x:g}: {_shown(self.mean)}{interval}"


Series = dict[str, list[CoursePoint]]


class CoursesFigure(FigureKind):
    """Draws one line per system."""

    def systems(self, figure: Figure) -> Sequence[str]:
        """The systems that the figure shows."""
        return [str(each["system"]) for each in figure.data.get("series", ())]

    def describe(self, figure: Figure) -> str:
        """The figure in words."""
        x_label, y_label = entry(figure, figure.data, "x_label", "y_label")
        lines = [f"{name}: {', '.join(each.text for each in points)}" for name, points in _read(figure).items()]
        return f"{y_label} by {x_label}. {'; '.join(lines)}." if lines else f"There is no {y_label} to show."

    def numbers(self, figure: Figure) -> Table:
        """What the figure shows as a table."""
        x_label, y_label = entry(figure, figure.data, "x_label", "y_label")
        rows = [
            (name, each.x, each.mean, each.low, each.high) for name, points in _read(figure).items() for each in points
        ]
        return table_of(figure, ("system", x_label, y_label, "low", "high"), rows)

    def draw(self, figure: Figure, palette: Palette) -> Drawing:
        """The figure."""
        series = _read(figure)
        if not series:
            return empty("no values to show")
        low, high = _span(series)
        legend = legend_rows(list(series))
        under = _BOTTOM + legend_height(legend)
        drawing = Drawing(new_canvas(MARGIN + _HEIGHT + under))
        left = MARGIN + SMALL + 12 + max(text_width(_shown(end), SMALL) for end in (low, high))
        axes = add_axes(drawing.canvas, left, under, MARGIN, MARGIN)
        axes.set_ylim(low, high)
        axes.grid(color=LINE, lw=0.6, axis="y")
        for place, (system, points) in enumerate(series.items()):
            _line(drawing, axes, system, points, _APART * (place - (len(series) - 1) / 2), palette)
        places = sorted({point.x for points in series.values() for point in points})
        axes.set_xlim(places[0] - 0.5, places[-1] + 0.5)
        step = max(1, math.ceil(len(places) * 14 / (WIDTH - left - MARGIN)))
        axes.set_xticks(places[::step], [f"{x:g}" for x in places[::step]])
        axes.tick_params(labelsize=SMALL)
        x_label, y_label = entry(figure, figure.data, "x_label", "y_label")
        axes.set_xlabel(x_label, color=QUIET)
        axes.set_ylabel(y_label, color=QUIET)
        axes.yaxis.set_label_coords(-(left - MARGIN - SMALL / 2) / (WIDTH - left - MARGIN), 0.5)
        draw_legend(drawing, legend, palette)
        return drawing


def _shown(value: float) -> str:
    return format_value(value, NumberFormat.WHOLE)


def _read(figure: Figure) -> Series:
    (series,) = entry(figure, figure.data, "series")
    found = {}
    for each in series:
        system, points = entry(figure, each, "system", "points")
        known = [point for row in points if not math.isnan((point := _point(figure, row)).mean)]
        if known:
            found[str(system)] = sorted(known, key=lambda point: point.x)
    return found


def _point(figure: Figure, row: Mapping[str, Any]) -> CoursePoint:
    x, *rest = entry(figure, row, "x", "mean", "low", "high")
    return CoursePoint(float(x), *(math.nan if value is None else float(value) for value in rest))


def _span(series: Series) -> tuple[float, float]:
    ends = [end for points in series.values() for point in points for end in (point.mean, point.low, point.high)]
    finite = [end for end in ends if math.isfinite(end)]
    pad = (max(finite) - min(finite)) * 0.06 or 1.0
    return min(finite) - pad, max(finite) + pad


def _line(
    drawing: Drawing, axes: Axes, system: str, points: Sequence[CoursePoint], shift: float, palette: Palette
) -> None:
    style, name = palette.style(system), f"system:{system}"
    few = len(points) <= _MOST_MARKED
    places = [point.x + (shift if few else 0.0) for point in points]
    if not few:
        ends = [point.low for point in points], [point.high for point in points]
        band = axes.fill_between(places, *ends, color=style.colour, alpha=0.2, linewidth=0)
        band.set_gid(drawing.mark(name, system))
    for x, point in zip(places, points, strict=True) if few else ():
        if not math.isnan(point.low) and not math.isnan(point.high):
            gid = drawing.mark(name, f"{system}, {point.text}")
            axes.plot([x, x], [point.low, point.high], color=style.colour, lw=1.1, gid=gid)
    axes.plot(
        places, [point.mean for point in points], color=style.colour, lw=1.3, linestyle=style.dashes,
        gid=drawing.mark(name, system), **(style.marked(5) if few else {}),
    )  # fmt: skip
