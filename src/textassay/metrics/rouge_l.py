"""ROUGE-L: the longest common subsequence of hypothesis and reference; ROUGE-Lsum: the same sentence by sentence.

Lin, C.-Y. (2004). ROUGE: A package for automatic evaluation of summaries, section 3.1. With L the length of the
longest common subsequence of words: precision = L / words of the hypothesis, recall = L / words of the reference. The
text is one sequence; sentences do not count. With `tokeniser="rouge-score"` all values equal that package's `rougeL`.

ROUGE-Lsum (section 3.2) works at the level of the summary. Each sentence of the reference is compared with every
sentence of the hypothesis; the union of the longest common subsequences counts, but no word more often than the
hypothesis has it. Precision and recall divide by all words of hypothesis and reference. This is the ROUGE-L of the
program ROUGE-1.5.5, and with `tokeniser="rouge-score"` it equals that package's `rougeLsum`. On texts of one
sentence it is ROUGE-L.

COCO's ROUGE-L (`rouge-l-coco`; Chen et al. 2015, Microsoft COCO Captions) is what papers on captions and on data to
text report: the best precision and the best recall over the references, which may be of two different ones, and
F = (1 + β²)·precision·recall / (recall + β²·precision) with β = 1.2. It equals `Rouge` of pycocoevalcap.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.kernels.lcs import lcs_lengths, length_of, union_lcs
from textassay.metrics.contract import Floats, Limits, Settings, Statistics, setting, tokeniser_setting
from textassay.metrics.references import PairMetric, Policy, ReferencePairs
from textassay.metrics.rouge import Rouge, RougeSettings, paired_lengths
from textassay.metrics.segments import EncodedSegments, EncodedSentences, TextSegments
from textassay.metrics.sentences import sentence_splitter
from textassay.metrics.tokenisers import tokeniser

_TWO_SENTENCES = re.compile("[.!?…][\"')\\]”’]*\\s+\\S|[。！？].")


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
    language: str = setting("en", sign="lang", holds="code of a language")
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
        """How many texts have no words, and how many have several sentences in a line, which counts as one."""
        lengths = self._sentences(segments).lengths
        remarks = self.short_texts(lengths[: len(segments)], lengths[len(segments) :])
        if self.settings.sentences == "newline":
            remarks.update(several_in_a_line(segments.hypotheses, "count as one, as in rouge-l"))
        return remarks

    def _sentences(self, segments: TextSegments) -> EncodedSentences:
        chosen = self.settings
        return segments.sentences(self.tokeniser(), sentence_splitter(chosen.sentences, chosen.language))


def several_in_a_line(texts: Sequence[str], what: str) -> dict[str, int]:
    """The remark on texts that seem to have several sentences in one line, which do what is said."""
    several = sum("\n" not in text and _TWO_SENTENCES.search(text) is not None for text in texts)
    remedy = "put each sentence into its own line, or set sentences=split"
    return {f"hypotheses seem to have several sentences in one line, which {what}; {remedy}": several}


@dataclass(frozen=True)
class RougeLCocoSettings(Settings):
    """What can be chosen for COCO's ROUGE-L."""

    tokeniser: str = tokeniser_setting("none", "unicode-words", "13a")
    """`none` for texts whose tokens are already separated by spaces, as COCO's tools do; `unicode-words` drops
    punctuation and case; `13a` is that of BLEU."""
    lowercase: bool = setting(default=False, sign="case", words={True: "lc", False: "mixed"})
    """Whether case is given up, where the tokeniser keeps it."""
    beta: float = setting(1.2, sign="beta", limits=Limits(0, without=True))
    """How much more recall weighs than precision."""


class RougeLCoco(PairMetric):
    """F-measure of the best precision and the best recall of longest common subsequences, as in COCO's tools.

    >>> from textassay.metrics import score
    >>> result = score("rouge-l-coco", ["a dog ran"], [["a big dog ran away", "a dog"]])
    >>> {name: round(float(values[0]), 4) for name, values in result.parts.items()}
    {'f': 1.0, 'precision': 1.0, 'recall': 1.0}
    """

    name = "rouge-l-coco"
    Settings = RougeLCocoSettings
    settings: RougeLCocoSettings
    counts = ("lcs", "hypothesis_words", "reference_words")
    scores = ("f", "precision", "recall")

    @property
    def policy(self) -> Policy:
        """Precision and recall are each the best over the references."""
        return Policy(self._best_of_each, keeps_counts=False)

    def one_value(self, hypothesis: str, references: Sequence[str]) -> float | None:
        """No quicker way."""
        del hypothesis, references
        return None

    def pair_statistics(self, segments: TextSegments) -> Statistics:
        """Length of the longest common subsequence and of both texts."""
        encoded = self._encoded(segments)
        texts = encoded.texts
        common = lcs_lengths(texts.tokens, texts.offsets, encoded.paired_hypotheses, encoded.references)
        return np.stack((common, *paired_lengths(encoded)), axis=1).astype(np.int32)

    def pair_scores(self, statistics: Statistics) -> Floats:
        """F, precision and recall; 0 where there is nothing in common, also for want of words."""
        common, hypothesis, reference = statistics.T.astype(np.float64)
        return self._weighted(common / np.maximum(hypothesis, 1), common / np.maximum(reference, 1))

    def summands(self, statistics: Statistics) -> Floats:
        """All three scores, whose means are those of the corpus."""
        return self._scores(statistics)

    def corpus_parts(self, sums: npt.NDArray[np.float64], n: int) -> dict[str, float]:
        """Mean precision and recall."""
        return dict(zip(self.scores[1:], (sums[1:] / n).tolist(), strict=True))

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have no words."""
        return self._encoded(segments).empty("hypotheses contain no words and score 0", "references contain no words")

    def signature_fields(self, nrefs: str) -> dict[str, str]:
        """What several references make is not a choice but part of the definition."""
        return {"nrefs": nrefs, "multi": "best-precision/best-recall", **super().signature_fields(nrefs)}

    def _best_of_each(self, pairs: ReferencePairs) -> Statistics:
        if len(pairs.scores) == 0:
            return pairs.scores
        best = np.maximum.reduceat(pairs.scores[:, 1:], pairs.first[:-1])
        return self._weighted(best[:, 0], best[:, 1])

    def _weighted(self, precision: Floats, recall: Floats) -> Floats:
        weight = self.settings.beta**2
        below = recall + weight * precision
        f = np.divide((1 + weight) * precision * recall, below, out=np.zeros_like(below), where=below > 0)
        return np.stack((f, precision, recall), axis=1)

    def _encoded(self, segments: TextSegments) -> EncodedSegments:
        return segments.tokens(tokeniser(self.settings.tokeniser, lower=self.settings.lowercase))
