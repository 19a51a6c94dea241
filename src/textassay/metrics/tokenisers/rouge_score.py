"""The tokeniser of ROUGE-1.5.5 and of the package rouge-score: runs of a to z and 0 to 9, in lower case."""

from __future__ import annotations

import string

_KEPT = frozenset((string.ascii_lowercase + string.digits).encode())
_TO_SPACES = bytes(byte if byte in _KEPT else ord(" ") for byte in range(256))
_TO_SPACES_BUT_LINE_ENDS = bytes(byte if byte == ord("\n") else _TO_SPACES[byte] for byte in range(256))


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
