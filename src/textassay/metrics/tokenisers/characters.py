"""Characters as words, for chrF, BLEU in scripts without spaces, and character error rates."""

from __future__ import annotations


def characters(text: str) -> list[str]:
    """Every character but white space.

    >>> characters("to be")
    ['t', 'o', 'b', 'e']
    """
    return list("".join(text.split()))


def characters_and_spaces(text: str) -> str:
    """Every character, white space at the ends left out; a string is the sequence of its characters.

    >>> characters_and_spaces(" to be ")
    'to be'
    """
    return text.strip()
