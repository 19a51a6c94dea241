"""String edit distance, and the similarity that comes from it.

Levenshtein, V. (1966). Binary codes capable of correcting deletions, insertions, and reversals. The distance d is the
least number of substitutions, deletions and insertions. Normalised it is d / (length of the longer text), from 0 for
equal texts to 1 for texts with nothing in common; the similarity is 1 minus that. Cahill (2009, "Correlating human and
automatic evaluation of a German surface realiser") reports string edit distance as a similarity that is 1 for equal
strings. The corpus score is the mean; for edits pooled over a corpus see `wer` and `cer`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from textassay.kernels.edits import distance_of, string_edits
from textassay.metrics.contract import Floats, Settings, Statistics, setting
from textassay.metrics.one_pair import WordReader, word_reader
from textassay.metrics.references import PairMetric
from textassay.metrics.segments import TextSegments
from textassay.metrics.tokenisers import Tokeniser, tokeniser

UNITS = {"characters": "characters-and-spaces", "words": "none"}
"""What is edited, with its tokeniser."""


@dataclass(frozen=True)
class EditSimilaritySettings(Settings):
    """What can be chosen for the similarity."""

    multi: str = setting("best", sign="multi", choices=("best", "mean"))
    """What several references make: the nearest, or the mean."""
    unit: str = setting("characters", sign="unit", choices=UNITS)
    """What is edited: characters, white space inside the text among them, or words by white space."""
    lowercase: bool = setting(default=False, sign="case", words={True: "lc", False: "mixed"})
    """Whether case is given up."""


@dataclass(frozen=True)
class EditDistanceSettings(EditSimilaritySettings):
    """What can be chosen for the distance."""

    form: str = setting("raw", sign="form", choices=("raw", "normalised"))
    """The number of edits, or that number over the length of the longer text."""


class EditSimilarity(PairMetric):
    """1 − edits / length of the longer text.

    >>> from textassay.metrics import score
    >>> score("edit-similarity", ["Die Katze sass", "ja"], [["Die Katze saß"], ["ja"]]).segments.round(4).tolist()
    [0.8571, 1.0]
    """

    name = "edit-similarity"
    Settings: ClassVar[type[EditSimilaritySettings]] = EditSimilaritySettings
    settings: EditSimilaritySettings
    counts = ("edits", "hypothesis_length", "reference_length")
    scores = ("similarity",)

    def pair_statistics(self, segments: TextSegments) -> npt.NDArray[np.int32]:
        """Edits and the length of both texts."""
        words, lower = self.settings.unit == "words", self.settings.lowercase
        return segments.once(
            ("edits", words, lower),
            lambda: string_edits(*segments.string_pairs(lower=lower)[::-1], words=words),
        )

    def pair_scores(self, statistics: Statistics) -> Floats:
        """The similarity; two empty texts are equal."""
        return 1 - _normalised(statistics)

    def quick_scores(self, segments: TextSegments) -> tuple[Floats, float] | None:
        """All scores without remarks."""
        return self._scores_of_one_chunk(segments)

    def pair_value(self, hypothesis: str, reference: str) -> float:
        """The same for one pair."""
        ours, theirs = self._words(hypothesis), self._words(reference)
        return self._value(distance_of(theirs, ours), max(len(ours), len(theirs), 1))

    def _value(self, edits: int, longer: int) -> float:
        return 1 - edits / longer

    @cached_property
    def _words(self) -> WordReader:
        return word_reader(self._tokeniser())

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts are empty."""
        _, hypotheses, references = self.pair_statistics(segments).T
        first = segments.first_reference[:-1]
        return {
            "hypotheses are empty": int((hypotheses[first] == 0).sum()),
            "references are empty": int((references == 0).sum()),
        }

    def _tokeniser(self) -> Tokeniser:
        return tokeniser(UNITS[self.settings.unit], lower=self.settings.lowercase)


class EditDistance(EditSimilarity):
    """Edits that make the reference of the hypothesis.

    >>> from textassay.metrics import score
    >>> score("edit-distance", ["kitten"], [["sitting"]]).segments.tolist()
    [3.0]
    >>> score("edit-distance", ["a cat sat"], [["the cat sat"]], unit="words", form="normalised").corpus
    0.3333333333333333
    """

    name = "edit-distance"
    scale = (0.0, math.inf)
    higher_is_better = False
    Settings = EditDistanceSettings
    settings: EditDistanceSettings
    scores = ("distance",)

    def pair_scores(self, statistics: Statistics) -> Floats:
        """Edits, or edits over the length of the longer text."""
        return _normalised(statistics) if self.settings.form == "normalised" else statistics[:, :1].astype(np.float64)

    def _value(self, edits: int, longer: int) -> float:
        return edits / longer if self.settings.form == "normalised" else float(edits)


def _normalised(statistics: Statistics) -> Floats:
    return np.asarray(statistics[:, :1] / np.maximum(statistics[:, 1:].max(axis=1, keepdims=True), 1))
