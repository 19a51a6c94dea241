"""Axes with one row a system, its name on the left: what figures of means and of distributions share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textassay.report.figures.drawing import Drawing, add_axes, new_canvas
from textassay.report.figures.fonts import in_lines, text_width
from textassay.report.figures.style import MARGIN, QUIET, ROW, SMALL, TEXT, WIDTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAMES = 0.36 * WIDTH
"""Points that names may take; longer ones go into two lines, then lose their middle."""
_GAP = 9.0
_RIGHT = 52.0
_BOTTOM = 40.0
_TOP = MARGIN + SMALL * 1.6


def system_rows(systems: Sequence[str], tips: Sequence[str], right_heading: str) -> tuple[Drawing, Axes]:
    """A drawing with the systems' rows, the first on top at y = 0.

    Args:
        systems: Their names, from top to bottom.
        tips: What a reader sees when pointing at a system's name.
        right_heading: What stands over the column of numbers at the right (`right_text`).
    """
    names = [in_lines(system, TEXT, _NAMES) for system in systems]
    left = MARGIN + _GAP + max(text_width(line, TEXT) for name in names for line in name.split("\n"))
    row = ROW if not any("\n" in name for name in names) else 2.9 * TEXT
    drawing = Drawing(new_canvas(_TOP + _BOTTOM + row * len(systems)))
    axes = add_axes(drawing.canvas, left, _BOTTOM, _RIGHT, _TOP)
    axes.set_ylim(len(systems) - 0.5, -0.5)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    for place, (system, name, tip) in enumerate(zip(systems, names, tips, strict=True)):
        axes.annotate(
            name, (0, place), xytext=(-_GAP, 0), xycoords=("axes fraction", "data"), textcoords="offset points",
            ha="right", va="center", linespacing=1.05, gid=drawing.mark(f"system:{system}", tip), annotation_clip=False,
        )  # fmt: skip
    axes.annotate(
        right_heading, (1, 1), xytext=(_RIGHT - MARGIN, 3), xycoords="axes fraction", textcoords="offset points",
        ha="right", va="bottom", size=SMALL, color=QUIET, annotation_clip=False,
    )  # fmt: skip
    return drawing, axes


def right_text(axes: Axes, place: int, text: str, gid: str, *, quiet: bool = False) -> None:
    """A number at the right end of a row."""
    axes.annotate(
        text, (1, place), xytext=(_RIGHT - MARGIN, 0), xycoords=("axes fraction", "data"), textcoords="offset points",
        ha="right", va="center", gid=gid, color=QUIET if quiet else None, annotation_clip=False,
    )  # fmt: skip


def axis_label(axes: Axes, text: str) -> None:
    """What the horizontal axis shows, under it; it may be a little wider than the axis."""
    axes.annotate(
        in_lines(text, TEXT, axes_width(axes) + _RIGHT), (0.5, 0), xytext=(0, MARGIN - _BOTTOM),
        xycoords="axes fraction", textcoords="offset points", ha="center", va="bottom", color=QUIET,
        annotation_clip=False,
    )  # fmt: skip


def axes_width(axes: Axes) -> float:
    """Width of the axes in points."""
    return float(axes.get_position().width * WIDTH)
