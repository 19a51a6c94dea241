"""Pieces of English sentences: counts with their nouns, lists, quotations, spans of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def number(count: int) -> str:
    """A whole number as prose has it: below ten in words.

    >>> number(3), number(12), number(1500)
    ('three', '12', '1,500')
    """
    return _WORDS[count] if 0 <= count < len(_WORDS) else f"{count:,}"


def counted(count: int, noun: str, plural: str = "") -> str:
    """A number with its noun; the plural is regular unless given, and that of "pair of systems" is regular too.

    >>> counted(1, "text"), counted(12, "text"), counted(2, "criterion", "criteria"), counted(3, "pair of systems")
    ('one text', '12 texts', 'two criteria', 'three pairs of systems')
    """
    if count == 1:
        return f"one {noun}"
    return f"{number(count)} {plural or _plural(noun)}"


def numbered(count: int, noun: str) -> str:
    """A number in figures with its noun, for messages and tables.

    >>> numbered(1, "item"), numbered(3, "pair of systems"), numbered(4000, "text")
    ('1 item', '3 pairs of systems', '4,000 texts')
    """
    return f"1 {noun}" if count == 1 else f"{count:,} {_plural(noun)}"


def _plural(noun: str) -> str:
    head, of, rest = noun.partition(" of ")  # pairs of systems
    return f"{head}s{of}{rest}"


def listed(parts: Iterable[str], last: str = "and") -> str:
    """The parts as a list in words; where a part has commas of its own, semicolons come between them.

    >>> listed(["a"]), listed(["a", "b", "c"]), listed(["a", "b"], "or"), listed(["a, b", "c"])
    ('a', 'a, b and c', 'a or b', 'a, b; and c')
    """
    said = list(parts)
    inner = any(", " in part for part in said)
    between = "; " if inner else ", "
    return f"{'; ' if inner else ' '}{last} ".join(filter(None, [between.join(said[:-1]), *said[-1:]]))


def quoted(text: str) -> str:
    """The words of a study in quotation marks, in one line.

    >>> quoted("Is it clear? ")
    '“Is it clear?”'
    """
    return f"“{' '.join(text.split())}”"


def times(least: int, most: int) -> str:
    """How often something happens.

    >>> times(1, 1), times(2, 2), times(3, 3), times(1, 2), times(0, 1)
    ('once', 'twice', 'three times', 'one to two times', 'at most once')
    """
    if least != most:
        return f"{number(least)} to {number(most)} times" if least else f"at most {times(most, most)}"
    return {1: "once", 2: "twice", 0: "never"}.get(least, f"{number(least)} times")


def sentence(text: str) -> str:
    """The text as a sentence: a capital at its beginning, a full stop at its end.

    >>> sentence("three systems were compared"), sentence("Was it?")
    ('Three systems were compared.', 'Was it?')
    """
    end = "" if text.endswith((".", "?", "!")) else "."
    return text[:1].upper() + text[1:] + end


def spread(values: Sequence[float]) -> str:
    """Mean and range of numbers.

    >>> spread([10, 12, 17])
    'mean 13.0, range 10 to 17'
    """
    return f"mean {sum(values) / len(values):.1f}, range {min(values):g} to {max(values):g}"
