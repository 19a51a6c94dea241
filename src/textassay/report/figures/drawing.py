"""What the kinds of figures share: the base class, canvas and axes, rows of systems, a legend.

All measures are points (1/72 inch).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from textassay.errors import DataError
from textassay.report.figures.style import (
    MARGIN,
    QUIET,
    ROW,
    SMALL,
    TEXT,
    WIDTH,
    Palette,
    in_lines,
    shortened,
    text_width,
)
from textassay.results import Figure, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas


@dataclass(frozen=True)
class Mark:
    """The system or participant that an element of a figure shows."""

    name: str
    """`system:NAME` or `participant:CODE`: elements with the same name are highlighted together."""
    tip: str
    """What a reader sees when pointing at it."""


@dataclass
class Drawing:
    """A matplotlib figure, and what its elements show."""

    canvas: Canvas
    marks: dict[str, Mark] = field(default_factory=dict)
    """Mark by the id that its element has in the SVG."""

    def mark(self, name: str, tip: str) -> str:
        """A new id for an element that shows a system or a participant."""
        gid = f"mark-{len(self.marks) + 1}"
        self.marks[gid] = Mark(name, tip)
        return gid


class FigureKind(ABC):
    """One kind of figure: how it is drawn, and how it is described in words."""

    def systems(self, figure: Figure) -> Sequence[str]:  # noqa: ARG002 -- most kinds need it
        """The systems that the figure shows; none unless the kind says otherwise."""
        return ()

    @abstractmethod
    def describe(self, figure: Figure) -> str:
        """The figure in words, for readers who cannot see it."""

    def remark(self, figure: Figure) -> str:  # noqa: ARG002 -- as above
        """What the caption says of how it is drawn; nothing unless the kind says otherwise."""
        return ""

    @abstractmethod
    def numbers(self, figure: Figure) -> Table:
        """What the figure shows as a table, in full numbers."""

    @abstractmethod
    def draw(self, figure: Figure, palette: Palette) -> Drawing:
        """Draw the figure with the palette's colour and marker for each system."""


def new_canvas(height: float) -> Canvas:
    """An empty figure of the usual width."""
    from matplotlib.figure import Figure as Canvas  # noqa: PLC0415 -- only those who draw pay for matplotlib

    return Canvas(figsize=(WIDTH / 72, height / 72))


def add_axes(canvas: Canvas, left: float, bottom: float, right: float, top: float) -> Axes:
    """Axes with the given margins, in points from each edge of the figure."""
    width, height = (72 * side for side in canvas.get_size_inches())
    return canvas.add_axes(
        (left / width, bottom / height, (width - left - right) / width, (height - bottom - top) / height)
    )


def empty(message: str) -> Drawing:
    """A figure that says why it shows nothing."""
    canvas = new_canvas(2 * MARGIN + 4 * TEXT)
    canvas.text(0.5, 0.5, message, ha="center", va="center", color=QUIET)
    return Drawing(canvas)


def table_of(figure: Figure, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """The numbers of a figure under its name and title."""
    return Table(figure.name, figure.title, tuple(map(str, columns)), tuple(map(tuple, rows)))


def entry(figure: Figure, data: Mapping[str, Any], *keys: str) -> list[Any]:
    """The values of the required keys.

    Raises:
        DataError: A key is missing; the message names the figure and the key.
    """
    for key in keys:
        if key not in data:
            known = ", ".join(map(str, data)) or "nothing"
            raise DataError(f"figure {figure.name!r} of kind {figure.kind!r} needs {key!r}; it has {known}")
    return [data[key] for key in keys]


_NAMES = 0.36 * WIDTH
"""The widest name; longer ones are broken into two lines, then lose their middle."""
_GAP = 9.0
_RIGHT = 52.0
_BOTTOM = 40.0
_TOP = MARGIN + SMALL * 1.6


def system_rows(systems: Sequence[str], tips: Sequence[str], right_heading: str, label: str) -> tuple[Drawing, Axes]:
    """A drawing with the systems' rows, the first on top at y = 0, and the label of the horizontal axis.

    Args:
        systems: Their names, from top to bottom.
        tips: What a reader sees when pointing at a system's name.
        right_heading: Heading of the column of numbers at the right (`right_text`).
        label: Of the horizontal axis; it may be a little wider than the axis, and have two lines.
    """
    names = [in_lines(system, TEXT, _NAMES) for system in systems]
    left = MARGIN + _GAP + max(text_width(line, TEXT) for name in names for line in name.split("\n"))
    row = ROW if not any("\n" in name for name in names) else 2.9 * TEXT
    label = in_lines(label, TEXT, WIDTH - left)
    bottom = _BOTTOM + 1.2 * TEXT * label.count("\n")
    drawing = Drawing(new_canvas(_TOP + bottom + row * len(systems)))
    axes = add_axes(drawing.canvas, left, bottom, _RIGHT, _TOP)
    axes.set_ylim(len(systems) - 0.5, -0.5)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    for place, (system, name, tip) in enumerate(zip(systems, names, tips, strict=True)):
        axes.annotate(
            name, (0, place), xytext=(-_GAP, 0), xycoords=("axes fraction", "data"), textcoords="offset points",
            ha="right", va="center", linespacing=1.05, gid=drawing.mark(f"system:{system}", tip), annotation_clip=False,
        )  # fmt: skip
    axes.annotate(
        label, (0.5, 0), xytext=(0, MARGIN - bottom), xycoords="axes fraction", textcoords="offset points",
        ha="center", va="bottom", color=QUIET, annotation_clip=False,
    )  # fmt: skip
    axes.annotate(
        right_heading, (1, 1), xytext=(_RIGHT - MARGIN, 3), xycoords="axes fraction", textcoords="offset points",
        ha="right", va="bottom", size=SMALL, color=QUIET, annotation_clip=False,
    )  # fmt: skip
    return drawing, axes


def right_text(axes: Axes, place: int, text: str, gid: str, *, quiet: bool = False) -> None:
    """Write a number at the right end of a row."""
    axes.annotate(
        text, (1, place), xytext=(_RIGHT - MARGIN, 0), xycoords=("axes fraction", "data"), textcoords="offset points",
        ha="right", va="center", gid=gid, color=QUIET if quiet else None, annotation_clip=False,
    )  # fmt: skip


def axes_width(axes: Axes) -> float:
    """Width of the axes in points."""
    return float(axes.get_position().width * WIDTH)


_LEGEND_ROW = 14.0
_LEGEND_LABEL = 96.0
_LEGEND_SHAPE = 20.0
"""Height of a row, the widest name, space for the marker before it."""


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
        label = shortened(system, SMALL, _LEGEND_LABEL)
        width = text_width(label, SMALL) + _LEGEND_SHAPE
        if x + width > WIDTH - MARGIN:
            rows.append([])
            x = MARGIN + 4
        rows[-1].append(Item(x, system, label))
        x += width
    return rows


def legend_height(rows: Sequence[Sequence[Item]]) -> float:
    """Height of the legend."""
    return _LEGEND_ROW * len(rows)


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
            style, name = palette.style(item.system), f"system:{item.system}"
            axes.plot([item.x], [place], gid=drawing.mark(name, item.system), **style.marked(5.5))
            axes.text(
                item.x + 7, place, item.label, va="center_baseline", size=SMALL, gid=drawing.mark(name, item.system)
            )
