"""ROUGE-L: the longest common subsequence of hypothesis and reference.

Lin, C.-Y. (2004). ROUGE: A package for automatic evaluation of summaries. With L the length of the longest common
subsequence of words: precision = L / words of the hypothesis, recall = L / words of the reference, and the value is
F = 2·precision·recall / (precision + recall). A text without a word scores 0, as in the package rouge-score; with
`tokeniser="rouge-score"` all values equal that package's `rougeL` (the text is one sequence; sentences do not count).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.kernels import lcs_lengths
from textassay.metrics.contract import Floats, Statistics
from textassay.metrics.references import POLICIES, PairMetric
from textassay.metrics.segments import EncodedSegments, TextSegments
from textassay.metrics.settings import Settings, setting
from textassay.metrics.tokenisers import TOKENISERS, tokeniser


@dataclass(frozen=True)
class RougeLSettings(Settings):
    """What can be chosen for ROUGE-L."""

    multi: str = setting("best", sign="multi", choices=POLICIES)
    """What several references make: the best by F, or the mean."""
    tokeniser: str = setting("unicode-words", sign="tok", choices=TOKENISERS)
    """`unicode-words` for every script; `rouge-score` for the numbers of that package, which drops all but a-z, 0-9."""
    stem: bool = setting(default=False, sign="stem", words={True: "porter", False: "no"})
    """Porter's stemmer, for English words of more than three letters."""


class RougeL(PairMetric):
    """F-measure of the longest common subsequence of words.

    >>> from textassay.metrics import score
    >>> score("rouge-l", ["the cat sat on the mat"], [["the cat is on the mat"]]).segments.round(4).tolist()
    [0.8333]
    """

    name = "rouge-l"
    Settings = RougeLSettings
    settings: RougeLSettings
    counts = ("lcs", "hypothesis_words", "reference_words")
    scores = ("f", "precision", "recall")

    def pair_statistics(self, segments: TextSegments) -> npt.NDArray[np.int32]:
        """Length of the longest common subsequence and of both texts."""
        encoded = self._encoded(segments)
        hypotheses, lengths = encoded.paired_hypotheses, encoded.texts.lengths
        common = lcs_lengths(encoded.texts.tokens, encoded.texts.offsets, hypotheses, encoded.references)
        columns = (common, lengths[hypotheses], lengths[encoded.references])
        return np.stack(columns, axis=1).astype(np.int32, copy=False)

    def pair_scores(self, statistics: Statistics) -> Floats:
        """F, precision and recall; 0 where there is nothing in common, also for want of words."""
        common, hypothesis, reference = statistics.T.astype(np.float64)
        precision = common / np.maximum(hypothesis, 1)
        recall = common / np.maximum(reference, 1)
        both = precision + recall
        f = np.divide(2 * precision * recall, both, out=np.zeros_like(both), where=both > 0)
        return np.stack((f, precision, recall), axis=1)

    def corpus_parts(self, statistics: Statistics) -> dict[str, float]:
        """Mean precision and recall."""
        means = self._scores(statistics).mean(axis=0) if len(statistics) else np.full(3, np.nan)
        return dict(zip(self.scores[1:], means[1:].tolist(), strict=True))

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have no word."""
        encoded = self._encoded(segments)
        empty = encoded.texts.lengths == 0
        return {
            "hypotheses have no word and score 0": int(empty[encoded.hypotheses].sum()),
            "references have no word": int(empty[encoded.references].sum()),
        }

    def _encoded(self, segments: TextSegments) -> EncodedSegments:
        return segments.tokens(tokeniser(self.settings.tokeniser, stem=self.settings.stem))
