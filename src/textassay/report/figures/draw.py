"""Figures by kind: which file draws which, and how a drawing becomes SVG, PDF and PNG.

A new kind is one file with `systems`, `describe` and `draw`, and one line in `KINDS`.
"""

from __future__ import annotations

import io
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, cast

from textassay.errors import UsageError
from textassay.report.figures.drawing import Drawing, Mark
from textassay.report.figures.embed import page_svg
from textassay.report.figures.fonts import families_for
from textassay.report.figures.style import PNG_DPI, RC, Palette
from textassay.results import Figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "diagnostics": "textassay.report.figures.diagnostics",
        "distribution": "textassay.report.figures.distribution",
        "heatmap": "textassay.report.figures.heatmap",
        "means": "textassay.report.figures.means",
        "scatter": "textassay.report.figures.scatter",
        "text-means": "textassay.report.figures.text_means",
    }
)
_FORMATS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        # no dates: the same data give the same bytes
        "svg": {"metadata": {"Date": None}},
        "pdf": {"metadata": {"CreationDate": None}},
        "png": {"dpi": PNG_DPI},
    }
)
_LOCK = threading.Lock()
"""matplotlib's settings belong to the whole process, so one figure is drawn at a time."""


class Kind(Protocol):
    """What the file of a kind has."""

    def systems(self, figure: Figure) -> Sequence[str]:
        """The systems that the figure shows."""

    def describe(self, figure: Figure) -> str:
        """The figure in words, for those who cannot see it."""

    def draw(self, figure: Figure, palette: Palette) -> Drawing:
        """The figure."""


@dataclass(frozen=True)
class Rendered:
    """A figure in all its forms."""

    title: str
    files: Mapping[str, bytes]
    """Content by ending: svg, pdf, png."""
    marks: Mapping[str, Mark]
    """Whom the elements of the SVG stand for, by id."""
    missing: str
    """Letters for which this machine has no font, so that PDF and PNG show boxes for them."""

    def element(self, prefix: str) -> str:
        """An `<svg>` element for a page, whose ids all begin with the prefix."""
        return page_svg(self.files["svg"].decode("utf-8"), prefix, self.marks, self.title)


def find_kind(figure: Figure) -> Kind:
    """The kind of a figure.

    Raises:
        UsageError: there is none of that name; the message lists those that there are.
    """
    if figure.kind not in KINDS:
        raise UsageError(f"figure {figure.name!r}: no drawing of kind {figure.kind!r}; known: {', '.join(KINDS)}")
    return cast("Kind", import_module(KINDS[figure.kind]))


def systems_in(figures: Sequence[Figure]) -> list[str]:
    """The systems that the figures show, in the order in which they come."""
    return list(dict.fromkeys(system for figure in figures for system in find_kind(figure).systems(figure)))


def describe(figure: Figure) -> str:
    """The figure in words, for those who cannot see it."""
    return find_kind(figure).describe(figure)


def render(figure: Figure, palette: Palette) -> Rendered:
    """The figure in all its forms, with the look that the palette gives each system."""
    kind = find_kind(figure)
    families = families_for(_all_text(figure.data))
    with drawing_settings(families.names):
        drawing = kind.draw(figure, palette)
        files = {ending: _saved(drawing.canvas, ending) for ending in _FORMATS}
    return Rendered(figure.title, MappingProxyType(files), MappingProxyType(drawing.marks), families.missing)


@contextmanager
def drawing_settings(families: Sequence[str]) -> Iterator[None]:
    """Have matplotlib as it is out of the box, with our style; a reader's own settings would change the report."""
    import matplotlib as mpl  # noqa: PLC0415 -- only those who draw pay for matplotlib

    with _LOCK, mpl.rc_context(), warnings.catch_warnings():
        # what no font has is told in the report itself
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from")
        mpl.rcdefaults()
        settings: Any = mpl.rcParams
        settings.update(RC, **{"font.family": list(families)})
        yield


def _saved(canvas: Canvas, ending: str) -> bytes:
    buffer = io.BytesIO()
    canvas.savefig(buffer, format=ending, **_FORMATS[ending])
    return buffer.getvalue()


def _all_text(value: Any) -> str:
    """All text in a figure's data, and what the drawings themselves write."""
    if isinstance(value, Mapping):
        return "".join(map(_all_text, value.values()))
    if isinstance(value, (list, tuple)):
        return "".join(map(_all_text, value))
    return value if isinstance(value, str) else ""
