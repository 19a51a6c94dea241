"""ROUGE-L: the longest common subsequence of hypothesis and reference.

Lin, C.-Y. (2004). ROUGE: A package for automatic evaluation of summaries, section 3.1. With L the length of the
longest common subsequence of words: precision = L / words of the hypothesis, recall = L / words of the reference. The
text is one sequence; sentences do not count (`rouge-lsum` is for them). With `tokeniser="rouge-score"` all values
equal that package's `rougeL`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from textassay.kernels.lcs import lcs_lengths
from textassay.metrics.rouge import Rouge, paired_lengths
from textassay.metrics.segments import TextSegments


class RougeL(Rouge):
    """F-measure of the longest common subsequence of words.

    >>> from textassay.metrics import score
    >>> score("rouge-l", ["the cat sat on the mat"], [["the cat is on the mat"]]).segments.round(4).tolist()
    [0.8333]
    """

    name = "rouge-l"
    counts = ("lcs", "hypothesis_words", "reference_words")

    def pair_counts(self, segments: TextSegments) -> tuple[npt.NDArray[np.generic], ...]:
        """Length of the longest common subsequence and of both texts."""
        encoded = self.encoded(segments)
        texts = encoded.texts
        common = lcs_lengths(texts.tokens, texts.offsets, encoded.paired_hypotheses, encoded.references)
        return common, *paired_lengths(encoded)
