"""The order of the systems by people and by each metric: a line for each system, from column to column.

Data: `systems` (their names), `columns` (one mapping each, with `name` and `ranks`: one rank per system, 1 the best,
None where there is none). The first column is that of people.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textassay.errors import DataError
from textassay.prose import listed
from textassay.report.figures.drawing import (
    Drawing,
    FigureKind,
    add_axes,
    empty,
    entry,
    new_canvas,
    table_of,
)
from textassay.report.figures.style import LINE, MARGIN, SMALL, WIDTH, Palette, shortened, text_width
from textassay.results import Figure, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAME, _HEAD = 92.0, 130.0
"""The widest name of a system, and the longest of a metric."""
_ROW = 17.0
_GAP = 13.0
_LEAST_TURNED = 34.0
"""Columns at least so wide apart have level headings where these fit."""


class RankFlowFigure(FigureKind):
    """Draws how the order of the systems changes from people to each metric."""

    def systems(self, figure: Figure) -> Sequence[str]:
        """All of them."""
        return [str(name) for name in figure.data.get("systems", ())]

    def describe(self, figure: Figure) -> str:
        """The figure in words: the order by people, and where each metric puts a system elsewhere."""
        systems, columns = _read(figure)
        if not systems or not columns:
            return "There is no order to show."
        first, *others = columns
        order = sorted((rank, name) for rank, name in zip(first[1], systems, strict=True) if not math.isnan(rank))
        lines = [f"By {first[0]}: {', '.join(name for _, name in order)}"]
        for name, ranks in others:
            moved = [
                f"{system} {_rank(rank)} instead of {_rank(own)}"
                for system, own, rank in zip(systems, first[1], ranks, strict=True)
                if not math.isnan(rank) and rank != own
            ]
            lines.append(f"{name}: {listed(moved) if moved else 'the same order'}")
        return ". ".join(lines) + "."

    def numbers(self, figure: Figure) -> Table:
        """What the figure shows as a table."""
        systems, columns = _read(figure)
        rows = ((name, *(ranks[place] for _, ranks in columns)) for place, name in enumerate(systems))
        return table_of(figure, ("system", *(name for name, _ in columns)), rows)

    def draw(self, figure: Figure, palette: Palette) -> Drawing:
        """The figure."""
        systems, columns = _read(figure)
        if not systems or not columns:
            return empty("no order to show")
        names = [shortened(name, SMALL, _NAME) for name in systems]
        heads = [shortened(name, SMALL, _HEAD) for name, _ in columns]
        aside = MARGIN + _GAP + max(text_width(name, SMALL) for name in names)
        between = (WIDTH - 2 * aside) / max(len(columns) - 1, 1)
        level = between >= _LEAST_TURNED and all(text_width(head, SMALL) <= between - 4 for head in heads)
        above = MARGIN + (1.8 * SMALL if level else 6 + max(text_width(head, SMALL) for head in heads))
        drawing = Drawing(new_canvas(above + _ROW * len(systems) + MARGIN))
        axes = add_axes(drawing.canvas, aside, MARGIN, aside, above)
        axes.set_xlim(0, max(len(columns) - 1, 1))
        axes.set_ylim(len(systems) + 0.5, 0.5)
        axes.set_axis_off()
        for place, head in enumerate(heads):
            axes.plot([place, place], [0.5, len(systems) + 0.5], color=LINE, linewidth=0.8, zorder=0, clip_on=False)
            axes.annotate(
                head, (place, 1), xytext=(0, 4), xycoords=("data", "axes fraction"), textcoords="offset points",
                ha="center", va="bottom", size=SMALL, rotation=0 if level else 90, annotation_clip=False,
                weight="bold" if place == 0 else "normal",
            )  # fmt: skip
        _lines(drawing, axes, systems, names, columns, palette)
        return drawing


def _rank(rank: float) -> str:
    return f"{rank:g}"


def _known(rank: float | None) -> float:
    return math.nan if rank is None else float(rank)


def _read(figure: Figure) -> tuple[list[str], list[tuple[str, list[float]]]]:
    systems, given = entry(figure, figure.data, "systems", "columns")
    columns = [(str(one["name"]), list(map(_known, one["ranks"]))) for one in given]
    if any(len(ranks) != len(systems) for _, ranks in columns):
        raise DataError(f"figure {figure.name!r}: each column must have a rank for each of {len(systems)} systems")
    return [str(name) for name in systems], columns


def _lines(
    drawing: Drawing,
    axes: Axes,
    systems: Sequence[str],
    names: Sequence[str],
    columns: Sequence[tuple[str, list[float]]],
    palette: Palette,
) -> None:
    for place, system in enumerate(systems):
        ranks = [own[place] for _, own in columns]
        style = palette.style(system)
        tip = f"{system}: " + ", ".join(
            f"{name} {_rank(rank)}" for (name, _), rank in zip(columns, ranks, strict=True) if not math.isnan(rank)
        )
        axes.plot(
            range(len(columns)), ranks, color=style.colour, linewidth=1.6, linestyle=style.dashes, clip_on=False,
            zorder=2, gid=drawing.mark(f"system:{system}", tip), **style.marked(5.5),
        )  # fmt: skip
    for end, side in ((0, -1), (len(columns) - 1, 1)) if len(columns) > 1 else ((0, -1),):
        for slot, place in enumerate(_slots(columns[end][1]), start=1):
            # where ranks are equal the names are one below the other
            axes.annotate(
                names[place], (end, slot), xytext=(side * _GAP, 0), textcoords="offset points", size=SMALL,
                ha="right" if side < 0 else "left", va="center", annotation_clip=False,
                gid=drawing.mark(f"system:{systems[place]}", systems[place]),
            )  # fmt: skip


def _slots(ranks: Sequence[float]) -> list[int]:
    """The systems from top to bottom, those with equal ranks one below the other.

    >>> _slots([2.5, 1, 2.5, math.nan])
    [1, 0, 2]
    """
    known = [place for place, rank in enumerate(ranks) if not math.isnan(rank)]
    return sorted(known, key=lambda place: (ranks[place], place))
