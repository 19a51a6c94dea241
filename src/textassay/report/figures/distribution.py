"""How often each answer was given: one row of small bars per system, the highest on top.

Data: `criterion`, `values` (labels, from low to high), `systems`, `counts` (one row per system), and `counted`,
the word for what is counted if not answers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textassay.errors import DataError
from textassay.report.figures.drawing import (
    Drawing,
    FigureKind,
    axes_width,
    empty,
    entry,
    right_text,
    system_rows,
    table_of,
)
from textassay.report.figures.style import LINE, TEXT, Palette, shortened, text_width
from textassay.results import Figure, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEIGHT = 0.82
"""Height of the highest bar, as a share of the row."""
_TOUCHING = 20
"""With more values than this, bars have no gap between them."""


@dataclass(frozen=True)
class AnswerCounts:
    """How often each answer was given to one system."""

    system: str
    counts: tuple[float, ...]

    @property
    def total(self) -> float:
        """How many answers there are."""
        return sum(self.counts)

    @property
    def centre(self) -> float:
        """The mean position on the scale, for the order of the rows; rows without answers come last."""
        return sum(place * count for place, count in enumerate(self.counts)) / self.total if self.total else -1.0

    def text(self, values: Sequence[str]) -> str:
        """The row in words."""
        given = [f"{value} × {count:g}" for value, count in zip(values, self.counts, strict=True) if count]
        return f"{self.system}: {', '.join(given) or 'no answers'}"


class DistributionFigure(FigureKind):
    """Draws how often each answer was given."""

    def systems(self, figure: Figure) -> Sequence[str]:
        """The systems that the figure shows."""
        return [str(system) for system in figure.data.get("systems", ())]

    def describe(self, figure: Figure) -> str:
        """The figure in words."""
        values, rows = _read(figure)
        if not rows or not values:
            return f"There are no {_counted(figure)} on {figure.data.get('criterion')} to show."
        lines = "; ".join(row.text(values) for row in rows)
        if "counted" in figure.data:
            return f"How many {_counted(figure)} have each {figure.data.get('criterion')}, as value × times. {lines}."
        return f"How often each answer on {figure.data.get('criterion')} was given, as answer × times. {lines}."

    def numbers(self, figure: Figure) -> Table:
        """What the figure shows as a table."""
        values, rows = _read(figure)
        return table_of(figure, ("system", *values), ((row.system, *row.counts) for row in rows))

    def draw(self, figure: Figure, palette: Palette) -> Drawing:
        """The figure."""
        values, rows = _read(figure)
        if not rows or not values:
            return empty("no answers to show")
        tips = [row.text(values) for row in rows]
        of = str(figure.data.get("criterion", ""))
        label = of if "counted" in figure.data else f"answers on {of}"
        drawing, axes = system_rows([row.system for row in rows], tips, _counted(figure), label)
        axes.set_xlim(-0.6, len(values) - 0.4)
        _ticks(axes, values)
        most = max((count / row.total for row in rows if row.total for count in row.counts), default=1.0)
        for place, (row, tip) in enumerate(zip(rows, tips, strict=True)):
            axes.axhline(place + _HEIGHT / 2, color=LINE, lw=0.6, zorder=0)
            if row.total:
                _bars(drawing, axes, place, row, palette.style(row.system).colour, most, tip)
            right_text(axes, place, f"{row.total:g}", drawing.mark(f"system:{row.system}", tip), quiet=True)
        return drawing


def _counted(figure: Figure) -> str:
    """The word for what is counted."""
    return str(figure.data.get("counted", "answers"))


def _read(figure: Figure) -> tuple[list[str], list[AnswerCounts]]:
    labels, names, counts = entry(figure, figure.data, "values", "systems", "counts")
    values = [str(label) for label in labels]
    if len(counts) != len(names) or any(len(row) != len(values) for row in counts):
        shape = f"{len(counts)} rows of {sorted({len(row) for row in counts})}"
        raise DataError(
            f"figure {figure.name!r}: counts must have a row for each of {len(names)} systems and a column for each of "
            f"{len(values)} values, got {shape}"
        )
    rows = [AnswerCounts(str(name), tuple(map(float, row))) for name, row in zip(names, counts, strict=True)]
    return values, sorted(rows, key=lambda row: -row.centre)


def _bars(drawing: Drawing, axes: Axes, place: int, row: AnswerCounts, colour: str, most: float, tip: str) -> None:
    """Draw all bars of a system as one element, so that they are highlighted together."""
    from matplotlib.collections import PolyCollection  # noqa: PLC0415 -- only those who draw pay for matplotlib

    half = 0.5 if len(row.counts) > _TOUCHING else 0.4
    base = place + _HEIGHT / 2
    corners = [
        [(x - half, base), (x - half, top), (x + half, top), (x + half, base)]
        for x, count in enumerate(row.counts)
        if count
        for top in [base - _HEIGHT * count / row.total / most]
    ]
    bars = PolyCollection(corners, facecolor=colour, linewidth=0, alpha=0.85)
    bars.set_gid(drawing.mark(f"system:{row.system}", tip))
    axes.add_collection(bars, autolim=False)


def _ticks(axes: Axes, values: Sequence[str]) -> None:
    """Label as many values as fit; only both ends where the labels are long."""
    room = axes_width(axes)
    widest = max(text_width(value, TEXT) for value in values) + 6
    step = math.ceil(widest * len(values) / room)
    if step * 2 < len(values) or len(values) <= room / widest:
        places = list(range(0, len(values), max(step, 1)))
        axes.set_xticks(places, [values[place] for place in places])
        return
    ends = [0, len(values) - 1] if len(values) > 1 else [0]
    axes.set_xticks(ends, [""] * len(ends))
    for end, side in zip(ends, ("left", "right"), strict=False):
        axes.annotate(
            shortened(values[end], TEXT, room / len(ends) - 4), (1 if side == "right" else 0, 0), xytext=(0, -6),
            xycoords="axes fraction", textcoords="offset points", ha=side, va="top", annotation_clip=False,
        )  # fmt: skip
