"""Words as white space parts them, and nothing else: the tokeniser `none`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def white_space(text: str) -> list[str]:
    """The words of a text, signs and case as they are.

    >>> white_space("It's late, no?")
    ["It's", 'late,', 'no?']
    """
    return text.split()


def white_space_lines(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """The words of many lines."""
    return map(str.split, lines)
