"""For English: Porter's stemmer, with the changes that NLTK made and that rouge-score therefore has, and stop words.

Porter, M. (1980). An algorithm for suffix stripping. Program 14(3), 130-137. NLTK's changes are marked below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

# NLTK: words that the rules get wrong.
_IRREGULAR = {word: word for word in ("news", "inning", "outing", "canning", "howe", "proceed", "exceed", "succeed")}
_IRREGULAR |= {"skies": "sky", "dying": "die", "lying": "lie", "tying": "tie"}
_IRREGULAR |= {"innings": "inning", "outings": "outing", "cannings": "canning"}

_STEP_2 = [
    *[("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("bli", "ble")],
    *[("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate")],
    *[("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al")],
    *[("iviti", "ive"), ("biliti", "ble"), ("fulli", "ful")],  # NLTK: the last one, and bli for abli
]
_STEP_3 = [("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", "")]
_STEP_4 = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate"),
    *("iti", "ous", "ive", "ize"),
)
_ARTICLES_AND_QUANTIFIERS = "a an the this that these those each every either neither both all any some such no"
_PRONOUNS = (
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers "
    "herself it its itself they them their theirs themselves one who whom whose which what whoever whatever"
)
_PREPOSITIONS = (
    "about above across after against along among around as at before behind below beneath beside between beyond by "
    "down during for from in inside into near of off on onto out outside over past per since through throughout to "
    "toward towards under until up upon via with within without"
)
_CONJUNCTIONS = "and or but nor so yet if because although though unless while whereas whether than when where why how"
_AUXILIARIES = (
    "am is are was were be been being do does did doing done have has had having can could may might must shall "
    "should will would"
)
_ADVERBS = "not very too also just only then there here again once more most own same other"
# What is left of contractions when an apostrophe parts words: it's, don't, I'm, we've, they'll, you're, he'd.
_REMNANTS = "s t d m ll ve re don didn doesn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn"
STOP_WORDS = frozenset(
    " ".join(
        (
            _ARTICLES_AND_QUANTIFIERS,
            _PRONOUNS,
            _PREPOSITIONS,
            _CONJUNCTIONS,
            _AUXILIARIES,
            _ADVERBS,
            _REMNANTS,
        )
    ).split()
)
"""In lower case."""


def porter(word: str) -> str:
    """The stem of an English word in lower case; a word of at most three letters, or in another script, as it is.

    >>> [porter(word) for word in ("relational", "hopping", "skies", "flies", "dies", "die", "naïvely")]
    ['relat', 'hop', 'sky', 'fli', 'die', 'die', 'naïvely']
    """
    if len(word) <= 3 or not word.isascii():  # the limit of three is ROUGE's
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for step in (_plural, _past, _final_y, _double_suffix, _third, _fourth, _final_e):
        word = step(word)
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _shape(word: str) -> str:
    """The word in `c` and `v`; y is a vowel after a consonant."""
    shape: list[str] = []
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and bool(shape) and shape[-1] == "c")
        shape.append("v" if vowel else "c")
    return "".join(shape)


def _measure(stem: str) -> int:
    """Porter's m: how often a vowel group is followed by a consonant group."""
    return _shape(stem).count("vc")


def _ends_short(stem: str) -> bool:
    """Porter's *o: consonant, vowel, consonant other than w, x, y. NLTK: a vowel and a consonant alone, too."""
    shape = _shape(stem)
    return shape == "vc" or (shape.endswith("cvc") and stem[-1] not in "wxy")


def _replaced(word: str, rules: Iterable[tuple[str, str]], allowed: Callable[[str], bool]) -> str:
    """The word after the first rule whose suffix it has; that rule decides, even where its condition fails."""
    for suffix, replacement in rules:
        if word.endswith(suffix):
            stem = word.removesuffix(suffix)
            return stem + replacement if allowed(stem) else word
    return word


def _plural(word: str) -> str:
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]  # NLTK: dies becomes die
    return word[:-2] if word.endswith("sses") else word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]  # NLTK
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    suffix = "ed" if word.endswith("ed") else "ing" if word.endswith("ing") else ""
    stem = word.removesuffix(suffix)
    return _mended(stem) if suffix and "v" in _shape(stem) else word


def _mended(stem: str) -> str:
    """What -ed and -ing leave behind, brought back to a word's form."""
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if stem[-2:] == stem[-1] * 2 and _shape(stem)[-1] == "c":
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _ends_short(stem) else stem


def _final_y(word: str) -> str:
    # NLTK: after a consonant that is not the word's first letter, where Porter asks for a vowel anywhere before.
    return word[:-1] + "i" if word.endswith("y") and len(word) > 2 and _shape(word)[-2] == "c" else word


def _double_suffix(word: str) -> str:
    if word.endswith("alli") and _measure(word[:-4]) > 0:  # NLTK: first of all, and the rest after it
        word = word[:-2]
    if word.endswith("logi") and _measure(word[:-3]) > 0:  # NLTK: the l counts as part of the stem
        return word[:-1]
    return _replaced(word, _STEP_2, lambda stem: _measure(stem) > 0)


def _third(word: str) -> str:
    return _replaced(word, _STEP_3, lambda stem: _measure(stem) > 0)


def _fourth(word: str) -> str:
    needs_s_or_t = word.endswith("ion")
    return _replaced(
        word,
        ((suffix, "") for suffix in _STEP_4),
        lambda stem: _measure(stem) > 1 and (not needs_s_or_t or stem[-1] in "st"),
    )


def _final_e(word: str) -> str:
    if not word.endswith("e"):
        return word
    stem = word[:-1]
    measure = _measure(stem)
    return stem if measure > 1 or (measure == 1 and not _ends_short(stem)) else word
