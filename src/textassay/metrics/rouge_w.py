"""ROUGE-W: the longest common subsequence, with more weight for adjacent matches.

Lin, C.-Y. (2004). ROUGE: A package for automatic evaluation of summaries, section 4. A run of k matches that are
consecutive in both texts weighs f(k) = k^w, by default with w = 1.2 as ROUGE-1.5.5 was called at DUC. With W the weight
of the weighted longest common subsequence: precision = f⁻¹(W / f(words of the hypothesis)), recall = f⁻¹(W / f(words of
the reference)). The text is one sequence, as in the paper. The program ROUGE-1.5.5 differs: it goes sentence by
sentence, and for it a run need be consecutive in the reference only. Pooled references sum W and f(words).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.kernels.lcs import weighted_lcs
from textassay.metrics.contract import Floats, Statistics, setting
from textassay.metrics.rouge import Rouge, RougeSettings, paired_lengths, scores_of
from textassay.metrics.segments import TextSegments


@dataclass(frozen=True)
class RougeWSettings(RougeSettings):
    """What can be chosen for ROUGE-W."""

    weight: float = setting(1.2, sign="w")
    """The exponent: 1 for the weight of ROUGE-L, more to reward adjacent matches."""

    def __post_init__(self) -> None:
        if not 1 <= self.weight < float("inf"):
            raise UsageError(f"rouge-w: weight is {self.weight}; it must be at least 1")


class RougeW(Rouge):
    """F-measure of the weighted longest common subsequence of words.

    >>> from textassay.metrics import score
    >>> hypotheses, reference = ["a b c d h i k", "a h b k c i d"], ["a b c d e f g"]
    >>> score("rouge-w", hypotheses, [reference] * 2, weight=2.0).segments.round(3).tolist()
    [0.571, 0.286]
    """

    name = "rouge-w"
    Settings = RougeWSettings
    settings: RougeWSettings
    counts = ("weighted_lcs", "hypothesis_weight", "reference_weight")

    def pair_counts(self, segments: TextSegments) -> tuple[npt.NDArray[np.generic], ...]:
        """Weight of the weighted longest common subsequence, and the weights of both texts as one run each."""
        encoded = self.encoded(segments)
        texts, weight = encoded.texts, self.settings.weight
        common = weighted_lcs(texts.tokens, texts.offsets, encoded.paired_hypotheses, encoded.references, weight)
        hypotheses, references = (words.astype(np.float64) ** weight for words in paired_lengths(encoded))
        return common, hypotheses, references

    def pair_statistics(self, segments: TextSegments) -> Statistics:
        """The weights as columns; they are no counts."""
        return np.stack(self.pair_counts(segments), axis=1).astype(np.float64, copy=False)

    def pair_scores(self, statistics: Statistics) -> Floats:
        """F, precision and recall."""
        shares = super().pair_scores(statistics)[:, 1:]
        # A text against itself: the runs' gains, added up, can exceed the weight of the whole in the last digit.
        precision, recall = np.minimum(shares, 1).T ** (1 / self.settings.weight)
        return scores_of(precision, recall)
