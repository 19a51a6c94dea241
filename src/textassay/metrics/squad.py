"""Answers to questions compared as SQuAD's official script does: F1 of words, and exact match.

Rajpurkar, P., Zhang, J., Lopyrev, K. & Liang, P. (2016). SQuAD: 100,000+ questions for machine comprehension of text.
EMNLP, 2383-2392. Both texts are put into lower case, ASCII punctuation and the words a, an, the are removed, and words
are what white space separates. F1 is that of the words in common, each as often as both have it; of several references
the best counts; over a corpus both are means, in per cent. Values equal those of evaluate-v1.1.py and, with
`version="2.0"`, of evaluate-v2.0.py, in which two answers without words agree: in version 1.1 their F1 is 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.kernels.edits import edit_distances
from textassay.metrics.contract import Floats, Settings, Statistics, setting
from textassay.metrics.references import PairMetric
from textassay.metrics.rouge import paired_lengths
from textassay.metrics.rouge_n import unigram_to_ngram_matches
from textassay.metrics.scripts_without_spaces import remark_on_scripts
from textassay.metrics.segments import EncodedSegments, TextSegments
from textassay.metrics.tokenisers import tokeniser
from textassay.metrics.tokenisers.registry import signed_unicode


@dataclass(frozen=True)
class SquadSettings(Settings):
    """What can be chosen for both."""

    multi: str = setting("best", sign="multi", choices=("best", "mean"))
    """What several references make: the best value, as in the script, or the mean."""


@dataclass(frozen=True)
class SquadF1Settings(SquadSettings):
    """What can be chosen for the F1."""

    version: str = setting("1.1", sign="script", choices=("1.1", "2.0"))
    """Of the official script: whether two answers without words have F1 0 (1.1) or 100 (2.0: no answer, rightly)."""


class _Squad(PairMetric):
    """What both have in common."""

    scale = (0.0, 100.0)

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have no words once articles and punctuation are gone."""
        return self._encoded(segments).empty("hypotheses contain no words", "references contain no words")

    def _encoded(self, segments: TextSegments) -> EncodedSegments:
        return segments.tokens(tokeniser("squad"))

    def signature_fields(self, nrefs: str) -> dict[str, str]:
        """With the version of Unicode by which articles are told from parts of words."""
        return {**super().signature_fields(nrefs), **signed_unicode("squad")}


class SquadF1(_Squad):
    """F1 of the words of an answer, as SQuAD's official script computes it.

    >>> from textassay.metrics import score
    >>> result = score("squad-f1", ["the Norman conquest", "in 1066"], [["Norman Conquest!"], ["1066"]])
    >>> result.segments.round(2).tolist()
    [100.0, 66.67]
    """

    name = "squad-f1"
    Settings = SquadF1Settings
    settings: SquadF1Settings
    counts = ("matches", "hypothesis_words", "reference_words")
    scores = ("f", "precision", "recall")

    def pair_statistics(self, segments: TextSegments) -> npt.NDArray[np.int32]:
        """Words in common, and those of both texts."""
        encoded = self._encoded(segments)
        matches = unigram_to_ngram_matches(encoded, 1)[:, 0]
        return np.column_stack([matches, *paired_lengths(encoded)]).astype(np.int32)

    def pair_scores(self, statistics: Statistics) -> Floats:
        """F1, precision and recall in per cent."""
        matches, *lengths = statistics.T.astype(np.float64)
        agree = (lengths[0] == 0) & (lengths[1] == 0) & (self.settings.version == "2.0")
        nothing = np.where(agree, 1.0, 0.0)
        precision, recall = (np.divide(matches, each, out=nothing.copy(), where=each > 0) for each in lengths)
        both = lengths[0] + lengths[1]
        f1 = np.divide(2 * matches, both, out=nothing.copy(), where=both > 0)
        return 100 * np.column_stack([f1, precision, recall])

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """Also how many are cut at spaces that their script does not have."""
        encoded = self._encoded(segments)
        words = encoded.texts.lengths[encoded.hypotheses]
        return {**super().remarks(segments), **remark_on_scripts(segments.hypotheses, words, "part words by spaces")}


class SquadExactMatch(_Squad):
    """Exact match of an answer, as SQuAD's official script computes it.

    >>> from textassay.metrics import score
    >>> score("squad-exact-match", ["the Norman conquest", "in 1066"], [["Norman Conquest!"], ["1066"]]).corpus
    50.0
    """

    name = "squad-exact-match"
    Settings = SquadSettings
    settings: SquadSettings
    counts = ("matches",)
    scores = ("match",)

    def pair_statistics(self, segments: TextSegments) -> npt.NDArray[np.int32]:
        """1 for equal words."""
        encoded = self._encoded(segments)
        texts = encoded.texts
        edits = edit_distances(texts.tokens, texts.offsets, encoded.references, encoded.paired_hypotheses)
        return np.asarray(edits == 0, dtype=np.int32)[:, None]

    def pair_scores(self, statistics: Statistics) -> Floats:
        """The same in per cent."""
        return 100 * statistics.astype(np.float64)
