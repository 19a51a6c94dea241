"""Cells that a spreadsheet would take for a formula: written with a mark, read without it.

A participant may answer `=HYPERLINK(…)`, and a researcher who opens the export in a spreadsheet would run it. So the
cell is written with a mark in front: an apostrophe and U+2060, an invisible character. The apostrophe alone would not
do: a text of somebody else's table may begin with one, as in `'-ed' is a suffix`, and must stay as it is.
"""

from __future__ import annotations

import re
from typing import Any

MARK = "'\N{WORD JOINER}"
_SIGNS = "=+@\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}-"
_FORMULA = rf"(?:[\s\ufeff]*[{_SIGNS}]|[\t\r\n])"
# A number, or a sign by itself, is nothing to evaluate.
_HARMLESS = r"[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)?"
_TO_MARK = re.compile(rf"(?!{_HARMLESS}\Z)(?:{MARK})*{_FORMULA}")
_MARKED = re.compile(rf"(?:{MARK})+{_FORMULA}")


def marked(value: Any) -> Any:
    """The value of a cell as it is written; only texts that begin like a formula change.

    >>> marked("=1+1") == MARK + "=1+1"
    True
    >>> marked("-3.5"), marked(-3.5), marked("'tis"), marked("a = b")
    ('-3.5', -3.5, "'tis", 'a = b')
    """
    return MARK + value if isinstance(value, str) and _TO_MARK.match(value) else value


def unmarked(value: Any) -> Any:
    """The value of a cell from what was written; only texts that `marked` has changed change.

    >>> unmarked(marked("=1+1")), unmarked("'=1+1")
    ('=1+1', "'=1+1")
    """
    return value[len(MARK) :] if isinstance(value, str) and _MARKED.match(value) else value
