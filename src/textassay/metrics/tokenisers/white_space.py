"""Words as white space parts them, and nothing else: the tokeniser `none`."""

from __future__ import annotations

from collections.abc import Sequence


def white_space(text: str) -> list[str]:
    """The words of a text, signs and case as they are.

    >>> white_space("It's late, no?")
    ["It's", 'late,', 'no?']
    """
    return text.split()


def white_space_lines(lines: Sequence[str]) -> list[list[str]]:
    """The words of many lines."""
    return [line.split() for line in lines]
