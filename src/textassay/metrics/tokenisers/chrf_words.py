"""Words as chrF++ counts them: cut at white space, with one punctuation mark taken off."""

from __future__ import annotations

import string

_PUNCTUATION = frozenset(string.punctuation)


def chrf_words(text: str) -> list[str]:
    """The words of a text.

    A final punctuation mark becomes a word, else an initial one does; as in Popović's chrF and in sacreBLEU, no more
    than one.

    >>> chrf_words("end. (so (hi) ... it's -")
    ['end', '.', '(', 'so', '(hi', ')', '..', '.', "it's", '-']
    """
    return [word for piece in text.split() for word in _apart(piece)]


def _apart(piece: str) -> tuple[str, ...]:
    if len(piece) > 1 and piece[-1] in _PUNCTUATION:
        return piece[:-1], piece[-1]
    if len(piece) > 1 and piece[0] in _PUNCTUATION:
        return piece[0], piece[1:]
    return (piece,)
