"""chrF and chrF++: F-score of character n-grams, in chrF++ also of words.

Popović, M. (2015). chrF: character n-gram F-score for automatic MT evaluation. Popović, M. (2017). chrF++: words
helping character n-grams. For each order, precision is matches over n-grams of the hypothesis and recall matches over
n-grams of the reference; both are averaged over the orders that both texts are long enough for, and
F = (1 + β²)·P·R / (β²·P + R). With `eps_smoothing`, F of each order is averaged over all orders instead, as in the
author's own program. All values equal those of the package sacreBLEU 2.6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.kernels.ngrams import matches_of, ngram_matches
from textassay.metrics.contract import Floats, Limits, Settings, setting
from textassay.metrics.one_pair import WordReader, word_reader
from textassay.metrics.references import PooledMetric
from textassay.metrics.segments import EncodedSegments, TextSegments
from textassay.metrics.tokenisers import Tokeniser, tokeniser
from textassay.metrics.tokenisers.registry import Splitter

_TOKENISERS = {"characters": "char", "words": "chrf-words"}
EPSILON = 1e-16
"""The value of an undefined precision or recall, if `eps_smoothing` is on."""


@dataclass(frozen=True)
class ChrfSettings(Settings):
    """What can be chosen for chrF."""

    multi: str = setting("best", sign="multi", choices=("best", "mean"))
    """What several references make: the best by segment score, or the mean of segment scores."""
    lowercase: bool = setting(default=False, sign="case", words={True: "lc", False: "mixed"})
    """Whether case is given up."""
    eps_smoothing: bool = setting(default=False, sign="eff", words={True: "no", False: "yes"})
    """Whether orders that a text is too short for count as 0 instead of being excluded."""
    char_order: int = setting(6, sign="nc", limits=Limits(0))
    """The longest n-grams of characters."""
    word_order: int = setting(0, sign="nw", limits=Limits(0))
    """The longest n-grams of words; 2 makes chrF++."""
    beta: float = setting(2.0, sign="beta", limits=Limits(0))
    """How many times as much recall weighs as precision."""
    whitespace: bool = setting(default=False, sign="space")
    """Whether white space counts among the characters."""

    def __post_init__(self) -> None:
        if self.char_order + self.word_order == 0:
            raise UsageError("chrf: char_order and word_order are both 0; one must be at least 1")


@dataclass(frozen=True)
class ChrfPlusPlusSettings(ChrfSettings):
    """What can be chosen for chrF++."""

    word_order: int = setting(2, sign="nw", limits=Limits(0))


class _EveryCharacter(Tokeniser):
    """Keeps the white space at the ends of a text, too, as sacreBLEU does."""

    def prepared(self, text: str) -> str:
        """The text as it is."""
        return text


class Chrf(PooledMetric):
    """F-score of character n-grams.

    >>> from textassay.metrics import score
    >>> score("chrf", ["the cat sat on the mat"], [["the cat is on the mat"]]).segments.round(4).tolist()
    [64.5779]
    """

    name = "chrf"
    scale = (0.0, 100.0)
    Settings: ClassVar[type[ChrfSettings]] = ChrfSettings
    settings: ChrfSettings

    def count_names(self) -> tuple[str, ...]:
        """For each order n-grams of the hypothesis, of the reference, and matches."""
        orders = [f"{kind}_{n + 1}" for kind, its in self._orders() for n in range(its)]
        return tuple(f"{what}_{order}" for order in orders for what in ("hypothesis", "reference", "matches"))

    def score_names(self) -> tuple[str, ...]:
        """The F-score and the means that it comes from."""
        return ("f", "precision", "recall")

    def pair_counts(self, segments: TextSegments) -> npt.NDArray[np.int32]:
        """N-grams of both texts and matches, for each order of characters, then of words."""
        parts = [_counts(self._encoded(segments, kind), its) for kind, its in self._orders() if its]
        return np.concatenate(parts, axis=1)

    def count_scores(self, counts: npt.NDArray[Any], *, corpus: bool) -> Floats:
        """F, precision and recall in per cent."""
        del corpus
        factor = self.settings.beta**2
        orders = counts.shape[1] // 3
        f, precision, recall, used = np.zeros((4, len(counts)))
        # Order by order and in sacreBLEU's order of operations, so that references that are equally good stay so.
        for hypothesis, reference, matches in counts.astype(np.float64).T.reshape(orders, 3, -1):
            p = np.divide(matches, hypothesis, out=np.full_like(matches, EPSILON), where=hypothesis > 0)
            r = np.divide(matches, reference, out=np.full_like(matches, EPSILON), where=reference > 0)
            both = (hypothesis > 0) & (reference > 0)
            f += _f_score(p, r, factor, EPSILON)
            precision += np.where(both, p, 0)
            recall += np.where(both, r, 0)
            used += both
        precision /= np.maximum(used, 1)
        recall /= np.maximum(used, 1)
        value = 100 * f / orders if self.settings.eps_smoothing else 100 * _f_score(precision, recall, factor, 0)
        return np.stack([value, 100 * precision, 100 * recall], axis=1)

    def pair_value(self, hypothesis: str, reference: str) -> float:
        """F of one pair in per cent, in the same order of operations."""
        factor = self.settings.beta**2
        orders = f = precision = recall = used = 0.0
        for read, its in self._readers:
            ours, theirs = read(hypothesis), read(reference)
            for shorter, matches in enumerate(matches_of(ours, [theirs], its)):
                orders += 1
                both = len(ours) > shorter and len(theirs) > shorter
                # Where one text has no n-gram, neither side's count: see `_counts`.
                p = matches / (len(ours) - shorter) if both else EPSILON
                r = matches / (len(theirs) - shorter) if len(theirs) > shorter else EPSILON
                f += _f_of_one(p, r, factor, EPSILON)
                if both:
                    precision += p
                    recall += r
                    used += 1
        if self.settings.eps_smoothing:
            return 100 * f / orders
        return 100 * _f_of_one(precision / max(used, 1.0), recall / max(used, 1.0), factor, 0.0)

    @cached_property
    def _readers(self) -> list[tuple[WordReader, int]]:
        return [(word_reader(self._tokeniser(kind)), its) for kind, its in self._orders()]

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have nothing that counts."""
        return self._encoded(segments, self._orders()[0][0]).empty(
            "hypotheses are empty and score 0", "references are empty"
        )

    def _orders(self) -> list[tuple[str, int]]:
        every = [("characters", self.settings.char_order), ("words", self.settings.word_order)]
        return [(kind, order) for kind, order in every if order]

    def _encoded(self, segments: TextSegments, kind: str) -> EncodedSegments:
        return segments.tokens(self._tokeniser(kind))

    def _tokeniser(self, kind: str) -> Tokeniser:
        if kind == "characters" and self.settings.whitespace:
            return _EveryCharacter(Splitter(str, characters=True), lower=self.settings.lowercase)
        return tokeniser(_TOKENISERS[kind], lower=self.settings.lowercase)


class ChrfPlusPlus(Chrf):
    """F-score of character n-grams and of single words and pairs of words.

    >>> from textassay.metrics import score
    >>> score("chrf++", ["the cat sat on the mat"], [["the cat is on the mat"]]).segments.round(4).tolist()
    [66.3607]
    """

    name = "chrf++"
    Settings = ChrfPlusPlusSettings


def _counts(encoded: EncodedSegments, orders: int) -> npt.NDArray[np.int32]:
    texts, hypotheses = encoded.texts, encoded.paired_hypotheses
    each = np.arange(len(hypotheses) + 1)
    matches = ngram_matches(texts.tokens, texts.offsets, hypotheses, encoded.references, each, orders)
    shorter = np.arange(orders)
    reference = np.maximum(texts.lengths[encoded.references, None] - shorter, 0)
    # Where the reference has no n-gram, the hypothesis's are not held against it.
    hypothesis = np.maximum(texts.lengths[hypotheses, None] - shorter, 0) * (reference > 0)
    return np.stack([hypothesis, reference, matches], axis=2).astype(np.int32).reshape(len(hypotheses), 3 * orders)


def _f_score(precision: Floats, recall: Floats, factor: float, otherwise: float) -> Floats:
    below = factor * precision + recall
    above = (1 + factor) * precision * recall
    return np.divide(above, below, out=np.full_like(below, otherwise), where=below > 0)


def _f_of_one(precision: float, recall: float, factor: float, otherwise: float) -> float:
    below = factor * precision + recall
    return (1 + factor) * precision * recall / below if below > 0 else otherwise
