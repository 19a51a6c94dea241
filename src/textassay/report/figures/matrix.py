"""A table of coefficients or differences as coloured squares: blue above 0, vermilion below, the stronger the further.

Data: `rows`, `columns` (labels), `values` (one list of numbers per row, for the colour), `texts` (written in the
squares), `most` (the value of the full colour), `row_label`, `column_label`, and `meaning`, which says what blue means.
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
    WIDTH,
    Palette,
    in_lines,
    shortened,
    text_width,
)
from textassay.results import Figure, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ABOVE, BELOW = (0.0, 0.447, 0.698), (0.835, 0.369, 0.0)
"""Blue and vermilion of Okabe & Ito (2008), which everybody can tell apart."""
_LABEL = 130.0
_NARROWEST, _WIDEST, _HEIGHT = 13.0, 64.0, 19.0
_TOP = 2.6 * SMALL
_MOST_DESCRIBED = 12
_WHITE_FROM = 0.8
"""Share of the full colour from which white text is easier to read than dark text."""


class MatrixFigure(FigureKind):
    """Draws a table of numbers on both sides of 0."""

    def describe(self, figure: Figure) -> str:
        """The figure in words: the cells of each row."""
        rows, columns, _, texts = _read(figure)
        if not rows or not columns:
            return "There is nothing to show."
        lines = []
        for name, row in zip(rows[:_MOST_DESCRIBED], texts, strict=False):
            cells = [f"{column} {text}" for column, text in zip(columns, row, strict=True) if text]
            lines.append(f"{name}: {', '.join(cells) or 'nothing'}")
        more = f"; and {len(rows) - _MOST_DESCRIBED} more rows" if len(rows) > _MOST_DESCRIBED else ""
        what = f"{figure.data.get('row_label', 'rows')} by {figure.data.get('column_label', 'columns')}"
        return f"{what[0].upper()}{what[1:]}. {'; '.join(lines)}{more}."

    def remark(self, figure: Figure) -> str:
        """What the colours mean."""
        return str(figure.data.get("meaning", ""))

    def numbers(self, figure: Figure) -> Table:
        """What the figure shows as a table."""
        rows, columns, values, _ = _read(figure)
        head = str(figure.data.get("row_label", "")) or "row"
        return table_of(figure, (head, *columns), ((name, *row) for name, row in zip(rows, values, strict=True)))

    def draw(self, figure: Figure, palette: Palette) -> Drawing:
        """The figure."""
        del palette  # the colours are those of the two sides
        rows, columns, values, texts = _read(figure)
        if not rows or not columns:
            return empty("no values to show")
        widest = min(_LABEL, WIDTH - 2 * MARGIN - 6 - _NARROWEST * len(columns))
        names = [shortened(name, SMALL, widest) for name in rows]
        left = MARGIN + 6 + max(text_width(name, SMALL) for name in names)
        side = min(_WIDEST, (WIDTH - left - MARGIN) / len(columns))
        heads = [in_lines(name, SMALL, side - 2) for name in columns]
        top = MARGIN + (_TOP if any("\n" in head for head in heads) else 1.6 * SMALL)
        drawing = Drawing(new_canvas(top + _HEIGHT * len(rows) + MARGIN))
        axes = add_axes(drawing.canvas, left, MARGIN, WIDTH - left - side * len(columns), top)
        axes.set_xlim(-0.5, len(columns) - 0.5)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_axis_off()
        most = float(figure.data.get("most", 1.0)) or 1.0
        _squares(axes, values, most)
        _texts(axes, values, texts, most, side)
        for place, name in enumerate(names):
            _label(axes, name, (0, place), (-6, 0), ("axes fraction", "data"), ha="right", va="center")
        for place, head in enumerate(heads):
            _label(axes, head, (place, 1), (0, 3), ("data", "axes fraction"), ha="center", va="bottom")
        return drawing


def _label(
    axes: Axes, text: str, at: tuple[float, float], shift: tuple[float, float], coordinates: tuple[str, str], **how: str
) -> None:
    options: dict[str, Any] = {"size": SMALL, "linespacing": 1.05, "annotation_clip": False, **how}
    axes.annotate(text, at, xytext=shift, xycoords=coordinates, textcoords="offset points", **options)


def _read(figure: Figure) -> tuple[list[str], list[str], list[list[float]], list[list[str]]]:
    rows, columns, cells, texts = entry(figure, figure.data, "rows", "columns", "values", "texts")
    for what in (cells, texts):
        if len(what) != len(rows) or any(len(row) != len(columns) for row in what):
            wanted = f"{len(rows)} rows and {len(columns)} columns"
            raise DataError(f"figure {figure.name!r}: values and texts must have {wanted}, as there are labels")
    values = [[math.nan if cell is None else float(cell) for cell in row] for row in cells]
    written = [[str(text) for text in row] for row in texts]
    return [str(name) for name in rows], [str(name) for name in columns], values, written


def _share(value: float, most: float) -> float:
    return 0.0 if math.isnan(value) else min(1.0, abs(value) / most)


def _squares(axes: Axes, values: Sequence[Sequence[float]], most: float) -> None:
    from matplotlib.collections import PolyCollection  # noqa: PLC0415 -- only those who draw pay for matplotlib

    corners: list[Any] = []
    colours = []
    for y, row in enumerate(values):
        for x, value in enumerate(row):
            corners.append([(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)])
            side = BELOW if value < 0 else ABOVE
            colours.append(tuple(1 - _share(value, most) * (1 - part) for part in side))
    axes.add_collection(PolyCollection(corners, facecolor=colours, edgecolor=LINE, linewidth=0.5), autolim=False)


def _texts(
    axes: Axes, values: Sequence[Sequence[float]], texts: Sequence[Sequence[str]], most: float, side: float
) -> None:
    """What is written in the squares; nothing where the widest would not fit."""
    widest = max((text_width(text, SMALL) for row in texts for text in row), default=0.0)
    if widest > side - 2:
        return
    for y, row in enumerate(texts):
        for x, text in enumerate(row):
            colour = "white" if _share(values[y][x], most) > _WHITE_FROM else QUIET if values[y][x] == 0 else ON_SQUARE
            if text:
                axes.text(x, y, text, ha="center", va="center", size=SMALL, color=colour)
