"""Readability formulas: how easy a text is by the length of its sentences and words.

- `flesch`: Flesch (1948), reading ease = 206.835 - 1.015 s - 84.6 y, for English; 60-70 is plain, higher is easier.
- `flesch-kincaid`: Kincaid et al. (1975), the school grade = 0.39 s + 11.8 y - 15.59, for English; lower is easier.
- `amstad`: Amstad (1978), Flesch's formula for German = 180 - s - 58.5 y; higher is easier.
- `wiener-sachtextformel`: Bamberger & Vanecek (1984), the school grade for German, lower is easier; with m, l and e the
  percentages of words of three or more syllables, of more than six letters, and of one syllable, `form` is
  1: 0.1935 m + 0.1672 s + 0.1297 l - 0.0327 e - 0.875; 2: 0.2007 m + 0.1682 s + 0.1373 l - 2.779;
  3: 0.2963 m + 0.1905 s - 1.1144; 4: 0.2744 m + 0.2656 s - 1.693.

s is words per sentence and y syllables per word. The formulas say nothing of what a text means, or whether it is
grammatical. Programs count sentences and syllables differently, so values of different programs cannot be compared.
Here a word is what white space separates, if it has a letter or a digit, and a sentence has at least one word.
Syllables are counted by a rule of our own (`syllables` in the signature), right for most words:

- English (`en-1`): groups of the vowels a e i o u y, with or without accents; minus one for a final e without accent
  that is not alone and not in consonant + le, for -es unless after a sibilant (s x z c g, ch sh), and for -ed unless
  after t or d; a y before a vowel at the beginning is a consonant.
- German (`de-1`): vowels a e i o u y ä ö ü, of which aa ee oo ie ei ai ey ay eu äu au oi are one; a u after q is none.

A part of a word between other signs, such as hyphens, counts for itself; one without a vowel, such as a number or an
abbreviation, has one syllable. Over a corpus the counts are summed first.
"""

from __future__ import annotations

import math
import re
import unicodedata
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from textassay.metrics.contract import Floats, Metric, Settings, Statistics, setting
from textassay.metrics.segments import TextSegments
from textassay.metrics.sentences import sentence_splitter
from textassay.metrics.tokenisers import tokeniser
from textassay.metrics.tokenisers.frozen_unicode import VERSION, class_of, in_stretches, lower_case

COUNTS = ("sentences", "words", "syllables", "long_words", "polysyllables", "monosyllables")
"""Of a text: long words have more than six letters, polysyllables three syllables or more."""
_GERMAN = re.compile("aa|ee|oo|ie|ei|ai|ey|ay|eu|äu|au|oi|[aeiouyäöü]")
_ENGLISH = re.compile("[aeiouy]+")
_SILENT = re.compile(r"(?<=[^aeiouy])e$(?<![^aeiouy]le)|(?<=[^aeiouysxzcg])es$(?<!ches|shes)|(?<=[^aeiouytd])ed$")


@dataclass(frozen=True)
class ReadabilitySettings(Settings):
    """What can be chosen for every formula."""

    sentences: str = setting("split", sign="sentences", choices=("split", "newline"))
    """What a sentence is: found by the rules of the language (package sentencex), or one per line."""


@dataclass(frozen=True)
class WienerSettings(ReadabilitySettings):
    """What can be chosen for the Wiener Sachtextformel."""

    form: str = setting("1", sign="form", choices=("1", "2", "3", "4"))
    """Which of the four formulas."""


class _WordCounts(NamedTuple):
    """What one word adds to the counts."""

    word: int
    syllables: int
    long: int
    many: int
    one: int


class ReadabilityFormula(Metric):
    """A formula on counts of sentences, words and syllables."""

    needs_references = False
    scale = (-math.inf, math.inf)
    corpus_is = "pooled"
    language: ClassVar[str]
    rule: ClassVar[str]
    """The version of the rule by which syllables are counted."""
    Settings: ClassVar[type[Settings]] = ReadabilitySettings
    settings: ReadabilitySettings

    @abstractmethod
    def formula(self, per_sentence: Floats, shares: Mapping[str, Floats]) -> Floats:
        """The value from words per sentence, and the counts of words and syllables per word."""

    def statistics(self, segments: TextSegments) -> Statistics:
        """The counts of each text."""
        encoded = segments.tokens(tokeniser("none"))
        texts, rows = encoded.texts, encoded.hypotheses
        used = np.unique(texts.tokens)
        features = np.zeros((int(used.max(initial=-1)) + 1, len(_WordCounts._fields)), dtype=np.int64)
        count = _word_counter(self.language)
        for token in used.tolist():
            features[token] = count(texts.words[token])
        totals = np.zeros((len(texts.tokens) + 1, features.shape[1]), dtype=np.int64)
        np.cumsum(features[texts.tokens], axis=0, out=totals[1:])
        by_text = totals[texts.offsets[1:]] - totals[texts.offsets[:-1]]
        split = sentence_splitter(self.settings.sentences, self.language)
        sentences = [sum(map(_has_word, split(text))) for text in segments.hypotheses]
        return np.column_stack([np.array(sentences, dtype=np.int64), by_text[rows]]).astype(np.int32)

    def segment_scores(self, statistics: Statistics) -> Floats:
        """The formula for each text; 0 for one without words."""
        return self._values(statistics)

    def segment_parts(self, statistics: Statistics) -> dict[str, npt.NDArray[Any]]:
        """The counts."""
        return dict(zip(COUNTS, statistics.T, strict=True))

    def summands(self, statistics: Statistics) -> npt.NDArray[Any]:
        """The counts."""
        return statistics.astype(np.int64)

    def from_sums(self, sums: npt.NDArray[Any], n: int) -> Floats:
        """The formula for all texts together."""
        del n
        return self._values(sums)

    def corpus_parts(self, sums: npt.NDArray[Any], n: int) -> dict[str, float]:
        """The counts of all texts."""
        del n
        return dict(zip(COUNTS, sums.tolist(), strict=True))

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have no words."""
        return {"hypotheses contain no words and score 0": sum(not _has_word(text) for text in segments.hypotheses)}

    def signature_fields(self, nrefs: str) -> dict[str, str]:
        """As always, with the rule for syllables."""
        return {**super().signature_fields(nrefs), "syllables": self.rule, "unicode": VERSION}

    def _values(self, counts: npt.NDArray[Any]) -> Floats:
        numbers = np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0)
        sentences, words = numbers[0], numbers[1]
        defined = words > 0
        per_sentence = words / np.maximum(sentences, 1)
        shares = {name: each / np.maximum(words, 1) for name, each in zip(COUNTS[2:], numbers[2:], strict=True)}
        return np.asarray(np.where(defined, self.formula(per_sentence, shares), 0.0))


class Flesch(ReadabilityFormula):
    """Flesch reading ease, for English: the higher the easier.

    206.835 - 1.015 words per sentence - 84.6 syllables per word. Syllables are counted by a rule of our own, `en-1`:
    groups of vowels, without a silent -e, -es or -ed. 60 to 70 is plain English.

    >>> from textassay.metrics import score
    >>> score("flesch", ["The cat sat on the mat."]).segments.round(3).tolist()
    [116.145]
    """

    name = "flesch"
    language = "en"
    rule = "en-1"

    def formula(self, per_sentence: Floats, shares: Mapping[str, Floats]) -> Floats:
        """Flesch (1948)."""
        return 206.835 - 1.015 * per_sentence - 84.6 * shares["syllables"]


class FleschKincaid(ReadabilityFormula):
    """Flesch-Kincaid grade level, for English: the lower the easier.

    0.39 words per sentence + 11.8 syllables per word - 15.59; syllables as for `flesch`.

    >>> from textassay.metrics import score
    >>> score("flesch-kincaid", ["The cat sat on the mat."]).segments.round(3).tolist()
    [-1.45]
    """

    name = "flesch-kincaid"
    higher_is_better = False
    language = "en"
    rule = "en-1"

    def formula(self, per_sentence: Floats, shares: Mapping[str, Floats]) -> Floats:
        """Kincaid et al. (1975)."""
        return 0.39 * per_sentence + 11.8 * shares["syllables"] - 15.59


class Amstad(ReadabilityFormula):
    """Amstad's reading ease, for German: the higher the easier.

    180 - words per sentence - 58.5 syllables per word. Syllables are counted by a rule of our own, `de-1`: vowels, of
    which aa ee oo ie ei ai ey ay eu äu au oi are one.

    >>> from textassay.metrics import score
    >>> score("amstad", ["Die Katze sitzt auf der Matte."]).segments.round(3).tolist()
    [96.0]
    """

    name = "amstad"
    language = "de"
    rule = "de-1"

    def formula(self, per_sentence: Floats, shares: Mapping[str, Floats]) -> Floats:
        """Amstad (1978)."""
        return 180 - per_sentence - 58.5 * shares["syllables"]


class WienerSachtextformel(ReadabilityFormula):
    """Wiener Sachtextformel, for German: the school grade, the lower the easier.

    From words per sentence and the percentages of words of three or more syllables, of more than six letters, and of
    one syllable; syllables as for `amstad`.

    >>> from textassay.metrics import score
    >>> score("wiener-sachtextformel", ["Die Katze sitzt auf der Matte."], form="3").segments.round(4).tolist()
    [0.0286]
    """

    name = "wiener-sachtextformel"
    higher_is_better = False
    language = "de"
    rule = "de-1"
    Settings = WienerSettings
    settings: WienerSettings

    def formula(self, per_sentence: Floats, shares: Mapping[str, Floats]) -> Floats:
        """Bamberger & Vanecek (1984)."""
        many, one, long = (100 * shares[name] for name in ("polysyllables", "monosyllables", "long_words"))
        match self.settings.form:
            case "1":
                return 0.1935 * many + 0.1672 * per_sentence + 0.1297 * long - 0.0327 * one - 0.875
            case "2":
                return 0.2007 * many + 0.1682 * per_sentence + 0.1373 * long - 2.779
            case "3":
                return 0.2963 * many + 0.1905 * per_sentence - 1.1144
        return 0.2744 * many + 0.2656 * per_sentence - 1.693


def syllables_en(part: str) -> int:
    """Syllables of a run of small English letters.

    >>> [syllables_en(word) for word in ("table", "made", "boxes", "walked", "wanted", "yes", "readability", "the")]
    [2, 1, 2, 1, 2, 1, 5, 1]
    """
    plain = "".join(sign for sign in _normal("NFD", part) if class_of(ord(sign)) != "M")
    if plain[:1] == "y" and plain[1:2] in tuple("aeiou"):
        plain = plain[1:]
    groups = len(_ENGLISH.findall(plain))
    return max(groups - bool(groups > 1 and _SILENT.search(_normal("NFC", part))), 1)


def syllables_de(part: str) -> int:
    """Syllables of a run of small German letters.

    >>> [syllables_de(word) for word in ("katze", "theater", "bauer", "neue", "qualität", "lesbarkeit", "familie")]
    [2, 3, 2, 2, 3, 3, 3]
    """
    return max(len(_GERMAN.findall(_normal("NFC", part).replace("qu", "q"))), 1)


def _normal(form: Literal["NFC", "NFD"], text: str) -> str:
    return in_stretches(partial(unicodedata.normalize, form), text)


def _word_counter(language: str) -> Callable[[str], _WordCounts]:
    return _english_word if language == "en" else _german_word


@lru_cache(maxsize=1 << 16)
def _english_word(word: str) -> _WordCounts:
    return _word_counts(word, syllables_en)


@lru_cache(maxsize=1 << 16)
def _german_word(word: str) -> _WordCounts:
    return _word_counts(word, syllables_de)


def _word_counts(word: str, syllables: Callable[[str], int]) -> _WordCounts:
    if not _has_word(word):
        return _WordCounts(0, 0, 0, 0, 0)
    # An apostrophe is inside a word, as in "don't"; other signs part it.
    joined = lower_case(word).replace("'", "").replace("’", "")
    parts = "".join(sign if class_of(ord(sign)) in "LDNM" else " " for sign in joined).split()
    count = sum(map(syllables, parts))
    letters = sum(map(_letter_or_number, word))
    return _WordCounts(1, count, int(letters > 6), int(count >= 3), int(count == 1))


def _has_word(text: str) -> bool:
    return any(map(_letter_or_number, text))


def _letter_or_number(sign: str) -> bool:
    return sign.isalnum() if sign.isascii() else class_of(ord(sign)) in "LDN"
