"""ROUGE-L: the longest common subsequence of hypothesis and reference; ROUGE-Lsum: the same sentence by sentence.

Lin, C.-Y. (2004). ROUGE: A package for automatic evaluation of summaries, section 3.1. With L the length of the
longest common subsequence of words: precision = L / words of the hypothesis, recall = L / words of the reference. The
text is one sequence; sentences do not count. With `tokeniser="rouge-score"` all values equal that package's `rougeL`.

ROUGE-Lsum (section 3.2) works at the level of the summary. Each sentence of the reference is compared with every
sentence of the hypothesis; the union of the longest common subsequences counts, but no word more often than the
hypothesis has it. Precision and recall divide by all words of hypothesis and reference. This is the ROUGE-L of the
program ROUGE-1.5.5, and with `tokeniser="rouge-score"` it equals that package's `rougeLsum`. On texts of one
sentence it is ROUGE-L.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.kernels.lcs import lcs_lengths, length_of, union_lcs
from textassay.metrics.contract import setting
from textassay.metrics.rouge import Rouge, RougeSettings, paired_lengths
from textassay.metrics.segments import EncodedSentences, TextSegments, sentence_splitter


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

    def counts_of_pair(self, hypothesis: str, reference: str) -> tuple[int, int, int]:
        """The same for one pair."""
        ours, theirs = self.words(hypothesis), self.words(reference)
        return length_of(ours, theirs), len(ours), len(theirs)


@dataclass(frozen=True)
class RougeLsumSettings(RougeSettings):
    """What can be chosen for ROUGE-Lsum."""

    sentences: str = setting("newline", sign="sentences", choices=("newline", "split"))
    """What a sentence is: a line, or what the rules of the language find."""
    language: str = setting("en", sign="lang")
    """Whose rules find sentences, as a code of ISO 639; of no account for lines."""


class RougeLsum(Rouge):
    r"""F-measure of the union of longest common subsequences.

    >>> from textassay.metrics import score
    >>> hypothesis, reference = "police killed\nthe gunman", "the gunman\npolice killed"
    >>> [score(name, [hypothesis], [[reference]]).segments.tolist() for name in ("rouge-l", "rouge-lsum")]
    [[0.5], [1.0]]
    """

    name = "rouge-lsum"
    Settings = RougeLsumSettings
    settings: RougeLsumSettings
    counts = ("union_lcs", "hypothesis_words", "reference_words")

    def pair_counts(self, segments: TextSegments) -> tuple[npt.NDArray[np.generic], ...]:
        """Matches in the union of longest common subsequences, and words of both texts."""
        sentences = self._sentences(segments)
        hypotheses = np.repeat(np.arange(len(segments)), np.diff(segments.first_reference))
        references = np.arange(len(segments), len(sentences.first_sentence) - 1)
        texts, first = sentences.texts, sentences.first_sentence
        matches = union_lcs(texts.tokens, texts.offsets, texts.rows, first, hypotheses, references)
        return matches, sentences.lengths[hypotheses], sentences.lengths[references]

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have no words."""
        lengths = self._sentences(segments).lengths
        return self.short_texts(lengths[: len(segments)], lengths[len(segments) :])

    def _sentences(self, segments: TextSegments) -> EncodedSentences:
        chosen = self.settings
        return segments.sentences(self.tokeniser(), sentence_splitter(chosen.sentences, chosen.language))
