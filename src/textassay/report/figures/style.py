"""The look of all figures: sizes, fonts, and a colour and a shape for each system.

Text stays text in SVG: it can be searched, copied and read aloud, it takes the page's own font, and the browser knows
how to write every script. Widths are therefore estimated here (`fonts.text_width`) for a wide font, and not measured
with the one font that matplotlib happens to find, so that a figure has the same layout everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

WIDTH = 345.6
"""Points: readable on a telephone, two side by side on a desk, one column of a paper."""
TEXT = 9.0
"""Points: size of all text."""
SMALL = 8.0
"""Points: size of what is said by the way."""
ROW = 22.0
"""Points: height of one system's row."""
MARGIN = 8.0
"""Points: around everything."""
PNG_DPI = 220

INK = "#22272e"
QUIET = "#5b6470"
LINE = "#d5dae1"
LEFT_OUT = "#b3400b"
KEPT = "#44688a"

COLOURS = ("#0072b2", "#d55e00", "#0b4f2f", "#c9709a", "#8a7a4f", "#5b2be0", "#74105f", "#222222")
"""Blue and vermilion of Okabe & Ito (2008), and six that stay apart from them and from each other for every kind of
colour vision; each has a contrast of at least 3 to 1 with white. The test checks both."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
"""A shape too, for those who see no colours and for more systems than there are colours."""

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


@dataclass(frozen=True)
class Look:
    """How a system looks in every figure of a report."""

    colour: str
    marker: str


@dataclass(frozen=True)
class Palette:
    """The look of each system, the same in all figures."""

    systems: tuple[str, ...]

    @classmethod
    def of(cls, systems: Iterable[str]) -> Palette:
        """A palette for the systems, in the order in which they are first named.

        >>> Palette.of(["b", "a", "b"]).systems
        ('b', 'a')
        """
        return cls(tuple(dict.fromkeys(systems)))

    def look(self, system: str) -> Look:
        """Colour and shape of a system; grey and round for one that the palette does not know."""
        if system not in self.systems:
            return Look(QUIET, "o")
        place = self.systems.index(system)
        # the shape moves on with each system and once more with each round, so 7 × 8 systems look different
        return Look(COLOURS[place % len(COLOURS)], MARKERS[(place + place // len(COLOURS)) % len(MARKERS)])
