"""Tokenisers without a look at Unicode: white space, characters, chrF++, and ROUGE-1.5.5's letters a to z."""

from __future__ import annotations

import string

_PUNCTUATION = frozenset(string.punctuation)
_KEPT = frozenset((string.ascii_lowercase + string.digits).encode())
_TO_SPACES = bytes(byte if byte in _KEPT else ord(" ") for byte in range(256))
_TO_SPACES_BUT_LINE_ENDS = bytes(byte if byte == ord("\n") else _TO_SPACES[byte] for byte in range(256))


def white_space(text: str) -> list[str]:
    """The words of a text as white space separates them, signs and case as they are.

    >>> white_space("It's late, no?")
    ["It's", 'late,', 'no?']
    """
    return text.split()


def white_space_lines(text: str) -> str:
    """The lines as they are."""
    return text


def characters(text: str) -> list[str]:
    """Every character but white space.

    >>> characters("to be")
    ['t', 'o', 'b', 'e']
    """
    return list("".join(text.split()))


def characters_and_spaces(text: str) -> str:
    """Every character, without white space at the ends; a string is the sequence of its characters.

    >>> characters_and_spaces(" to be ")
    'to be'
    """
    return text.strip()


def chrf_words(text: str) -> list[str]:
    """The words of a text.

    A final punctuation mark becomes a word, else an initial one does; as in Popović's chrF and in sacreBLEU, no more
    than one.

    >>> chrf_words("end. (so (hi) ... it's -")
    ['end', '.', '(', 'so', '(hi', ')', '..', '.', "it's", '-']
    """
    return [word for piece in text.split() for word in _without_punctuation(piece)]


def _without_punctuation(piece: str) -> tuple[str, ...]:
    if len(piece) > 1 and piece[-1] in _PUNCTUATION:
        return piece[:-1], piece[-1]
    if len(piece) > 1 and piece[0] in _PUNCTUATION:
        return piece[0], piece[1:]
    return (piece,)


def rouge_score(text: str) -> list[str]:
    """The words of a text as rouge-score 0.1.2 finds them; a letter outside a to z parts words like a space.

    >>> rouge_score("Don't PANIC: it's 42, naïve user!")
    ['don', 't', 'panic', 'it', 's', '42', 'na', 've', 'user']
    """
    return _kept(text, _TO_SPACES).split()


def rouge_score_lines(text: str) -> str:
    """Nothing but spaces between the words of each line."""
    return _kept(text, _TO_SPACES_BUT_LINE_ENDS)


def _kept(text: str, table: bytes) -> str:
    # Lower case first: the Kelvin sign becomes k. Whatever is still outside ASCII becomes "?", and that a space.
    return text.lower().encode("ascii", "replace").translate(table).decode("ascii")
