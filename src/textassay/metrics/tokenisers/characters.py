"""Characters as words, for chrF, BLEU in scripts without spaces, and character error rates."""

from __future__ import annotations


def characters(text: str) -> list[str]:
    """Every character but white space.

    >>> characters("to be")
    ['t', 'o', 'b', 'e']
    """
    return list("".join(text.split()))


def characters_and_spaces(text: str) -> list[str]:
    """Every character, white space at the ends left out.

    >>> characters_and_spaces(" to be ")
    ['t', 'o', ' ', 'b', 'e']
    """
    return list(text.strip())
