"""Distinct-n and the type-token ratio: the share of a system's n-grams, or words, that are different.

Li, J., Galley, M., Brockett, C., Gao, J. & Dolan, B. (2016). A diversity-promoting objective function for neural
conversation models. NAACL-HLT, 110-119. Distinct-n = different n-grams / all n-grams of the whole output (Li et al.
divide by the number of words: `per="words"`); n-grams do not cross from one text to the next. The type-token ratio is
distinct-1. Both fall with the length of the output, since words come back: compare outputs of about equal length only.
With `level="text"` each text has a ratio of its own, and the corpus score is their mean.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from textassay.metrics.contract import Floats, Limits, Settings, Statistics, setting, tokeniser_setting
from textassay.metrics.ngram_places import ngram_places
from textassay.metrics.nist import NgramCounts
from textassay.metrics.segments import EncodedSegments, TextSegments
from textassay.metrics.tokenisers import tokeniser
from textassay.metrics.whole_output import WholeOutputMetric, WholeValue


@dataclass(frozen=True)
class DiversitySettings(Settings):
    """What can be chosen for the type-token ratio."""

    level: str = setting("output", sign="level", choices=("output", "text"))
    """Different n-grams of all texts together, or those of each text, averaged."""
    tokeniser: str = tokeniser_setting("unicode-words", "13a", "char", "none")
    """`unicode-words` drops punctuation and case; `none` separates by white space only; the others are BLEU's."""
    lowercase: bool = setting(default=False, sign="case", words={True: "lc", False: "mixed"})
    """Whether case is given up, where the tokeniser keeps it."""


@dataclass(frozen=True)
class DistinctSettings(DiversitySettings):
    """What can be chosen for distinct-n."""

    order: int = setting(2, sign="n", limits=Limits(1))
    """How many words an n-gram has."""
    per: str = setting("ngrams", sign="per", choices=("ngrams", "words"))
    """What the different n-grams are divided by."""


class TypeTokenRatio(WholeOutputMetric):
    """Type-token ratio: different words over words.

    >>> from textassay.metrics import score
    >>> score("type-token-ratio", ["the cat sat", "The cat ran"]).corpus
    0.6666666666666666
    """

    name: ClassVar[str] = "type-token-ratio"
    Settings: ClassVar[type[Settings]] = DiversitySettings
    settings: DiversitySettings

    @property
    def order(self) -> int:
        """Words."""
        return 1

    @property
    def per_words(self) -> bool:
        """For words it is the same."""
        return False

    @property
    def has_segment_scores(self) -> bool:
        """Where each text is looked at alone."""
        return self.settings.level == "text"

    @property
    def can_be_resampled(self) -> bool:
        """Where each text is looked at alone."""
        return self.settings.level == "text"

    def survey(self, segments: TextSegments) -> tuple[NgramCounts, int] | None:
        """The n-grams of a chunk, and how many words it has."""
        if self.settings.level == "text":
            return None
        encoded = self._encoded(segments)
        words = int(encoded.texts.lengths[encoded.hypotheses].sum())
        return NgramCounts.of(encoded.texts, encoded.hypotheses, self.order), words

    def whole_value(self, surveys: Sequence[tuple[NgramCounts, int] | None]) -> WholeValue:
        """Different n-grams over all; nan where there is none."""
        seen = [survey for survey in surveys if survey is not None]
        counts = NgramCounts.merged([grams for grams, _ in seen], self.order).orders[-1].counts
        total = sum(words for _, words in seen) if self.per_words else int(counts.sum())
        parts = {"distinct": len(counts), "total": total}
        return WholeValue(len(counts) / total if total else math.nan, parts)

    def statistics(self, segments: TextSegments) -> Statistics:
        """Different n-grams of each text and what they are divided by."""
        encoded, n = self._encoded(segments), len(segments)
        *_, grams = ngram_places(encoded.texts, encoded.hypotheses, self.order)
        distinct = np.bincount(grams.counts().text, minlength=n)
        words = encoded.texts.lengths[encoded.hypotheses]
        total = words if self.per_words else np.maximum(words - self.order + 1, 0)
        return np.column_stack([distinct, total]).astype(np.int32)

    def segment_scores(self, statistics: Statistics) -> Floats:
        """The ratio of each text, where each is looked at alone."""
        if not self.has_segment_scores:
            return super().segment_scores(statistics)
        distinct, total = statistics.T.astype(np.float64)
        return np.asarray(np.divide(distinct, total, out=np.zeros(len(total)), where=total > 0))

    def segment_parts(self, statistics: Statistics) -> dict[str, npt.NDArray[Any]]:
        """Counts of each text."""
        return {"distinct": statistics[:, 0], "total": statistics[:, 1]}

    def summands(self, statistics: Statistics) -> npt.NDArray[Any]:
        """The ratios where they are averaged; else nothing, for different n-grams do not add up."""
        return self.segment_scores(statistics)[:, None] if self.has_segment_scores else statistics[:, :1] * 0.0

    def from_sums(self, sums: npt.NDArray[Any], n: int) -> Floats:
        """The mean ratio, or that of all texts together."""
        return np.asarray(sums[..., 0] / n) if self.has_segment_scores else super().from_sums(sums, n)

    def corpus_parts(self, sums: npt.NDArray[Any], n: int) -> dict[str, float]:
        """Counts of all texts together."""
        return {} if self.has_segment_scores else super().corpus_parts(sums, n)

    def signature_fields(self, nrefs: str) -> dict[str, str]:
        """As always; averaged ratios are a mean."""
        corpus = {"corpus": "mean"} if self.has_segment_scores else {}
        return {**super().signature_fields(nrefs), **corpus}

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts are too short for an n-gram."""
        encoded = self._encoded(segments)
        short = encoded.texts.lengths[encoded.hypotheses] < self.order
        return {f"hypotheses contain fewer than {self.order} words": int(short.sum())}

    def _encoded(self, segments: TextSegments) -> EncodedSegments:
        return segments.tokens(tokeniser(self.settings.tokeniser, lower=self.settings.lowercase))


class DistinctN(TypeTokenRatio):
    """Distinct-n: different n-grams of all texts over all their n-grams.

    >>> from textassay.metrics import score
    >>> result = score("distinct-n", ["a b c", "a b d"])
    >>> result.corpus, result.corpus_parts
    (0.75, {'distinct': 3, 'total': 4})
    """

    name = "distinct-n"
    Settings = DistinctSettings
    settings: DistinctSettings

    @property
    def order(self) -> int:
        """As the settings have it."""
        return self.settings.order

    @property
    def per_words(self) -> bool:
        """As the settings have it."""
        return self.settings.per == "words"
