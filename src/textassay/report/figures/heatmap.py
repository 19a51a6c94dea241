"""A table of counts or shares as squares of one colour: the darker, the more.

Data: `rows`, `columns` (labels), `values` (one list of numbers per row), `row_label`, `column_label`, and `shown`, the
word for what a cell holds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from textassay.errors import DataError
from textassay.report.figures.drawing import (
    Drawing,
    FigureKind,
    add_axes,
    empty,
    entry,
    new_canvas,
    table_of,
)
from textassay.report.figures.style import (
    LINE,
    MARGIN,
    ON_SQUARE,
    QUIET,
    SMALL,
    TEXT,
    WIDTH,
    Palette,
    shortened,
    text_width,
)
from textassay.report.numbers import format_value
from textassay.results import Figure, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOUR = (0.0, 0.447, 0.698)
"""The first of the palette's colours, for the largest value."""
_LABEL = 70.0
_SIDE = 30.0
"""The widest label, and the largest side of a square."""
_BELOW = 34.0
_MOST_WRITTEN = 14
"""Up to this many columns, each cell shows its number."""
_MOST_NAMED = 40
"""Up to this many rows or columns, each has its label."""


class HeatmapFigure(FigureKind):
    """Draws a table of counts or shares."""

    def describe(self, figure: Figure) -> str:
        """The figure in words: the largest cell of each row."""
        rows, columns, values = _read(figure)
        if not rows or not columns:
            return f"There is no {figure.data.get('shown', 'value')} to show."
        lines = []
        for name, row in zip(rows, values, strict=True):
            known = [value for value in row if not math.isnan(value)]
            most = max(known, default=math.nan)
            at = [column for column, value in zip(columns, row, strict=True) if value == most]
            lines.append(f"{name}: most in {', '.join(at)} ({format_value(most)})" if at else f"{name}: nothing")
        what = f"{figure.data.get('row_label', 'rows')} by {figure.data.get('column_label', 'columns')}"
        return f"{str(figure.data.get('shown', 'value')).capitalize()}, {what}. {'; '.join(lines)}."

    def numbers(self, figure: Figure) -> Table:
        """What the figure shows as a table."""
        rows, columns, values = _read(figure)
        head = str(figure.data.get("row_label", "")) or "row"
        return table_of(figure, (head, *columns), ((name, *row) for name, row in zip(rows, values, strict=True)))

    def draw(self, figure: Figure, palette: Palette) -> Drawing:
        """The figure."""
        del palette  # one colour, whatever systems there are
        rows, columns, values = _read(figure)
        if not rows or not columns:
            return empty("no values to show")
        left = MARGIN + TEXT + 10 + min(_LABEL, max(text_width(name, SMALL) for name in rows))
        side = min(_SIDE, (WIDTH - left - MARGIN) / len(columns))
        drawing = Drawing(new_canvas(MARGIN + side * len(rows) + _BELOW))
        axes = add_axes(drawing.canvas, left, _BELOW, WIDTH - left - side * len(columns), MARGIN)
        axes.set_xlim(-0.5, len(columns) - 0.5)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        for edge in axes.spines.values():
            edge.set_visible(False)
        _squares(axes, values)
        if len(columns) <= _MOST_WRITTEN:
            _numbers(axes, values)
        _ticks(axes, rows, columns, side)
        axes.set_xlabel(str(figure.data.get("column_label", "")), color=QUIET)
        axes.set_ylabel(str(figure.data.get("row_label", "")), color=QUIET)
        axes.yaxis.set_label_coords(-(left - MARGIN - TEXT / 2) / (side * len(columns)), 0.5)
        return drawing


def _read(figure: Figure) -> tuple[list[str], list[str], list[list[float]]]:
    rows, columns, cells = entry(figure, figure.data, "rows", "columns", "values")
    if len(cells) != len(rows) or any(len(row) != len(columns) for row in cells):
        shape = f"{len(cells)} rows of {sorted({len(row) for row in cells})}"
        wanted = f"{len(rows)} rows and {len(columns)} columns"
        raise DataError(f"figure {figure.name!r}: values must have {wanted}, as there are labels, got {shape}")
    values = [[math.nan if cell is None else float(cell) for cell in row] for row in cells]
    return [str(name) for name in rows], [str(name) for name in columns], values


def _most(values: Sequence[Sequence[float]]) -> float:
    return max((abs(value) for row in values for value in row if not math.isnan(value)), default=0.0) or 1.0


def _squares(axes: Axes, values: Sequence[Sequence[float]]) -> None:
    from matplotlib.collections import PolyCollection  # noqa: PLC0415 -- only those who draw pay for matplotlib

    most = _most(values)
    corners: list[Any] = []
    colours = []
    for y, row in enumerate(values):
        for x, value in enumerate(row):
            corners.append([(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)])
            share = 0.0 if math.isnan(value) else max(value, 0.0) / most
            colours.append(tuple(1 - share * (1 - part) for part in _COLOUR))
    axes.add_collection(PolyCollection(corners, facecolor=colours, edgecolor=LINE, linewidth=0.5), autolim=False)


def _numbers(axes: Axes, values: Sequence[Sequence[float]]) -> None:
    most = _most(values)
    for y, row in enumerate(values):
        for x, value in enumerate(row):
            if not math.isnan(value) and value:
                colour = "white" if value / most > 0.55 else ON_SQUARE
                text = f"{value:.0f}" if value == round(value) else f"{value:.2f}".removeprefix("0")
                axes.text(x, y, text, ha="center", va="center", size=SMALL, color=colour)


def _ticks(axes: Axes, rows: Sequence[str], columns: Sequence[str], side: float) -> None:
    """Label every row and column, or every second, third … where the labels would overlap."""
    widest = min(_LABEL, max(text_width(name, SMALL) for name in columns)) + 4
    step = max(1, math.ceil(widest / side), math.ceil(len(columns) / _MOST_NAMED))
    # a label near the end has space only up to the edge of the figure
    room = {place: min(step * side, (2 * (len(columns) - place) - 1) * side + MARGIN) for place in range(len(columns))}
    places = [place for place in range(0, len(columns), step) if room[place] >= min(widest, side)]
    axes.set_xticks(places, [shortened(columns[place], SMALL, room[place] - 4) for place in places])
    step = max(1, math.ceil(1.2 * SMALL / side))
    places = list(range(0, len(rows), step))
    axes.set_yticks(places, [shortened(rows[place], SMALL, _LABEL) for place in places])
    axes.tick_params(labelsize=SMALL, length=0)
