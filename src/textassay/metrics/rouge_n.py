"""ROUGE-N: the n-grams that hypothesis and reference have in common.

Lin, C.-Y. (2004). ROUGE: A package for automatic evaluation of summaries, section 2. An n-gram counts as often as the
text that has it less often has it: precision = matches / n-grams of the hypothesis, recall = matches / n-grams of the
reference. A text of fewer than n words scores 0. With `tokeniser="rouge-score"` the values equal that package's
`rouge1` … `rouge9`.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.kernels.ngrams import matches_of, ngram_matches
from textassay.metrics.contract import Limits, setting
from textassay.metrics.rouge import Rouge, RougeSettings, paired_lengths
from textassay.metrics.segments import EncodedSegments, TextSegments


@dataclass(frozen=True)
class RougeNSettings(RougeSettings):
    """What can be chosen for ROUGE-N."""

    order: int = setting(1, sign="n", limits=Limits(1))
    """How many words an n-gram has."""


class RougeOfOrder(Rouge):
    """ROUGE-N for the order that a subclass says."""

    counts = ("matches", "hypothesis_ngrams", "reference_ngrams")

    @property
    @abstractmethod
    def order(self) -> int:
        """How many words an n-gram has."""

    @property
    def fewest_words(self) -> int:
        """A shorter text has no n-gram."""
        return self.order

    def pair_counts(self, segments: TextSegments) -> tuple[npt.NDArray[np.generic], ...]:
        """Matches, and n-grams of both texts."""
        encoded = self.encoded(segments)
        hypotheses, references = (np.maximum(words - self.order + 1, 0) for words in paired_lengths(encoded))
        return unigram_to_ngram_matches(encoded, self.order)[:, -1], hypotheses, references

    def counts_of_pair(self, hypothesis: str, reference: str) -> tuple[int, int, int]:
        """The same for one pair."""
        ours, theirs, shorter = self.words(hypothesis), self.words(reference), self.order - 1
        matches = matches_of(ours, [theirs], self.order)[-1]
        return matches, max(len(ours) - shorter, 0), max(len(theirs) - shorter, 0)


class RougeN(RougeOfOrder):
    """F-measure of n-grams of any order.

    >>> from textassay.metrics import score
    >>> score("rouge-n", ["the cat sat on the mat"], [["the cat is on the mat"]], order=3).segments.tolist()
    [0.25]
    """

    name = "rouge-n"
    Settings = RougeNSettings
    settings: RougeNSettings

    @property
    def order(self) -> int:
        """As the settings have it."""
        return self.settings.order


class Rouge1(RougeOfOrder):
    """F-measure of words.

    >>> from textassay.metrics import score
    >>> score("rouge-1", ["the cat sat on the mat"], [["the cat is on the mat"]]).segments.round(4).tolist()
    [0.8333]
    """

    name = "rouge-1"
    order = 1


class Rouge2(RougeOfOrder):
    """F-measure of bigrams.

    >>> from textassay.metrics import score
    >>> score("rouge-2", ["the cat sat on the mat"], [["the cat is on the mat"]]).segments.tolist()
    [0.6]
    """

    name = "rouge-2"
    order = 2


def unigram_to_ngram_matches(encoded: EncodedSegments, max_order: int) -> npt.NDArray[np.int32]:
    """For each pair, the matches of every order from 1 on."""
    pairs = np.arange(len(encoded.references) + 1)
    texts = encoded.texts
    return ngram_matches(texts.tokens, texts.offsets, encoded.paired_hypotheses, encoded.references, pairs, max_order)
