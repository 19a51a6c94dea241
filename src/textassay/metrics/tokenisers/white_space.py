"""Words as white space parts them, and nothing else: the tokeniser `none`."""

from __future__ import annotations


def white_space(text: str) -> list[str]:
    """The words of a text, signs and case as they are.

    >>> white_space("It's late, no?")
    ["It's", 'late,', 'no?']
    """
    return text.split()


def white_space_lines(text: str) -> str:
    """The lines as they are."""
    return text
