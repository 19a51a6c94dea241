"""Fonts that have the letters of the labels, and how wide labels are about to be."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache

FIRST = "DejaVu Sans"
"""Comes with matplotlib, so it is everywhere."""
_NOT_REAL = ("Last Resort", "LastResort", "Adobe Blank")
"""Fonts that claim every letter and draw boxes."""
_NARROW = frozenset("fijlrtI.,:;'|!()[] ")
_BROAD = frozenset("mwMWQOGDHNU@%&—…")


@dataclass(frozen=True)
class Families:
    """Which fonts to use, and what none of them has."""

    names: tuple[str, ...]
    missing: str
    """Letters for which this machine has no font: boxes in PDF and PNG, but right in the page."""


def families_for(text: str) -> Families:
    """The fewest fonts of this machine with which the text can be drawn, the usual one first."""
    return _families(frozenset(letter for letter in text if letter.isprintable()))


@cache
def _families(letters: frozenset[str]) -> Families:
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
    return Families(tuple(names), "".join(sorted(wanted)))


@cache
def _others() -> tuple[tuple[str, str], ...]:
    """Upright fonts of normal weight by name; sans serif of the Noto family first, as they fit best."""
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
    """The text in one line of at most `limit` points; where it is longer its middle goes, as ends tell names apart.

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
