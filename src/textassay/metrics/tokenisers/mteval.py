"""The tokenisers of machine translation evaluation: NIST's mteval and tercom's, equal to those of sacreBLEU 2.6.

`13a` (mteval-v13a) is what published BLEU scores use by default; `intl` (mteval-v14) knows Unicode's punctuation and
symbols. TER takes words by white space and, on request, without punctuation or normalised: `no_punctuation` and
`no_asian_punctuation` look at one piece without white space at a time; those whose name begins with `normalised` need
the whole text, since a line break before a hyphen joins two pieces, and 's is cut off before a space but not before a
tab.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Sequence
from functools import lru_cache

from textassay.kernels.signs import (
    DASH_AFTER_DIGIT,
    SIGN,
    STOP_AFTER_NO_DIGIT,
    STOP_BEFORE_NO_DIGIT,
    signs_apart,
    signs_apart_utf8,
)
from textassay.metrics.tokenisers.frozen_unicode import CharacterTable

GLUE = ("<skipped>", "-\n")
"""Taken out of a text first: a mark of NIST's own, and a hyphen at the end of a line."""

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def mteval_13a(text: str) -> list[str]:
    """The words of a text; full stops and commas inside numbers, hyphens and apostrophes part nothing.

    >>> mteval_13a('He said: "3.5 million, e.g. in 1990-91."')
    ['He', 'said', ':', '"', '3.5', 'million', ',', 'e', '.', 'g', '.', 'in', '1990', '-', '91', '.', '"']
    """
    return _apart(text).split()


def mteval_13a_lines(text: str) -> str:
    r"""Spaces between the words of each line: the same words as of each alone, several times as fast.

    >>> [line.split() for line in mteval_13a_lines("e.g.\n3.5,\nno").split("\n")]
    [['e', '.', 'g', '.'], ['3.5', ','], ['no']]
    """
    return _apart(text)


def mteval_13a_utf8(lines: bytes) -> bytes | None:
    """The same of UTF-8 where the compiled loop parts signs, in hardly more time than it takes to look at the text."""
    if b"&" in lines:
        for entity, sign in _ENTITIES:
            lines = lines.replace(entity.encode(), sign.encode())
    return signs_apart_utf8(lines)


_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def mteval_13a_lower(text: str) -> list[str]:
    """The words as mteval-v13a has them where it does not keep case: A to Z in lower case, after entities.

    >>> mteval_13a_lower("ÄRGER &AMP; &amp;")
    ['Ärger', '&', 'amp', ';', '&']
    """
    return _apart(text).translate(_ASCII_LOWER).split()


def mteval_13a_lower_lines(text: str) -> str:
    """The same for each line."""
    return mteval_13a_lines(text).translate(_ASCII_LOWER)


def mteval_13a_lower_utf8(lines: bytes) -> bytes | None:
    """The same of UTF-8 where the compiled loop parts signs."""
    parted = mteval_13a_utf8(lines)
    return None if parted is None else parted.lower()


def _apart(text: str) -> str:
    """Spaces around every sign that is a token of its own; next to a sign, a line end counts as a space."""
    if "&" in text:
        for entity, sign in _ENTITIES:
            text = text.replace(entity, sign)
    return signs_apart(text)


def intl(text: str) -> list[str]:
    """The words of a text: punctuation not between digits, and every symbol, is a token of its own.

    As in the original a full stop between a digit and the end of the text stays with the number.

    >>> intl("Peut-être 3,5 € ; en 1990.")
    ['Peut', '-', 'être', '3,5', '€', ';', 'en', '1990.']
    """
    return _intl_apart(text, _KEPT).split()


def intl_lines(text: str) -> str:
    r"""Spaces between the words of each line, each as if it were alone.

    >>> [line.split() for line in intl_lines("3,5\n€; \n1990.").split("\n")]
    [['3,5'], ['€', ';'], ['1990.']]
    """
    return _intl_apart(text, _KEPT_IN_LINES)


# The original puts spaces around punctuation in two passes, first after a character that is no number, then before
# one, and each consumes both characters. So of a run of punctuation at most the last sign is passed over: where a
# number or the end follows, and the passes, which take two characters at a time, meet it too late.
_KEPT = re.compile(r"(?:(?<=9)|\A)(?:\.\.)*\.(?=9|\Z)|(?<=[ a\n])(?:\.\.)+(?=9|\Z)")
_KEPT_IN_LINES = re.compile(r"(?:(?<=[9\n])|\A)(?:\.\.)*\.(?=[9\n]|\Z)|(?<=[ a])(?:\.\.)+(?=[9\n]|\Z)")
_SHAPE = CharacterTable(
    lambda code, kind: "\n" if code == ord("\n") else {"P": ".", "D": "9", "N": "9", "O": " "}.get(kind, "a")
)
"""Numbers as 9, punctuation as a full stop."""
_PARTED = CharacterTable(lambda code, kind: f" {chr(code)} " if kind in "PS" else code)


def _intl_apart(text: str, kept: re.Pattern[str]) -> str:
    """Spaces around every sign that is a token of its own."""
    parts, at = [], 0
    for found in kept.finditer(text.translate(_SHAPE)):
        parts += [text[at : found.end() - 1].translate(_PARTED), text[found.end() - 1]]
        at = found.end()
    return "".join([*parts, text[at:].translate(_PARTED)])


_WESTERN_PUNCTUATION = '.,?:;!"()'
_ASIAN_PUNCTUATION = "\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb"
_FULL_WIDTH_PUNCTUATION = "\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09"
# Chinese characters, strokes, radicals, compatibility forms. The range from U+3200 on is as wide as sacreBLEU has it.
_IDEOGRAPHS = "\u2e80-\u2eff\u31c0-\u31ef\u3200-\u3f22\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"

_ASIAN = re.compile(f"([{_IDEOGRAPHS}{_ASIAN_PUNCTUATION}{_FULL_WIDTH_PUNCTUATION}])")
_SPACE = re.compile("[ \n]+")

_DROPPED = {ord(sign): None for sign in _WESTERN_PUNCTUATION}
_ASIAN_DROPPED = re.compile(f"[{_ASIAN_PUNCTUATION}{_FULL_WIDTH_PUNCTUATION}]")


def no_punctuation(piece: str) -> list[str]:
    """The piece without Western punctuation.

    >>> no_punctuation("(e.g.),"), no_punctuation("..."), no_punctuation("好。")
    (['eg'], [], ['好。'])
    """
    return piece.translate(_DROPPED).split()


def no_asian_punctuation(piece: str) -> list[str]:
    """The piece without Western, Chinese and Japanese punctuation.

    >>> no_asian_punctuation("好。")
    ['好']
    """
    return _ASIAN_DROPPED.sub("", piece.translate(_DROPPED)).split()


def normalised_western(text: str) -> list[str]:
    r"""Words and signs, entities resolved; full stops and commas inside numbers part nothing.

    >>> normalised_western("the dog's 3.5 &lt; 4, e.g.\n-so")
    ['the', 'dog', "'s", '3.5', '<', '4', ',', 'e', '.', 'g', '.', 'so']
    """
    return [word for part in _parts(text) for word in _normalised(part).split()]


def normalised_asian(text: str) -> list[str]:
    """The same, and Chinese and Japanese ideographs and signs as single words.

    >>> normalised_asian("我爱NLP。")
    ['我', '爱', 'NLP', '。']
    """
    return [word for part in _parts(text) for word in _ASIAN.sub(r" \1 ", _normalised(part)).split()]


def normalised_no_punctuation(text: str) -> list[str]:
    """Like `normalised_western`, then without Western punctuation."""
    return [word for part in _parts(text) for word in no_punctuation(_normalised(part))]


def normalised_no_asian_punctuation(text: str) -> list[str]:
    """Like `normalised_asian`, then without Western, Chinese and Japanese punctuation."""
    return [word for part in _parts(text) for word in no_asian_punctuation(_ASIAN.sub(r" \1 ", _normalised(part)))]


def twice(words: Callable[[str], Sequence[str]], text: str) -> Sequence[str]:
    """The words of the words, as sacreBLEU takes them from references: it tokenises those a second time.

    >>> normalised_western("it's."), twice(normalised_western, "it's.")
    (["it's", '.'], ['it', "'s", '.'])
    """
    return words(" ".join(words(text)))


def _parts(text: str) -> list[str]:
    """The text cut at spaces and line breaks, over which no rule reaches once lines are joined."""
    return _SPACE.split(text.rstrip().replace("\n-", ""))


@lru_cache(maxsize=1 << 15)
def _normalised(part: str) -> str:
    """The part with spaces between its words; remembered, since texts have few different ones."""
    for entity, sign in _ENTITIES:
        part = part.replace(entity, sign)
    part = SIGN.sub(r" \1 ", f" {part} ")
    part = part.replace("'s ", " 's ")
    part = STOP_AFTER_NO_DIGIT.sub(r"\1 \2 ", part)
    part = STOP_BEFORE_NO_DIGIT.sub(r" \1 \2", part)
    return DASH_AFTER_DIGIT.sub(r"\1 \2 ", part)
