"""GTM, the General Text Matcher: the greatest matching of words, with more worth for longer runs.

Turian, J. P., Shen, L., and Melamed, I. D. (2003). Evaluation of machine translation and its evaluation. MT Summit IX,
386-393; Melamed, I. D., Green, R., and Turian, J. P. (2003). Precision and recall of machine translation. HLT-NAACL.
Runs of words in both hypothesis and reference are taken greedily, the longest first, no word twice; of equally
long runs the last in the hypothesis, and there the last in the reference, as in the program GTM 1.4. The maximum match
size is MMS = (Σ lengthᵉ)^(1/e): with e = 1 runs are worth their words, with e = 2 or 3 order counts. Precision = MMS /
words of the hypothesis, recall = MMS / words of the reference, and the value is their harmonic mean F.

Several references are concatenated and no run crosses from one to the next; their length is the mean, and no
more words are matched than the shorter of hypothesis and mean reference has. The corpus score has the sums of MMS and
lengths. Words are what white space parts, case is kept. With one reference and e = 1, F equals ROUGE-1's on the same
words. A text without a word scores 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.kernels.gtm import gtm_sums
from textassay.metrics.contract import Floats, Limits, Metric, Settings, Statistics, setting, tokeniser_setting
from textassay.metrics.scripts_without_spaces import remark_on_tokeniser
from textassay.metrics.segments import EncodedSegments, TextSegments
from textassay.metrics.tokenisers import tokeniser


@dataclass(frozen=True)
class GtmSettings(Settings):
    """What can be chosen for GTM."""

    multi: str = setting("concatenated", sign="multi", choices=("concatenated",))
    """Several references are matched together, as in the program."""
    tokeniser: str = tokeniser_setting("none", "13a", "unicode-words")
    """`none`: words are what white space parts, as in the program."""
    lower: bool = setting(default=False, sign="case", words={True: "lower", False: "mixed"})
    """Whether case is given up."""
    exponent: float = setting(1.0, sign="e", limits=Limits(1))
    """How much a run is worth more than its words: 1 for nothing, 2 or 3 for more."""


class Gtm(Metric):
    """Harmonic mean of precision and recall of the greedy matching.

    >>> from textassay.metrics import score
    >>> pair = ["c d a b"], [["a b c d"]]
    >>> [score("gtm", *pair, exponent=e).segments.round(4).tolist() for e in (1.0, 2.0)]
    [[1.0], [0.7071]]
    """

    name = "gtm"
    Settings = GtmSettings
    settings: GtmSettings
    corpus_is = "pooled"

    def statistics(self, segments: TextSegments) -> Statistics:
        """Maximum match size, words of the hypothesis, mean words of its references."""
        encoded = self._encoded(segments)
        texts, first, exponent = encoded.texts, encoded.first_reference, float(self.settings.exponent)
        sums = gtm_sums(texts.tokens, texts.offsets, encoded.hypotheses, encoded.references, first, exponent)
        words = np.concatenate(([0], np.cumsum(texts.lengths[encoded.references])))
        means = np.diff(words[first]) / np.diff(first)
        return np.stack((sums ** (1 / exponent), texts.lengths[encoded.hypotheses], means), axis=1)

    def segment_scores(self, statistics: Statistics) -> Floats:
        """F for each row."""
        return _scores(statistics)[..., 0]

    def segment_parts(self, statistics: Statistics) -> dict[str, npt.NDArray[Any]]:
        """F, precision, recall and what they are made of."""
        return {
            **dict(zip(("f", "precision", "recall"), _scores(statistics).T, strict=True)),
            **dict(zip(("match_size", "hypothesis_words", "reference_words"), statistics.T, strict=True)),
        }

    def summands(self, statistics: Statistics) -> npt.NDArray[Any]:
        """Match sizes and lengths."""
        return statistics

    def from_sums(self, sums: npt.NDArray[Any], n: int) -> Floats:
        """F from summed match sizes and lengths."""
        del n
        return _scores(sums)[..., 0]

    def corpus_parts(self, sums: npt.NDArray[Any], n: int) -> dict[str, float]:
        """Precision and recall of the whole corpus."""
        del n
        return dict(zip(("precision", "recall"), _scores(sums)[1:].tolist(), strict=True))

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have no words, and how many are cut at spaces that their script does not have."""
        encoded = self._encoded(segments)
        remarks = encoded.empty("hypotheses contain no words and score 0", "references contain no words")
        remedy = "set tokeniser=zh or ja-mecab, or part words by spaces"
        return {**remarks, **remark_on_tokeniser(self.settings.tokeniser, segments, encoded, remedy)}

    def _encoded(self, segments: TextSegments) -> EncodedSegments:
        return segments.tokens(tokeniser(self.settings.tokeniser, lower=self.settings.lower))


def _scores(sums: npt.NDArray[Any]) -> Floats:
    """F, precision and recall from match size and lengths, in the last axis."""
    size, hypothesis, reference = np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0)
    both = hypothesis + reference
    shares = [
        np.divide(a, b, out=np.zeros_like(a), where=b > 0)
        for a, b in ((2 * size, both), (size, hypothesis), (size, reference))
    ]
    return np.stack(shares, axis=-1)
