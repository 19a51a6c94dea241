"""Exact match: whether the hypothesis is its reference, word by word; how much white space parts words is no matter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from textassay.kernels.texts import equal_words, texts_without_words
from textassay.metrics.contract import Floats, Settings, Statistics, setting
from textassay.metrics.one_pair import WordReader, word_reader
from textassay.metrics.references import PairMetric
from textassay.metrics.segments import TextSegments
from textassay.metrics.tokenisers import tokeniser
from textassay.text_block import as_list, flat


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
        found = equal_words(*segments.string_pairs(lower=self.settings.lowercase))
        return found.astype(np.int32).reshape(-1, 1)

    def pair_scores(self, statistics: Statistics) -> Floats:
        """The same as a number."""
        return statistics.astype(np.float64)

    def quick_scores(self, segments: TextSegments) -> tuple[Floats, float] | None:
        """All scores without remarks."""
        return self._scores_of_one_chunk(segments)

    def pair_value(self, hypothesis: str, reference: str) -> float:
        """The same for one pair."""
        return float(self._words(hypothesis) == self._words(reference))

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have no words."""
        return {
            "hypotheses contain no words": texts_without_words(as_list(segments.hypotheses)),
            "references contain no words": texts_without_words(as_list(flat(segments.references))),
        }

    @cached_property
    def _words(self) -> WordReader:
        return word_reader(tokeniser("none", lower=self.settings.lowercase))
