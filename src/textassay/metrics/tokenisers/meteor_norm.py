"""Words as METEOR 1.5 cuts and normalises them for English (its option `-norm`).

Every character that is not a Latin or Cyrillic letter, a digit, a full stop, an apostrophe, a comma or a hyphen is a
word; so Greek, Arabic or Chinese text falls into characters. A full stop stays at an abbreviation: a word of the list
given, one with another stop inside, or one before a word in lower case. A word with stops inside loses them all.
The rules were found by running the original; its list of abbreviations is not copied here.
"""

from __future__ import annotations

import re

from textassay.metrics.tokenisers.frozen_unicode import lower_case

ABBREVIATIONS = frozenset(
    (
        *"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        *("Dr", "Drs", "Mr", "Mrs", "Ms", "Prof", "Rev", "St", "Sr", "Jr", "Gen", "Col", "Capt", "Sgt", "Lt", "Gov"),
        *("Sen", "Rep", "Hon", "Messrs", "vs", "v", "cf", "e.g", "i.e"),
    )
)
"""A list of our own; METEOR's is in its jar."""
BEFORE_NUMBERS = frozenset(("No", "Nos", "Art", "pp", "p", "Fig"))
"""Those that are abbreviations only before a number."""
_LATIN = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e\u1d00-\u1d7f"
_LETTER = f"{_LATIN}\u0400-\u0527"
_ALPHA = re.compile(f"[{_LETTER}]")
_LOWER = re.compile("[a-z]")
_SPACE = "\\s\u00a0\u2000-\u200a\u202f\u205f\u3000"
_RULES = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (f"[{_SPACE}]", " "),
        ("[\u2018\u2019`]", "'"),
        ("[\u201c\u201d]|''", '"'),
        ("\u2013", " - "),
        ("--", "-"),
        (f"([^ {_LETTER}0-9.',-])", r" \1 "),
        (r"(\.{2,})", r" \1 "),
        # Characters on both sides are consumed, as in the original, so that of two commas around one letter, or two
        # apostrophes around one digit, only the first is parted from it.
        ("([^0-9]),([^0-9])", r"\1 , \2"),
        ("([0-9]),([^0-9])", r"\1 , \2"),
        ("([^0-9]),([0-9])", r"\1 , \2"),
        (f"([^{_LETTER}])'([^{_LETTER}])", r"\1 ' \2"),
        (f"([^{_LETTER}0-9])'([{_LETTER}])", r"\1 ' \2"),
        (f"([{_LETTER}])'([^{_LETTER}])", r"\1 ' \2"),
        (f"([{_LETTER}])'([{_LETTER}])", r"\1 '\2"),
        ("([0-9])'s", r"\1 's"),
        (f"([^ -])-([{_LETTER}0-9])", r"\1 \2"),
    )
)


def meteor_words(
    text: str, abbreviations: frozenset[str] = ABBREVIATIONS, before_numbers: frozenset[str] = BEFORE_NUMBERS
) -> list[str]:
    """The words of a text.

    >>> meteor_words("Mr. Smith's well-known U.S. firm (est. 1990) paid $3.50, i.e. too much.")
    ... # doctest: +NORMALIZE_WHITESPACE
    ['mr.', 'smith', "'s", 'well', 'known', 'us', 'firm', '(', 'est', '.', '1990', ')', 'paid', '$', '3.50', ',',
     'ie', 'too', 'much', '.']
    """
    text = f" {text} "
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    words = text.split()
    found: list[str] = []
    for word, following in zip(words, [*words[1:], ""], strict=False):
        stem = word[:-1]
        if not word.endswith(".") or not stem or set(word) == {"."}:
            found.append(word)
        elif "." in stem and _ALPHA.search(stem):
            found.append(word.replace(".", ""))
        elif stem in abbreviations or _LOWER.match(following) or (stem in before_numbers and following[:1].isdecimal()):
            found.append(word)
        else:
            found += [stem, "."]
    return lower_case(" ".join(found)).split()
