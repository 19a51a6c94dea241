"""Classes of characters and lower case that do not depend on the Python that runs.

Every Python brings another version of Unicode: to 3.11 the pink heart is an unassigned character, to 3.12 a symbol. A
tokeniser that asked the interpreter would give one text different scores under one signature. So:

- Letters, marks, numbers, punctuation and symbols are those of one version (`VERSION`, in the signatures of tokenisers
  that use them), from `unicode_table.py`.
- Case and normal forms come from the interpreter, and only for characters that the oldest supported Python knows; by
  Unicode's stability policies they are the same in every later version. A character that is newer stays as it is.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from textassay.metrics.tokenisers.unicode_table import RUNS, VERSION

__all__ = ["VERSION", "CharacterTable", "class_of", "in_stretches", "lower_case", "members"]

_RUN = re.compile(r"([A-Za-z])(\d*)")
# Letters since Unicode 4 to 6 that became cased in 15.0: from then on a sigma after one of them is a final one.
_CASED_LATER = "\u10fc\ua7f2-\ua7f4\uab69"


@cache
def _table() -> tuple[list[int], list[str]]:
    """Where each run begins, and its letter; read when first needed."""
    starts, letters, at = [], [], 0
    for letter, many in _RUN.findall(RUNS):
        starts.append(at)
        letters.append(letter)
        at += int(many or 1)
    return starts, letters


def class_of(code: int) -> str:
    """L, M, P, S as in Unicode's general categories, D for decimal digits, N for other numbers, O for all else.

    >>> [class_of(ord(sign)) for sign in "é3½!€ 🩷"]
    ['L', 'D', 'N', 'P', 'S', 'O', 'S']
    """
    starts, letters = _table()
    return letters[bisect(starts, code) - 1].upper()


def members(wanted: Callable[[str], bool], first: int = 0, last: int = 0x10FFFF) -> str:
    """The inside of a regular expression's class: the characters of a range whose letter in the table is wanted."""
    starts, letters = _table()
    runs = zip(starts, [*starts[1:], 0x110000], letters, strict=True)
    clipped = ((max(start, first), min(end - 1, last)) for start, end, letter in runs if wanted(letter))
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in clipped if low <= high)


class CharacterTable(dict[int, str | int]):
    """For `str.translate`: what becomes of a character by its code and class; each is asked for once."""

    def __init__(self, becomes: Callable[[int, str], str | int]) -> None:
        super().__init__()
        self._becomes = becomes

    def __missing__(self, code: int) -> str | int:
        found = self[code] = self._becomes(code, class_of(code))
        return found


@cache
def _later(others: str) -> re.Pattern[str]:
    """Finds a character that the oldest Python does not know, or one of the others.

    In two steps, since the engine compares a character beyond the BMP with one run after the other, and would do so
    with every other character too.
    """
    low, high = members(str.islower, last=0xFFFF), members(str.islower, first=0x10000)
    return re.compile(f"[{others}{low}]|(?=[\\U00010000-\\U0010ffff])[{high}]")


def in_stretches(change: Callable[[str], str], text: str, others: str = "") -> str:
    """The text with its stretches of old characters changed, one by one; newer ones stay, and nothing reaches over."""
    if text.isascii():
        return change(text)
    later = _later(others)
    if later.search(text) is None:
        return change(text)
    return "".join(_changed(change, text, later.finditer(text)))


def _changed(change: Callable[[str], str], text: str, found: Iterable[re.Match[str]]) -> Iterator[str]:
    at = 0
    for one in found:
        yield change(text[at : one.start()])
        yield one[0]
        at = one.end()
    yield change(text[at:])


def lower_case(text: str) -> str:
    """The text in lower case.

    >>> lower_case("ÄRGER ΟΔΟΣ")
    'ärger οδος'
    """
    return in_stretches(str.lower, text, _CASED_LATER)
