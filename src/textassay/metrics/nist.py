"""NIST: matched n-grams weighed by how much they tell.

Doddington, G. (2002). Automatic evaluation of machine translation quality using n-gram co-occurrence statistics. As in
mteval-v13a: info(w1…wn) = log2(count(w1…wn-1) / count(w1…wn)) over all references of the corpus, for single words with
the number of words above; NIST = sum over n of (info of the matches, clipped as in BLEU) / (n-grams of the hypothesis),
times exp(-b·ln(min(1, h/r))²), where b = ln 2 / ln(1.5)², h are the words of the hypothesis and r is the mean number of
words of its references. Over a corpus all these are summed first. A segment's score depends on the whole corpus, so two
passes are needed; memory grows with the number of different n-grams in the references.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.metrics.contract import Floats, Metric, Statistics
from textassay.metrics.ngram_counts import NgramCounts, matched_weights
from textassay.metrics.segments import EncodedSegments, TextSegments
from textassay.metrics.settings import Settings, setting
from textassay.metrics.tokenisers import tokeniser

SHORTNESS = math.log(2) / math.log(1.5) ** 2
"""Makes the penalty one half for a hypothesis of two thirds of the reference's length."""


@dataclass(frozen=True)
class NistSettings(Settings):
    """What can be chosen for NIST."""

    tokeniser: str = setting("13a", sign="tok", choices=("13a", "intl", "char", "none"))
    """`13a` as mteval-v13a, `intl` as mteval-v14 with international tokenisation, characters, or white space."""
    lowercase: bool = setting(default=False, sign="case", words={True: "lc", False: "mixed"})
    """Whether case is given up, as mteval-v13a does unless told otherwise."""
    max_order: int = setting(5, sign="order")
    """The longest n-grams."""

    def __post_init__(self) -> None:
        if self.max_order < 1:
            raise UsageError(f"nist: max_order is {self.max_order}; it must be at least 1")


class Nist(Metric):
    """NIST of segments and corpora; several references are pooled.

    >>> from textassay.metrics import score
    >>> result = score("nist", ["he read the book", "a book"], [["he has read the book"], ["the books", "a book"]])
    >>> result.segments.round(4).tolist(), round(result.corpus, 4)
    ([2.4345, 2.6699], 2.6416)
    """

    name = "nist"
    scale = (0.0, math.inf)
    Settings = NistSettings
    settings: NistSettings
    corpus_is = "pooled"
    two_passes = True

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._counts: NgramCounts | None = None
        self._information: tuple[Floats, ...] = ()

    def survey(self, segments: TextSegments) -> NgramCounts:
        """The n-grams of all references of one chunk."""
        encoded = self._encoded(segments)
        return NgramCounts.of(encoded.texts, encoded.references, self.settings.max_order)

    def surveyed(self, surveys: Sequence[NgramCounts]) -> Self:
        """A metric that knows the n-grams of all references."""
        knowing = copy.copy(self)
        counts = NgramCounts.merged(surveys, self.settings.max_order)
        knowing._counts, knowing._information = counts, counts.information()  # noqa: SLF001 -- its own kind
        return knowing

    def statistics(self, segments: TextSegments) -> Statistics:
        """Info of matches and n-grams of each order, words of the hypothesis, mean words of its references."""
        if self._counts is None:
            raise UsageError("nist has not seen the corpus; call survey for each chunk and surveyed, or use score()")
        encoded = self._encoded(segments)
        orders = np.arange(self.settings.max_order)
        info = matched_weights(encoded, self._counts, self._information)
        words = encoded.texts.lengths[encoded.hypotheses]
        totals = np.maximum(words[:, None] - orders, 0)
        references = np.diff(encoded.first_reference)
        total = np.concatenate([[0], np.cumsum(encoded.texts.lengths[encoded.references])])
        mean = np.diff(total[encoded.first_reference]) / np.maximum(references, 1)
        return np.column_stack([info, totals, words, mean]).astype(np.float64)

    def segment_scores(self, statistics: Statistics) -> Floats:
        """NIST of each segment."""
        return self._scores(statistics)[..., 0]

    def segment_parts(self, statistics: Statistics) -> dict[str, npt.NDArray[Any]]:
        """Mean information of each order, penalty, words."""
        return dict(zip(self._names(), self._scores(statistics).T, strict=True))

    def summands(self, statistics: Statistics) -> npt.NDArray[Any]:
        """The statistics themselves."""
        return statistics

    def from_sums(self, sums: npt.NDArray[Any], n: int) -> Floats:
        """NIST of summed statistics."""
        del n
        return self._scores(sums)[..., 0]

    def corpus_parts(self, sums: npt.NDArray[Any], n: int) -> dict[str, float]:
        """The same for the corpus."""
        del n
        return dict(zip(self._names()[1:], self._scores(sums)[1:].tolist(), strict=True))

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have no word."""
        encoded = self._encoded(segments)
        empty = encoded.texts.lengths == 0
        return {
            "hypotheses have no word and score 0": int(empty[encoded.hypotheses].sum()),
            "references have no word": int(empty[encoded.references].sum()),
        }

    def _names(self) -> tuple[str, ...]:
        orders = (f"information_{order}" for order in range(1, self.settings.max_order + 1))
        return ("nist", *orders, "penalty", "hypothesis_words", "reference_words")

    def _scores(self, sums: Statistics) -> Floats:
        """(…, statistics) to (…, names)."""
        orders = self.settings.max_order
        info, totals, words, reference = sums[..., :orders], sums[..., orders:-2], sums[..., -2], sums[..., -1]
        means = info / np.maximum(totals, 1)
        ratio = np.divide(words, reference, out=np.ones_like(reference), where=reference > 0)
        short = np.log(np.clip(ratio, np.finfo(np.float64).tiny, 1))
        penalty = np.where(ratio > 0, np.exp(-SHORTNESS * short**2), 0)
        score = penalty * means.sum(axis=-1)
        return np.concatenate([score[..., None], means, np.stack([penalty, words, reference], axis=-1)], axis=-1)

    def _encoded(self, segments: TextSegments) -> EncodedSegments:
        return segments.tokens(tokeniser(self.settings.tokeniser, lower=self.settings.lowercase))
