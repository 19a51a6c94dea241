"""Porter's second stemmer for English, the `english` algorithm of Snowball, as METEOR uses it.

Porter, M. F. (2001). Snowball: A language for stemming algorithms, with the definition of "The English (Porter2)
stemming algorithm". The rules are those of the time of METEOR 1.5 (2014); later releases of Snowball changed some.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_VOWELS = "aeiouy"
_DOUBLES = ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")
_IRREGULAR = {
    "skis": "ski",
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "idly": "idl",
    "gently": "gentl",
    "ugly": "ugli",
    "early": "earli",
    "only": "onli",
    "singly": "singl",
} | {word: word for word in ("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")}
_UNCHANGED_SINGULARS = frozenset(("inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"))
"""Words that are done once a plural s is gone."""
_LONG_BEGINNING = re.compile("gener|commun|arsen")
"""After these the first region begins, whatever the letters say."""
_REGION = re.compile(f"[^{_VOWELS}]*[{_VOWELS}]+[^{_VOWELS}]")
_CONSONANT_Y = re.compile(f"^y|(?<=[{_VOWELS}])y")
_SHORT_END = re.compile(f"(?:^[{_VOWELS}][^{_VOWELS}]|[^{_VOWELS}][{_VOWELS}][^{_VOWELS}wxY])$")
_SECOND = (
    ("ization", "ize"),
    ("ational", "ate"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("iveness", "ive"),
    ("tional", "tion"),
    ("biliti", "ble"),
    ("lessli", "less"),
    ("entli", "ent"),
    ("ation", "ate"),
    ("alism", "al"),
    ("aliti", "al"),
    ("ousli", "ous"),
    ("iviti", "ive"),
    ("fulli", "ful"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("abli", "able"),
    ("izer", "ize"),
    ("ator", "ate"),
    ("alli", "al"),
    ("bli", "ble"),
)
_THIRD = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("alize", "al"),
    ("icate", "ic"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ness", ""),
    ("ful", ""),
)
_FOURTH = (
    *("ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize"),
    *("ion", "al", "er", "ic"),
)


@lru_cache(maxsize=1 << 16)
def porter2(word: str) -> str:
    """The stem of a word. The rules are for lower case; capitals stay, and count as consonants.

    >>> [porter2(word) for word in ("running", "skies", "generously", "consolations", "knights", "naïvely")]
    ['run', 'sky', 'generous', 'consol', 'knight', 'naïv']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    word, marked = _CONSONANT_Y.subn("Y", word.removeprefix("'"))
    first = _region(word, _LONG_BEGINNING)
    second = first + _region(word[first:])
    word = _without_plural(_without_possessive(word))
    if word in _UNCHANGED_SINGULARS:
        return word
    word = _without_past(word, first)
    if len(word) > 2 and word[-1] in "yY" and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    word = _second(word, first)
    word = _third(word, first, second)
    word = _fourth(word, second)
    word = _without_final(word, first, second)
    return word.replace("Y", "y") if marked else word


def _region(word: str, special: re.Pattern[str] | None = None) -> int:
    """Where the region after the first vowel and the next consonant begins."""
    found = (special and special.match(word)) or _REGION.match(word)
    return found.end() if found else len(word)


def _without_possessive(word: str) -> str:
    for ending in ("'s'", "'s", "'"):
        if word.endswith(ending):
            return word.removesuffix(ending)
    return word


def _has_vowel(part: str) -> bool:
    return any(letter in _VOWELS for letter in part)


def _without_plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")) and _has_vowel(word[:-2]):
        return word[:-1]
    return word


def _without_past(word: str, first: int) -> str:
    for ending in ("eedly", "eed"):
        if word.endswith(ending):
            stem = word.removesuffix(ending)
            return stem + "ee" if len(stem) >= first else word
    for ending in ("ingly", "edly", "ing", "ed"):
        if word.endswith(ending):
            stem = word.removesuffix(ending)
            return _mended(stem, first) if _has_vowel(stem) else word
    return word


def _mended(stem: str, first: int) -> str:
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if stem.endswith(_DOUBLES):
        return stem[:-1]
    return stem + "e" if len(stem) <= first and _SHORT_END.search(stem) else stem


def _ending(word: str, endings: Iterable[str]) -> str:
    return next((ending for ending in endings if word.endswith(ending)), "")


def _second(word: str, first: int) -> str:
    found = _ending(word, [*(ending for ending, _ in _SECOND), "ogi", "li"])
    stem = word.removesuffix(found)
    if not found or len(stem) < first:
        return word
    if found == "ogi":
        return stem + "og" if stem.endswith("l") else word
    if found == "li":
        return stem if stem.endswith(tuple("cdeghkmnrt")) else word
    return stem + dict(_SECOND)[found]


def _third(word: str, first: int, second: int) -> str:
    found = _ending(word, [*(ending for ending, _ in _THIRD), "ative"])
    stem = word.removesuffix(found)
    if not found or len(stem) < first:
        return word
    if found == "ative":
        return stem if len(stem) >= second else word
    return stem + dict(_THIRD)[found]


def _fourth(word: str, second: int) -> str:
    found = _ending(word, _FOURTH)
    stem = word.removesuffix(found)
    if not found or len(stem) < second:
        return word
    return word if found == "ion" and not stem.endswith(("s", "t")) else stem


def _without_final(word: str, first: int, second: int) -> str:
    stem = word[:-1]
    if word.endswith("e") and (len(stem) >= second or (len(stem) >= first and not _SHORT_END.search(stem))):
        return stem
    return stem if word.endswith("ll") and len(stem) >= second else word
