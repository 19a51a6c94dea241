"""BLEU: precision of n-grams, with a penalty for being short.

Papineni, K., Roukos, S., Ward, T. & Zhu, W.-J. (2002). Bleu: a method for automatic evaluation of machine translation.
With m_n of a hypothesis's t_n n-grams found in its references, BLEU = 100·BP·exp(mean over n of ln(m_n / t_n)), where
BP = exp(1 - r/h) for a hypothesis of h words shorter than the r of its reference, else 1. Over a corpus the counts are
summed first. All values equal those of the package sacreBLEU 2.6. Smoothing (Chen & Cherry 2014) replaces m_n = 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.kernels.ngrams import matches_of, ngram_matches
from textassay.metrics.contract import Floats, Limits, Settings, Statistics, setting, signature_value, tokeniser_setting
from textassay.metrics.one_pair import WordReader, word_reader
from textassay.metrics.references import PooledMetric
from textassay.metrics.scripts_without_spaces import remark_on_tokeniser
from textassay.metrics.segments import EncodedSegments, TextSegments
from textassay.metrics.tokenisers import Tokeniser, tokeniser

SMOOTHING: dict[str, float | None] = {"exp": None, "floor": 0.1, "add-k": 1.0, "none": None}
"""Every smoothing with its usual value, None where it needs none."""
LOG_OF_0 = -9999999999.0
"""sacreBLEU's; it makes every mean of logarithms so low that its exponential is 0."""


@dataclass(frozen=True)
class BleuSettings(Settings):
    """What can be chosen for BLEU."""

    multi: str = setting("pooled", sign="multi", choices=("pooled", "best", "mean"))
    """What several references make: one pool of n-grams, each counted as often as in the reference that has it most
    often, with the length closest to the hypothesis's; or the best by segment score; or the mean of segment scores."""
    tokeniser: str = tokeniser_setting("13a", "intl", "char", "none")
    """`13a` as mteval-v13a, `intl` as mteval-v14 with international tokenisation, characters, or white space."""
    lowercase: bool = setting(default=False, sign="case", words={True: "lc", False: "mixed"})
    """Whether case is given up."""
    smoothing: str = setting("exp", sign="smooth", choices=SMOOTHING)
    """What an order without a match counts: 1/2, 1/4, … of a match (`exp`), a value (`floor`), 0 (`none`); `add-k` adds
    a value to all counts from order 2 on."""
    smoothing_value: float = setting(math.nan, sign="value", limits=Limits(0), unset="0.1 for floor, 1 for add-k")
    """For `floor`, at most 1, and `add-k`."""
    max_order: int = setting(4, sign="order", limits=Limits(1))
    """The longest n-grams."""
    effective_order: str = setting("segments", sign="eff", choices=("segments", "always", "never"))
    """Where orders that the hypothesis is too short for are excluded instead of making the score 0. sacreBLEU does it
    in its function for sentences, and for a corpus on request."""

    def __post_init__(self) -> None:
        value = self.smoothing_value
        if not math.isnan(value) and SMOOTHING[self.smoothing] is None:
            raise UsageError(f"bleu: smoothing {self.smoothing!r} takes no value; leave smoothing_value out")
        if self.smoothing == "floor" and value > 1:
            raise UsageError(f"bleu: smoothing_value is {value:g}; with floor give a number from 0 to 1, like 0.1")

    @property
    def value(self) -> float:
        """The value of the smoothing in use; 0 where it has none."""
        return (SMOOTHING[self.smoothing] or 0.0) if math.isnan(self.smoothing_value) else self.smoothing_value

    def signature_fields(self) -> dict[str, str]:
        """As always, with the value that is really in use."""
        return {
            **super().signature_fields(),
            "value": "-" if SMOOTHING[self.smoothing] is None else signature_value(self.value),
        }


class Bleu(PooledMetric):
    """BLEU of sentences and corpora.

    >>> from textassay.metrics import score
    >>> result = score("bleu", ["the cat sat on the mat"], [["the cat is on the mat"]])
    >>> result.segments.round(4).tolist(), result.corpus_parts["brevity_penalty"]
    ([37.9918], 1.0)
    """

    name = "bleu"
    scale = (0.0, 100.0)
    Settings = BleuSettings
    settings: BleuSettings

    def count_names(self) -> tuple[str, ...]:
        """Matches and totals of each order, and words."""
        return (*self._each("matches"), *self._each("totals"), "hypothesis_words", "reference_words")

    def score_names(self) -> tuple[str, ...]:
        """BLEU and what it is made of."""
        return ("bleu", *self._each("precision"), "brevity_penalty")

    def pair_counts(self, segments: TextSegments) -> npt.NDArray[np.int32]:
        """Counts against one reference at a time."""
        encoded = self._encoded(segments)
        each = np.arange(len(encoded.references) + 1)
        return self._counts(encoded, encoded.paired_hypotheses, each, encoded.texts.lengths[encoded.references])

    def statistics(self, segments: TextSegments) -> Statistics:
        """Counts against all references together, with the best, or mean scores."""
        if self.multi != "pooled":
            return super().statistics(segments)
        encoded = self._encoded(segments)
        return self._counts(encoded, encoded.hypotheses, encoded.first_reference, closest_lengths(encoded))

    def count_scores(self, counts: npt.NDArray[Any], *, corpus: bool) -> Floats:
        """BLEU, precisions in per cent, brevity penalty."""
        orders = self.settings.max_order
        numbers = counts.T.astype(np.float64, order="C")  # each column side by side, which NumPy is fastest at
        hypothesis, reference = numbers[-2:]
        precisions, used = self._precisions(numbers[:orders], numbers[orders:-2])
        if self.settings.effective_order == "never" or (corpus and self.settings.effective_order == "segments"):
            used = np.ones_like(used)
        logarithms = np.log(precisions, out=np.full_like(precisions, LOG_OF_0), where=precisions > 0)
        total = np.zeros(len(counts))
        for order in logarithms * used:  # one after the other, as for one pair
            total += order
        means = total / np.maximum(used.sum(axis=0), 1)
        short = (hypothesis > 0) & (hypothesis < reference)
        penalty = np.exp(1 - np.divide(reference, hypothesis, out=np.ones_like(reference), where=short))
        penalty[(hypothesis == 0) & (reference > 0)] = 0
        bleu = np.where(numbers[:orders].any(axis=0), 100 * penalty * np.exp(means), 0)
        return np.column_stack([bleu, *(100 * precisions), penalty])

    def one_value(self, hypothesis: str, references: Sequence[str]) -> float | None:
        """BLEU of one hypothesis, in the order of operations of `count_scores`."""
        if self.multi != "pooled":
            return super().one_value(hypothesis, references)
        return self._value(self._words(hypothesis), [self._words(reference) for reference in references])

    def one_corpus_value(self, value: float, hypothesis: str, references: Sequence[str]) -> float | None:
        """The same, unless the hypothesis is too short for some orders, which only the corpus may hold against it."""
        if value == 0:
            return value
        chosen, words = self.settings, self._words(hypothesis)
        if chosen.effective_order != "segments" or self.multi == "mean" or len(words) >= chosen.max_order:
            return value
        if self.multi == "best" and len(references) > 1:
            return None
        return self._value(words, [self._words(reference) for reference in references], corpus=True)

    def pair_value(self, hypothesis: str, reference: str) -> float:
        """BLEU with one reference."""
        return self._value(self._words(hypothesis), [self._words(reference)])

    def _value(self, hypothesis: Sequence[str], references: Sequence[Sequence[str]], *, corpus: bool = False) -> float:
        chosen, words = self.settings, len(hypothesis)
        matches: list[float] = [*matches_of(hypothesis, references, chosen.max_order)]
        if not matches[0]:
            return 0.0
        totals: list[float] = [max(words - shorter, 0) for shorter in range(chosen.max_order)]
        if chosen.smoothing == "add-k":
            matches[1:] = [count + chosen.value for count in matches[1:]]
            totals[1:] = [count + chosen.value for count in totals[1:]]
        used = totals.index(0) if 0 in totals else len(totals)
        missed, logarithms = 1.0, 0.0
        for count, total in zip(matches[:used], totals, strict=False):
            smoothed = count
            if count == 0 and chosen.smoothing == "exp":
                smoothed = missed = missed / 2
            elif count == 0 and chosen.smoothing == "floor":
                smoothed = chosen.value
            # NumPy's logarithm, which may differ from Python's in the last digit.
            logarithms += float(np.log(smoothed / total)) if smoothed else LOG_OF_0
        if chosen.effective_order == "never" or (corpus and chosen.effective_order == "segments"):
            for _ in totals[used:]:
                logarithms += LOG_OF_0
            used = len(totals)
        theirs = min((abs(len(reference) - words), len(reference)) for reference in references)[1]
        penalty = np.exp(1 - theirs / words) if words < theirs else 1.0
        return float(100 * penalty * np.exp(logarithms / used))

    @cached_property
    def _words(self) -> WordReader:
        return word_reader(self._tokeniser())

    def segment_parts(self, statistics: Statistics) -> dict[str, npt.NDArray[Any]]:
        """Precisions, brevity penalty, counts, and the length of the hypothesis over that of the reference."""
        parts = super().segment_parts(statistics)
        if self.multi != "mean":
            hypothesis, reference = statistics[:, -2:].T.astype(np.float64)
            undefined = np.full(len(statistics), np.nan)
            parts["ratio"] = np.divide(hypothesis, reference, out=undefined, where=reference > 0)
        return parts

    def corpus_parts(self, sums: npt.NDArray[Any], n: int) -> dict[str, float]:
        """The same for the corpus."""
        parts = super().corpus_parts(sums, n)
        if self.multi != "mean":
            reference = parts["reference_words"]
            parts["ratio"] = parts["hypothesis_words"] / reference if reference else math.nan
        return parts

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have no words, and how many are cut at spaces though their script has none."""
        encoded = self._encoded(segments)
        remarks = encoded.empty(
            "hypotheses contain no words and score 0", "references contain no words; a ratio to them is undefined"
        )
        remedy = "set tokeniser=zh, ja-mecab or char, or part words by spaces"
        return {**remarks, **remark_on_tokeniser(self.settings.tokeniser, segments, encoded, remedy)}

    def _precisions(self, matches: Floats, totals: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Smoothed precisions of each order, a row each, and whether the hypothesis is long enough for it."""
        smoothing, value = self.settings.smoothing, self.settings.value
        matched = matches.any(axis=0)
        if smoothing == "add-k":
            matches, totals = matches.copy(), totals.copy()
            matches[1:] += value
            totals[1:] += value
        used = np.logical_and.accumulate(totals > 0, axis=0)
        missed = used & (matches == 0)
        if smoothing == "exp":
            matches = np.where(missed, 0.5 ** np.cumsum(missed, axis=0), matches)
        elif smoothing == "floor":
            matches = np.where(missed, value, matches)
        precisions = np.divide(matches, totals, out=np.zeros_like(totals), where=used & matched)
        return precisions, used

    def _counts(
        self,
        encoded: EncodedSegments,
        hypotheses: npt.NDArray[np.int64],
        first: npt.NDArray[np.int64],
        reference_words: npt.NDArray[np.int64],
    ) -> npt.NDArray[np.int32]:
        texts, orders = encoded.texts, self.settings.max_order
        matches = ngram_matches(texts.tokens, texts.offsets, hypotheses, encoded.references, first, orders)
        words = texts.lengths[hypotheses]
        totals = np.maximum(words[:, None] - np.arange(orders), 0)
        return np.column_stack([matches, totals, words, reference_words]).astype(np.int32)

    def _each(self, what: str) -> tuple[str, ...]:
        return tuple(f"{what}_{order}" for order in range(1, self.settings.max_order + 1))

    def _encoded(self, segments: TextSegments) -> EncodedSegments:
        return segments.tokens(self._tokeniser())

    def _tokeniser(self) -> Tokeniser:
        return tokeniser(self.settings.tokeniser, lower=self.settings.lowercase)


def closest_lengths(encoded: EncodedSegments) -> npt.NDArray[np.int64]:
    """For each hypothesis the length of the reference that is closest to its own; the shorter of two equally close."""
    if len(encoded.hypotheses) == 0:
        return np.zeros(0, dtype=np.int64)
    lengths = encoded.texts.lengths
    theirs = lengths[encoded.references]
    far = np.abs(lengths[encoded.paired_hypotheses] - theirs)
    most = int(theirs.max()) + 1
    # One number holds the distance and, for equal ones, the length.
    return np.asarray(np.minimum.reduceat(far * most + theirs, encoded.first_reference[:-1]) % most)
