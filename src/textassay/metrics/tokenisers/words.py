"""Words: by white space, characters, SQuAD's, chrF++'s, ROUGE-1.5.5's letters a to z, in every script without case."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from textassay.metrics.tokenisers.frozen_unicode import CharacterTable, in_stretches, lower_case

_PUNCTUATION = frozenset(string.punctuation)
_KEPT = frozenset((string.ascii_letters + string.digits).encode())
_TO_SPACES = bytes(byte if byte in _KEPT else ord(" ") for byte in range(256)).lower()
_NOT_FIRST = bytes(range(0x80, 0xC0))
"""Bytes of a character in UTF-8 after its first."""
_KELVIN, _DOTTED_I = "\u212a".encode(), "\u0130".encode()
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


_ARTICLES = re.compile(r"\b(?:a|an|the)\b", re.ASCII)
_ARTICLE_SHAPE = CharacterTable(lambda code, kind: "w" if kind in "LDN" and code > 127 else code)
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def squad(text: str) -> list[str]:
    """The words of an answer as SQuAD's official script compares them: no case, ASCII punctuation or articles.

    >>> squad("The U.S. (a state-run bank)")
    ['us', 'staterun', 'bank']
    """
    plain = lower_case(text).translate(_NO_PUNCTUATION)
    # Whether another letter is next to an article is not left to the interpreter; in the shape it is a w.
    parts, at = [], 0
    for found in _ARTICLES.finditer(plain.translate(_ARTICLE_SHAPE)):
        parts.append(plain[at : found.start()])
        at = found.end()
    return " ".join([*parts, plain[at:]]).split()


def characters(text: str) -> list[str]:
    """Every character but white space.

    >>> characters("to be")
    ['t', 'o', 'b', 'e']
    """
    return list("".join(text.split()))


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
    # Lower case comes first only for the two letters that it brings into ASCII, the Kelvin sign and the dotted I. The
    # table lowers A to Z, in a fraction of the time. What is outside ASCII becomes "?", and that a space.
    if not text.isascii() and ("\u212a" in text or "\u0130" in text):
        text = text.lower()
    return text.encode("ascii", "replace").translate(_TO_SPACES).decode("ascii").split()


def rouge_score_lines(text: str) -> str:
    """Nothing but spaces between the words of each line."""
    return rouge_score_utf8(text.encode("utf-8", "surrogatepass")).decode("ascii")


def rouge_score_utf8(lines: bytes) -> bytes:
    """The same of UTF-8."""
    if lines.isascii():
        return lines.translate(_TO_SPACES_BUT_LINE_ENDS)
    # One byte is found many times as fast as three.
    if (b"\xe2" in lines and _KELVIN in lines) or (b"\xc4" in lines and _DOTTED_I in lines):
        lines = lines.decode("utf-8", "surrogatepass").lower().encode("utf-8", "surrogatepass")
    return lines.translate(_TO_SPACES_BUT_LINE_ENDS, _NOT_FIRST)


# Scripts that put no space between words: Thai, Lao, Burmese, Khmer, the Tai scripts, Balinese, Javanese, then Chinese
# and Japanese with their radicals, phonetic letters, compatibility forms and extensions, Tangut, Khitan and Nüshu.
_SPACELESS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf\u1b00-\u1b7f\ua980-\ua9ff\uaa60-\uaadf"
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b\u3040-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00017000-\U00018dff\U0001aff0-\U0001b2ff\U00020000-\U0003ffff]+"
)
# Invisible inside a word: soft hyphen, joiners, marks of direction, variation selectors. Not the zero-width space.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180b-\u180f\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]+"
)


def are_spaceless(texts: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Of each text whether most of it is in a script that puts no space between words; all are looked at together.

    >>> are_spaceless(["我爱北京。", "I love 北京"]).tolist()
    [True, False]
    """
    lines = "\n".join(texts)
    if lines.isascii():
        return np.zeros(len(texts), np.bool_)
    if lines.count("\n") >= len(texts):
        lines = "\n".join([text.replace("\n", " ") for text in texts])
    others = _SPACELESS.sub("", lines).split("\n")
    left, characters = (np.fromiter(map(len, each), np.int64, len(texts)) for each in (others, texts))
    return 2 * left < characters


def _word_shape(code: int, kind: str) -> str:
    if code == ord("\n"):
        return "\n"
    if kind in "LN" and _SPACELESS.match(chr(code)):
        return "s"
    return "w" if kind in "LDN" else "m" if kind == "M" else " "


_WORD_SHAPE = CharacterTable(_word_shape)
_WORD_OR_LINE_END = re.compile("w[wm]*|sm*|\n")
# Most texts beyond ASCII need no table: up to here nothing is new, no mark stands alone, and spaces part words.
_LATIN = re.compile("[\\x00-\u02ff]*")
_LATIN_WORD = re.compile(r"[^\W_]+")


def unicode_words(text: str) -> list[str]:
    """The words of a text in any script: runs of letters, digits and the marks on them.

    Compatibility forms and case are folded (NFKC, full case folding), so composed and decomposed, half-width and
    full-width spellings agree. In scripts that put no space between words each letter with its marks is a word.
    On ASCII text the words are those of `rouge_score`.

    >>> unicode_words("Die STRASSE, die Straße")
    ['die', 'strasse', 'die', 'strasse']
    >>> unicode_words("हिन्दी में")
    ['हिन्दी', 'में']
    >>> unicode_words("我爱NLP 2024")
    ['我', '爱', 'nlp', '2024']
    """
    if text.isascii():
        return rouge_score(text)
    folded = _visible_folded(text)
    if _LATIN.fullmatch(folded):
        return _LATIN_WORD.findall(folded)
    return _words_and_line_ends(folded.replace("\n", " "))


def _words_and_line_ends(folded: str) -> list[str]:
    return [folded[slice(*found.span())] for found in _WORD_OR_LINE_END.finditer(folded.translate(_WORD_SHAPE))]


def _visible_folded(text: str) -> str:
    if _LATIN.fullmatch(text):
        return _folded(text.replace("\xad", ""))
    return in_stretches(_folded, _INVISIBLE.sub("", text))  # first: what is invisible keeps marks from normal order


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def unicode_words_lines(text: str) -> str:
    r"""Spaces between the words of each line; all lines in ASCII, and all others, at once.

    >>> [line.split() for line in unicode_words_lines("Straße\nto-day\n我爱").split("\n")]
    [['strasse'], ['to', 'day'], ['我', '爱']]
    """
    if text.isascii():
        return rouge_score_lines(text)
    lines = text.split("\n")
    ascii_lines = iter(rouge_score_lines("\n".join([line for line in lines if line.isascii()])).split("\n"))
    others = "\n".join([line for line in lines if not line.isascii()])
    other_lines = iter(" ".join(_words_and_line_ends(_visible_folded(others))).split("\n"))
    return "\n".join([next(ascii_lines if line.isascii() else other_lines) for line in lines])


def unicode_words_utf8(lines: bytes) -> bytes | None:
    """The same of UTF-8 where all of it is ASCII."""
    return rouge_score_utf8(lines) if lines.isascii() else None
