"""What a drawing gives back: matplotlib's figure, and who each of its marks stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from textassay.errors import DataError
from textassay.report.figures.style import MARGIN, QUIET, TEXT, WIDTH
from textassay.results import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas


@dataclass(frozen=True)
class Mark:
    """Whom an element of a figure stands for."""

    name: str
    """`system:NAME` or `participant:CODE`: elements with the same name light up together."""
    tip: str
    """What a reader sees when pointing at it."""


@dataclass
class Drawing:
    """A figure while it is drawn."""

    canvas: Canvas
    marks: dict[str, Mark] = field(default_factory=dict)
    """Mark by the id that its element has in the SVG."""

    def mark(self, name: str, tip: str) -> str:
        """A new id for an element that stands for somebody."""
        gid = f"mark-{len(self.marks) + 1}"
        self.marks[gid] = Mark(name, tip)
        return gid


def new_canvas(height: float) -> Canvas:
    """An empty figure of the usual width; all measures are points."""
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


def entry(figure: Figure, data: Mapping[str, Any], *keys: str) -> list[Any]:
    """The values of the keys.

    Raises:
        DataError: one is not there; the message names the figure and the key.
    """
    for key in keys:
        if key not in data:
            known = ", ".join(map(str, data)) or "nothing"
            raise DataError(f"figure {figure.name!r} of kind {figure.kind!r} needs {key!r}; it has {known}")
    return [data[key] for key in keys]


def joined(parts: Sequence[str]) -> str:
    """The parts as an enumeration in words.

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
