"""The international tokeniser of mteval-v14: Unicode's punctuation and symbols; equal to sacreBLEU's `intl`."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from textassay.metrics.tokenisers.code_points import as_class

_END = 0x20000
"""No punctuation, symbol or number lies beyond; looking at the rest of Unicode would take ten times as long."""


def intl(text: str) -> list[str]:
    """The words of a text: punctuation not between digits, and every symbol, stands alone.

    As in the original a full stop between a digit and the end of the text stays with the number.

    >>> intl("Peut-être 3,5 € ; en 1990.")
    ['Peut', '-', 'être', '3,5', '€', ';', 'en', '1990.']
    """
    patterns = _patterns()
    text = patterns.after_no_number.sub(r"\1 \2 ", text)
    text = patterns.before_no_number.sub(r" \1 \2", text)
    return patterns.symbol.sub(r" \1 ", text).split()


class _Patterns(NamedTuple):
    after_no_number: re.Pattern[str]
    before_no_number: re.Pattern[str]
    symbol: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    """Compiled when first needed: a look at all of Unicode takes a moment."""
    codes: dict[str, list[int]] = {"P": [], "S": [], "N": []}
    for code in range(_END):
        codes.get(unicodedata.category(chr(code))[0], []).append(code)
    punctuation, symbol, number = (as_class(codes[kind]) for kind in "PSN")
    return _Patterns(
        re.compile(f"([^{number}])([{punctuation}])", re.DOTALL),
        re.compile(f"([{punctuation}])([^{number}])", re.DOTALL),
        re.compile(f"([{symbol}])"),
    )
