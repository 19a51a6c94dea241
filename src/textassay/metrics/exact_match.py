"""Exact match: whether the hypothesis is its reference, word by word; how much white space parts words is no matter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from textassay.kernels.edits import edit_distances
from textassay.metrics.contract import Floats, Settings, Statistics, setting
from textassay.metrics.one_pair import WordReader, word_reader
from textassay.metrics.references import PairMetric
from textassay.metrics.segments import EncodedSegments, TextSegments
from textassay.metrics.tokenisers import Tokeniser, tokeniser


@dataclass(frozen=True)
class ExactMatchSettings(Settings):
    """What can be chosen for exact match."""

    multi: str = setting("best", sign="multi", choices=("best", "mean"))
    """What several references make: whether the hypothesis is any of them, or what share of them it is."""
    lowercase: bool = setting(default=False, sign="case", words={True: "lc", False: "mixed"})
    """Whether case is given up."""


class ExactMatch(PairMetric):
    """1 if the words of the hypothesis are those of the reference, else 0; over a corpus their share.

    >>> from textassay.metrics import score
    >>> result = score("exact-match", ["the cat", "a dog"], [["a cat", "the  cat"], ["A dog"]])
    >>> result.segments.tolist(), result.corpus
    ([1.0, 0.0], 0.5)
    """

    name = "exact-match"
    Settings = ExactMatchSettings
    settings: ExactMatchSettings
    counts = ("matches",)
    scores = ("match",)

    def pair_statistics(self, segments: TextSegments) -> npt.NDArray[np.int32]:
        """1 for equal words; two texts without a word are equal."""
        encoded = self._encoded(segments)
        texts = encoded.texts
        edits = edit_distances(texts.tokens, texts.offsets, encoded.references, encoded.paired_hypotheses)
        return np.asarray(edits == 0, dtype=np.int32)[:, None]

    def pair_scores(self, statistics: Statistics) -> Floats:
        """The same as a number."""
        return statistics.astype(np.float64)

    def pair_value(self, hypothesis: str, reference: str) -> float:
        """The same for one pair."""
        return float(self._words(hypothesis) == self._words(reference))

    @cached_property
    def _words(self) -> WordReader:
        return word_reader(self._tokeniser())

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have no words."""
        return self._encoded(segments).empty("hypotheses contain no words", "references contain no words")

    def _encoded(self, segments: TextSegments) -> EncodedSegments:
        return segments.tokens(self._tokeniser())

    def _tokeniser(self) -> Tokeniser:
        return tokeniser("none", lower=self.settings.lowercase)
