"""The names of systems with their colours and shapes, under the axes, broken into rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from textassay.report.figures.drawing import Drawing, add_axes
from textassay.report.figures.fonts import shortened, text_width
from textassay.report.figures.style import MARGIN, SMALL, WIDTH, Palette

_ROW = 14.0
_LABEL = 96.0
_SHAPE = 20.0
"""Points: height of a row, the most that a name may take, room for the shape before it."""


@dataclass(frozen=True)
class Item:
    """One system in the legend."""

    x: float
    system: str
    label: str


def legend_rows(systems: Sequence[str]) -> list[list[Item]]:
    """The systems in as many rows as they need.

    >>> [len(row) for row in legend_rows(["a"] * 20)]
    [12, 8]
    """
    rows: list[list[Item]] = []
    x = math.inf
    for system in systems:
        label = shortened(system, SMALL, _LABEL)
        width = text_width(label, SMALL) + _SHAPE
        if x + width > WIDTH - MARGIN:
            rows.append([])
            x = MARGIN + 4
        rows[-1].append(Item(x, system, label))
        x += width
    return rows


def legend_height(rows: Sequence[Sequence[Item]]) -> float:
    """Points that the legend takes."""
    return _ROW * len(rows)


def draw_legend(drawing: Drawing, rows: Sequence[Sequence[Item]], palette: Palette) -> None:
    """Draw the rows along the lower edge of the figure."""
    if not rows:
        return
    total = float(drawing.canvas.get_size_inches()[1]) * 72
    axes = add_axes(drawing.canvas, 0, 2, 0, total - 2 - legend_height(rows))
    axes.set_axis_off()
    axes.set_xlim(0, WIDTH)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    for place, row in enumerate(rows):
        for item in row:
            look, name = palette.look(item.system), f"system:{item.system}"
            axes.plot(
                [item.x], [place], marker=look.marker, ms=5.5, mfc=look.colour, mec="white", mew=0.5,
                gid=drawing.mark(name, item.system),
            )  # fmt: skip
            axes.text(
                item.x + 7, place, item.label, va="center_baseline", size=SMALL, gid=drawing.mark(name, item.system)
            )
