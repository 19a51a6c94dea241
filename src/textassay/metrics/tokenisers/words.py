"""Words: by white space, characters, SQuAD's, chrF++'s, ROUGE-1.5.5's letters a to z, in every script without case."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

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


_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def squad(text: str) -> list[str]:
    """The words of an answer as SQuAD's official script compares them: no case, ASCII punctuation or articles.

    >>> squad("The U.S. (a state-run bank)")
    ['us', 'staterun', 'bank']
    """
    return _ARTICLES.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split()


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


# Scripts that put no space between words: Thai, Lao, Burmese, Khmer, the Tai scripts, Balinese, Javanese, then Chinese
# and Japanese with their radicals, phonetic letters, compatibility forms and extensions, Tangut, Khitan and Nüshu.
_SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf\u1b00-\u1b7f\ua980-\ua9ff\uaa60-\uaadf"
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b\u3040-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00017000-\U00018dff\U0001aff0-\U0001b2ff\U00020000-\U0003ffff"
)
# Invisible inside a word: soft hyphen, joiners, marks of direction, variation selectors. Not the zero-width space.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u180b-\u180f\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff"
)


def unicode_words(text: str) -> list[str]:
    """The words of a text in any script: runs of letters, digits and the marks on them.

    Compatibility forms and case are folded (NFKC, full case folding), so composed and decomposed, half-width and
    full-width spellings agree. In scripts that put no space between words each letter with its marks is a word.
    On ASCII text the words are those of `rouge_score`. Letters are what the interpreter's Unicode database says.

    >>> unicode_words("Die STRASSE, die Straße")
    ['die', 'strasse', 'die', 'strasse']
    >>> unicode_words("हिन्दी में")
    ['हिन्दी', 'में']
    >>> unicode_words("我爱NLP 2024")
    ['我', '爱', 'nlp', '2024']
    """
    if text.isascii():
        return rouge_score(text)
    patterns = _patterns()
    visible = patterns.invisible.sub("", text)  # first, since what is invisible keeps marks from their normal order
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold())
    if patterns.spaceless.search(folded):
        folded = patterns.spaceless_letter.sub(r" \g<0> ", folded)
    return patterns.word.findall(folded)


def unicode_words_lines(text: str) -> str:
    """Spaces between the words of each line, those in ASCII all at once."""
    if text.isascii():
        return rouge_score_lines(text)
    lines = text.split("\n")
    ascii_lines = iter(rouge_score_lines("\n".join([line for line in lines if line.isascii()])).split("\n"))
    return "\n".join([next(ascii_lines) if line.isascii() else " ".join(unicode_words(line)) for line in lines])


class _Patterns(NamedTuple):
    invisible: re.Pattern[str]
    spaceless: re.Pattern[str]
    spaceless_letter: re.Pattern[str]
    word: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    """Compiled when the first text beyond ASCII comes, which takes 20 ms."""
    codes = (code for code in range(0x300, 0x20000) if unicodedata.category(chr(code)).startswith("M"))
    # Python's own class of word characters lacks the combining marks, without which words of Hindi fall apart.
    marks = as_class(codes)
    return _Patterns(
        invisible=re.compile(f"[{_INVISIBLE}]+"),
        spaceless=re.compile(f"[{_SPACELESS}]"),
        spaceless_letter=re.compile(f"(?![\\W\\d_])[{_SPACELESS}][{marks}]*"),
        # The look-ahead spares the long class of marks at the usual end of a word: no mark lies below U+0300.
        word=re.compile(f"[^\\W_]+(?:(?![\\x00-\\u02ff])[{marks}]+[^\\W_]*)*"),
    )


def as_class(codes: Iterable[int]) -> str:
    r"""Rising code points as the inside of a character class, runs shortened.

    >>> as_class([0x30, 0x31, 0x32, 0x5D])
    '\\U00000030-\\U00000032\\U0000005d-\\U0000005d'
    """
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in _runs(codes))


def _runs(codes: Iterable[int]) -> list[tuple[int, int]]:
    """Rising numbers as runs without a gap."""
    runs: list[tuple[int, int]] = []
    for code in codes:
        if runs and runs[-1][1] == code - 1:
            runs[-1] = (runs[-1][0], code)
        else:
            runs.append((code, code))
    return runs
