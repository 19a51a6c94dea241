"""The style of all figures: sizes, fonts, widths of text, and a colour and a marker for each system.

Text stays text in SVG: it can be searched, copied and read aloud, it takes the page's own font, and the browser knows
how to write every script. Widths are therefore estimated (`text_width`) for a wide font, and not measured with the one
font that matplotlib happens to find, so that a figure has the same layout everywhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

WIDTH = 345.6
"""Points: readable on a phone, two side by side on a desktop screen, one column of a paper."""
TEXT = 9.0
"""Points: size of all text."""
SMALL = 8.0
"""Points: size of secondary text."""
ROW = 22.0
"""Points: height of one system's row."""
MARGIN = 8.0
"""Points: around everything."""
PNG_DPI = 220
IMAGE_DPI = 150
"""Of very many points within an SVG or PDF: as elements of their own they would make it large."""

INK = "#22272e"
QUIET = "#5b6470"
LINE = "#d5dae1"
EXCLUDED = "#b3400b"
KEPT = "#44688a"
WHITE = "#ffffff"
ON_SQUARE = "#1f242b"
"""Numbers on light squares, which stay light on a dark screen."""

COLOURS = ("#0072b2", "#d55e00", "#0b4f2f", "#c9709a", "#8a7a4f", "#5b2be0", "#74105f", "#222222")
"""Blue and vermilion of Okabe & Ito (2008), and six that stay apart from them and from each other for every kind of
colour vision; each has a contrast of at least 3 to 1 with white. The test checks both."""
DARK: Mapping[str, str] = MappingProxyType(
    {
        INK: "#e3e7ec",
        QUIET: "#a4adb9",
        LINE: "#3b4552",
        WHITE: "#1b2129",
        EXCLUDED: "#ff9a66",
        KEPT: "#7fa8cf",
        **dict(
            zip(
                COLOURS,
                ("#56acf4", "#f69332", "#4f8e6a", "#f1a0d3", "#c2b280", "#9277ff", "#c653ad", "#eceff3"),
                strict=True,
            )
        ),
    }
)
"""The colour that takes the place of each one where the screen is dark; files and paper keep the light ones."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
"""A marker too, for readers who cannot tell the colours apart and for more systems than there are colours."""

RC: Mapping[str, Any] = MappingProxyType(
    {
        "axes.axisbelow": True,
        "axes.edgecolor": LINE,
        "axes.facecolor": "none",
        "axes.labelcolor": INK,
        "axes.labelsize": TEXT,
        "axes.linewidth": 0.8,
        "axes.spines.right": False,
        "axes.spines.top": False,
        "figure.facecolor": "white",
        "font.size": TEXT,
        "pdf.fonttype": 42,  # TrueType: journals refuse Type 3, and its text can be searched
        "svg.fonttype": "none",
        "svg.hashsalt": "textassay",  # the same data give the same bytes
        "text.color": INK,
        "text.parse_math": False,  # a system may be called $x$
        "xtick.color": LINE,
        "xtick.labelcolor": INK,
        "xtick.labelsize": TEXT,
        "xtick.major.size": 3.0,
        "ytick.color": LINE,
        "ytick.labelcolor": INK,
        "ytick.labelsize": TEXT,
        "ytick.major.size": 0.0,
    }
)


def dark_rules() -> str:
    """Style rules that give the figures of a page their dark colours.

    Presentation attributes yield to style rules, so the drawings themselves need not know. White text is on squares
    that stay as they are.
    """
    rules = []
    for light, dark in DARK.items():
        shapes = ":not(text)" if light == WHITE else ""
        rules.append(f'svg [fill="{light}"]{shapes} {{ fill: {dark}; }}')
        rules.append(f'svg [stroke="{light}"] {{ stroke: {dark}; }}')
    return "@media screen and (prefers-color-scheme: dark) {\n" + "\n".join(rules) + "\n}\n"


DASHES = ("-", (0, (5.0, 2.0)), (0, (1.2, 1.6)), (0, (6.0, 2.0, 1.2, 2.0)))
"""Lines of the first systems are solid; those of each further round of colours have dashes of their own."""


@dataclass(frozen=True)
class SystemStyle:
    """How a system looks in every figure of a report."""

    colour: str
    marker: str
    round: int = 0
    """How often all colours were used before; in odd rounds markers are hollow."""

    @property
    def fill(self) -> str:
        """What fills its marker."""
        return WHITE if self.round % 2 else self.colour

    @property
    def dashes(self) -> Any:
        """The kind of its lines."""
        return DASHES[self.round % len(DASHES)]

    def marked(self, size: float, edge: float = 0.5) -> dict[str, Any]:
        """How matplotlib draws its marker; the white edge of a full one keeps it apart from others.

        Args:
            size: In points.
            edge: Width of the white edge, in points.
        """
        hollow = bool(self.round % 2)
        return {
            "marker": self.marker,
            "ms": size - 0.6 if hollow else size,
            "mfc": self.fill,
            "mec": self.colour if hollow else WHITE,
            "mew": 1.4 if hollow else edge,
        }


@dataclass(frozen=True)
class Palette:
    """The style of each system, the same in all figures."""

    systems: tuple[str, ...]

    @classmethod
    def of(cls, systems: Iterable[str]) -> Palette:
        """A palette for the systems, in the order in which they are first named.

        >>> Palette.of(["b", "a", "b"]).systems
        ('b', 'a')
        """
        return cls(tuple(dict.fromkeys(systems)))

    def style(self, system: str) -> SystemStyle:
        """How a system looks; a grey circle for one that the palette does not know."""
        if system not in self.systems:
            return SystemStyle(QUIET, "o")
        place = self.systems.index(system)
        # the marker changes with each system and once more with each round of colours, so 7 × 8 systems look different
        done = place // len(COLOURS)
        return SystemStyle(COLOURS[place % len(COLOURS)], MARKERS[(place + done) % len(MARKERS)], done)


FIRST = "DejaVu Sans"
"""Comes with matplotlib, so it is always available."""
_NOT_REAL = ("Last Resort", "LastResort", "Adobe Blank")
"""Fonts that claim every character and draw boxes."""
_NARROW = frozenset("fijlrtI.,:;'|!()[] ")
_BROAD = frozenset("mwMWQOGDHNU@%&—…")


@dataclass(frozen=True)
class FontFamilies:
    """Which fonts to use, and which characters none of them has."""

    names: tuple[str, ...]
    missing: str
    """Characters for which this machine has no font: boxes in PDF and PNG, but correct in the page."""


def fonts_for(text: str) -> FontFamilies:
    """The fewest fonts of this machine that can draw the text, the default one first."""
    return _families(frozenset(letter for letter in text if letter.isprintable()))


@cache
def _families(letters: frozenset[str]) -> FontFamilies:
    from matplotlib.font_manager import findfont  # noqa: PLC0415 -- the font list takes long to read

    wanted = letters - _letters_of(findfont(FIRST))
    names = [FIRST]
    for name, path in _others() if wanted else ():
        found = wanted & _letters_of(path)
        if found:
            names.append(name)
            wanted -= found
        if not wanted:
            break
    return FontFamilies(tuple(names), "".join(sorted(wanted)))


@cache
def _others() -> tuple[tuple[str, str], ...]:
    """Upright fonts of normal weight by name; Noto Sans first, as it fits best."""
    from matplotlib.font_manager import fontManager  # noqa: PLC0415

    found = {
        entry.name: entry.fname
        for entry in fontManager.ttflist
        if entry.style == "normal" and entry.weight in (400, "normal", "regular", "book")
    }
    real = ((name, path) for name, path in found.items() if not name.startswith(_NOT_REAL))
    return tuple(sorted(real, key=lambda pair: (not pair[0].startswith("Noto Sans"), "Sans" not in pair[0], pair[0])))


@cache
def _letters_of(path: str) -> frozenset[str]:
    from matplotlib.ft2font import FT2Font  # noqa: PLC0415

    try:
        return frozenset(map(chr, FT2Font(path).get_charmap()))
    except (OSError, RuntimeError):  # a broken font on this machine is not this report's problem
        return frozenset()


def text_width(text: str, size: float) -> float:
    """About how many points a line of text takes in a wide font.

    >>> text_width("mm", 10) > text_width("ii", 10), text_width("文", 10)
    (True, 12.0)
    """
    return size * sum(map(_width, text))


def _width(letter: str) -> float:
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Cf", "Mn", "Me"):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.2  # 1 with a fitting font; the box for a letter that no font has is wider
    if letter in _NARROW:
        return 0.4
    return 0.9 if letter in _BROAD else 0.65


def shortened(text: str, size: float, limit: float) -> str:
    """The text in one line of at most `limit` points; a longer text loses its middle, as names often differ at the end.

    >>> shortened("a-very-long-name-of-a-system-v2", 9, 100)
    'a-very-l…ystem-v2'
    """
    text = " ".join(text.split())
    if text_width(text, size) <= limit:
        return text
    keep = len(text) - 1
    while keep > 1 and text_width(_without_middle(text, keep), size) > limit:
        keep -= 1
    return _without_middle(text, keep)


def _without_middle(text: str, keep: int) -> str:
    front = (keep + 1) // 2
    return f"{text[:front]}…{text[len(text) - (keep - front) :]}"


def in_lines(text: str, size: float, limit: float) -> str:
    """The text in one line, or in two broken between words (or after a hyphen), each at most `limit` points wide."""
    text = " ".join(text.split())
    if text_width(text, size) <= limit:
        return text
    breaks = [place for place, letter in enumerate(text) if letter in " -_/" and 0 < place < len(text) - 1]
    for place in reversed(breaks):
        if text_width(text[: place + 1], size) <= limit:
            return f"{text[: place + 1].rstrip()}\n{shortened(text[place + 1 :], size, limit)}"
    return shortened(text, size, limit)
