"""Figures as SVG, PDF and PNG files and as SVG elements of a page.

A new kind of figure is one class (see `FigureKind`) and one line in `KINDS`.

matplotlib's SVG is changed before it goes into the page: the page's security policy forbids `style` attributes, so they
become presentation attributes; ids get a prefix, because a page holds several figures; elements that show a system or
a participant say which.
"""

from __future__ import annotations

import io
import re
import threading
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from textassay.errors import UsageError
from textassay.known_names import unknown
from textassay.report.figures.courses import CoursesFigure
from textassay.report.figures.diagnostics import DiagnosticsFigure
from textassay.report.figures.distribution import DistributionFigure
from textassay.report.figures.drawing import FigureKind, Mark
from textassay.report.figures.heatmap import HeatmapFigure
from textassay.report.figures.matrix import MatrixFigure
from textassay.report.figures.means import MeansFigure, TextMeansFigure
from textassay.report.figures.rank_flow import RankFlowFigure
from textassay.report.figures.scatter import ScatterFigure
from textassay.report.figures.style import IMAGE_DPI, PNG_DPI, RC, Palette, fonts_for
from textassay.report.figures.weights import WeightsFigure
from textassay.results import Figure, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


KINDS: Mapping[str, FigureKind] = MappingProxyType(
    {
        "courses": CoursesFigure(),
        "diagnostics": DiagnosticsFigure(),
        "distribution": DistributionFigure(),
        "heatmap": HeatmapFigure(),
        "matrix": MatrixFigure(),
        "means": MeansFigure(),
        "rank-flow": RankFlowFigure(),
        "scatter": ScatterFigure(),
        "text-means": TextMeansFigure(),
        "weights": WeightsFigure(),
    }
)
_FORMATS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        # no dates: the same data give the same bytes
        "svg": {"metadata": {"Date": None}, "dpi": IMAGE_DPI},
        "pdf": {"metadata": {"CreationDate": None}, "dpi": IMAGE_DPI},
        "png": {"dpi": PNG_DPI},
    }
)
_LOCK = threading.Lock()
"""matplotlib's settings belong to the whole process, so one figure is drawn at a time."""


@dataclass(frozen=True)
class RenderedFigure:
    """A figure in all its formats."""

    title: str
    files: Mapping[str, bytes]
    """Content by file extension: svg, pdf, png."""
    marks: Mapping[str, Mark]
    """What the elements of the SVG show, by id."""
    missing: str
    """Characters for which this machine has no font, so that PDF and PNG show boxes for them."""

    def element(self, prefix: str) -> str:
        """An `<svg>` element for a page, whose ids all begin with the prefix."""
        return page_svg(self.files["svg"].decode("utf-8"), prefix, self.marks, self.title)


def find_kind(figure: Figure) -> FigureKind:
    """The kind of a figure.

    Raises:
        UsageError: There is no such kind; the message lists the known ones.
    """
    if figure.kind not in KINDS:
        raise UsageError(f"figure {figure.name!r}: {unknown('kind', figure.kind, KINDS)}")
    return KINDS[figure.kind]


def systems_in(figures: Sequence[Figure]) -> list[str]:
    """The systems that the figures show, in order of appearance."""
    return list(dict.fromkeys(system for figure in figures for system in find_kind(figure).systems(figure)))


def describe_figure(figure: Figure) -> str:
    """The figure in words, for readers who cannot see it."""
    return find_kind(figure).describe(figure)


def figure_table(figure: Figure) -> Table:
    """The numbers that the figure shows, for readers who cannot see it and for programs."""
    return find_kind(figure).numbers(figure)


def caption(figure: Figure) -> str:
    """The figure's note, and what is to be said of how it is drawn."""
    return f"{figure.note} {find_kind(figure).remark(figure)}".strip()


def render(figure: Figure, palette: Palette) -> RenderedFigure:
    """Draw the figure and save it in all formats."""
    kind = find_kind(figure)
    families = fonts_for(_all_text(figure.data))
    with drawing_settings(families.names):
        drawing = kind.draw(figure, palette)
        files = {ending: _saved(drawing.canvas, ending) for ending in _FORMATS}
    return RenderedFigure(figure.title, MappingProxyType(files), MappingProxyType(drawing.marks), families.missing)


def element_of(figure: Figure) -> str:
    """The figure as an `<svg>` element with a palette of its own, for notebooks."""
    return render(figure, Palette.of(systems_in([figure]))).element(f"{figure.name}-")


@contextmanager
def drawing_settings(families: Sequence[str]) -> Iterator[None]:
    """Use matplotlib's defaults and our style, whatever settings the user has; restore them afterwards."""
    import matplotlib as mpl  # noqa: PLC0415 -- only those who draw pay for matplotlib

    with _LOCK, mpl.rc_context(), warnings.catch_warnings():
        # the report itself says which characters no font has
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from")
        mpl.rcdefaults()
        settings: Any = mpl.rcParams
        settings.update(RC, **{"font.family": list(families)})
        yield


def _saved(canvas: Canvas, ending: str) -> bytes:
    buffer = io.BytesIO()
    with _plain_fonts() if ending == "pdf" else nullcontext():
        canvas.savefig(buffer, format=ending, **_FORMATS[ending])
    return buffer.getvalue()


_LAYOUT_TABLES = ("GDEF", "GPOS", "GSUB", "kern")
"""What tells a program that sets text which letters join or move together."""


@contextmanager
def _plain_fonts() -> Iterator[None]:
    """Embed fonts without the tables that set text: in a PDF it is set, and reading them takes half of writing it."""
    from fontTools import subset  # noqa: PLC0415 -- matplotlib embeds fonts with it

    load_font = subset.load_font

    def without_layout(*file_and_options: Any, **more: Any) -> Any:
        font = load_font(*file_and_options, **more)
        for table in _LAYOUT_TABLES:
            if table in font:
                del font[table]
        return font

    subset.load_font = without_layout
    try:
        yield
    finally:
        subset.load_font = load_font


def _all_text(value: Any) -> str:
    """All text in a figure's data, in one string."""
    if isinstance(value, Mapping):
        return "".join(map(_all_text, value.values()))
    if isinstance(value, (list, tuple)):
        return "".join(map(_all_text, value))
    return value if isinstance(value, str) else ""


_LINK = re.compile(r"url\(#([^)]+)\)|^#(.+)$")
_NOT_TURNED = re.compile(r"rotate\(-?0(\.0+)? ")
_FONT = re.compile(r"(?:(?P<weight>bold|\d{3}) )?(?P<size>[\d.]+)px .*", re.DOTALL)
_DROPPED_TAGS = frozenset({"metadata", "style"})
_DROPPED_STYLES = frozenset({"font-family", "font-style"})
"""The page has a font of its own, for all scripts."""


def page_svg(svg: str, prefix: str, marks: Mapping[str, Mark], alt: str) -> str:
    """The SVG as an element of a page.

    Args:
        svg: What matplotlib wrote.
        prefix: Goes before each id.
        marks: Mark by the id of its element.
        alt: The figure in a few words, for readers who cannot see it.
    """
    root = ET.fromstring(svg)  # noqa: S314 -- matplotlib has just written it
    links = {link for element in root.iter() for link in _links(element)}
    _clean(root, prefix, links, marks)
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    root.attrib |= {
        "role": "img",
        "aria-label": alt,
        "direction": "ltr",
        "stroke-linejoin": "round",  # what matplotlib says in a <style> that would reach beyond the figure
        "stroke-linecap": "butt",
    }
    return ET.tostring(root, encoding="unicode")


def _links(element: ET.Element) -> list[str]:
    found = (_LINK.search(value) for value in element.attrib.values())
    return [match.group(1) or match.group(2) for match in found if match]


def _clean(element: ET.Element, prefix: str, links: set[str], marks: Mapping[str, Mark]) -> None:
    element.tag = _local(element.tag)
    element.attrib = _attributes(element, prefix, links)
    for child in list(element):
        if _local(child.tag) in _DROPPED_TAGS:
            element.remove(child)
            continue
        gid = child.get("id", "")
        _clean(child, prefix, links, marks)
        if gid in marks:
            child.set("data-mark", marks[gid].name)
            title = ET.Element("title")
            title.text = marks[gid].tip
            child.insert(0, title)
    if element.tag not in ("text", "tspan", "title"):
        element.text = None
    element.tail = None


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _attributes(element: ET.Element, prefix: str, links: set[str]) -> dict[str, str]:
    attributes: dict[str, str] = {}
    for key, value in element.attrib.items():
        name = _local(key)
        if name == "style":
            attributes |= _presentation(value)
        elif name == "id":
            if value in links:
                attributes["id"] = f"{prefix}-{value}"
        elif not (name == "transform" and _NOT_TURNED.match(value)):
            attributes[name] = _LINK.sub(lambda match: _renamed(match, prefix), " ".join(value.split()))
    return attributes


def _renamed(match: re.Match[str], prefix: str) -> str:
    return f"url(#{prefix}-{match.group(1)})" if match.group(1) else f"#{prefix}-{match.group(2)}"


def _presentation(style: str) -> dict[str, str]:
    """The declarations of a style attribute as attributes.

    >>> _presentation("font: 700 9px 'DejaVu Sans'; text-anchor: end")
    {'font-weight': '700', 'font-size': '9px', 'text-anchor': 'end'}
    """
    attributes: dict[str, str] = {}
    for declaration in style.split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name == "font" and (font := _FONT.fullmatch(value)):  # matplotlib up to 3.9
            attributes |= {"font-weight": font["weight"]} if font["weight"] else {}
            attributes["font-size"] = f"{font['size']}px"
        elif name and name not in _DROPPED_STYLES:
            attributes[name] = value
    return attributes
