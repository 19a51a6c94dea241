"""Length ratio: how long the hypothesis is for its reference. 1 is as long, and the nearer to 1 the better.

A ratio of one half and one of two are both bad, so correlate people's judgements not with the ratio but with its
nearness (`form=nearness`): the shorter length over the longer one, from 0 to 1.

Over a corpus the lengths are summed first, as in BLEU's brevity penalty. Of several references the one nearest in
length counts, the shorter of two that are equally near, as there; or the mean of their lengths. Where there is nothing
to divide by, the value is the length of the hypothesis, as if the reference had the length 1, and 1 if both are empty.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.metrics.contract import Floats, Metric, Settings, Statistics, setting
from textassay.metrics.edit_distance import UNITS
from textassay.metrics.references import best_rows, group_means
from textassay.metrics.segments import EncodedSegments, TextSegments
from textassay.metrics.tokenisers import tokeniser


@dataclass(frozen=True)
class LengthRatioSettings(Settings):
    """What can be chosen for the length ratio."""

    multi: str = setting("closest", sign="multi", choices=("closest", "mean"))
    """What several references make: the nearest in length, or the mean of their lengths."""
    unit: str = setting("words", sign="unit", choices=UNITS)
    """What is counted: words by white space, or characters, white space inside the text among them."""
    form: str = setting("ratio", sign="form", choices=("ratio", "nearness"))
    """Hypothesis over reference, or the shorter of the two over the longer."""


class LengthRatio(Metric):
    """Length of the hypothesis over that of the reference.

    >>> from textassay.metrics import score
    >>> result = score("length-ratio", ["a cat sat", "no"], [["the cat"], ["no no no", "not"]])
    >>> result.segments.tolist(), result.corpus
    ([1.5, 1.0], 1.3333333333333333)
    >>> score("length-ratio", ["a cat sat", "no"], [["the cat"], ["no no"]], form="nearness").segments.round(4).tolist()
    [0.6667, 0.5]
    """

    name = "length-ratio"
    scale = (0.0, math.inf)
    best = 1.0
    Settings = LengthRatioSettings
    settings: LengthRatioSettings
    corpus_is = "pooled"

    def statistics(self, segments: TextSegments) -> Statistics:
        """Length of the hypothesis and of the reference: float64, since a mean need not be a whole number."""
        encoded = self._encoded(segments)
        lengths, first = encoded.texts.lengths, encoded.first_reference
        hypotheses, references = lengths[encoded.hypotheses], lengths[encoded.references]
        if self.settings.multi == "mean":
            meant = group_means(references[:, None].astype(np.float64), first)[:, 0]
        else:
            # A quarter more, so that of two at the same distance the shorter one is nearer.
            distance = np.abs(references - lengths[encoded.paired_hypotheses] + 0.25)
            meant = references[best_rows(-distance, first)].astype(np.float64)
        return np.stack((hypotheses.astype(np.float64), meant), axis=1)

    def segment_scores(self, statistics: Statistics) -> Floats:
        """The ratio, or its nearness to 1."""
        return self._value(statistics)

    def segment_parts(self, statistics: Statistics) -> dict[str, npt.NDArray[Any]]:
        """Both lengths."""
        return {"hypothesis_length": statistics[:, 0], "reference_length": statistics[:, 1]}

    def summands(self, statistics: Statistics) -> npt.NDArray[Any]:
        """Both lengths."""
        return statistics

    def from_sums(self, sums: npt.NDArray[Any], n: int) -> Floats:
        """The ratio of the sums."""
        del n
        return self._value(sums)

    def corpus_parts(self, sums: npt.NDArray[Any], n: int) -> dict[str, float]:
        """Both sums."""
        del n
        return {"hypothesis_length": float(sums[0]), "reference_length": float(sums[1])}

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts are empty."""
        return self._encoded(segments).empty("hypotheses are empty", "references are empty")

    def _value(self, lengths: npt.NDArray[Any]) -> Floats:
        return _nearness(lengths) if self.settings.form == "nearness" else _ratio(lengths)

    def _encoded(self, segments: TextSegments) -> EncodedSegments:
        return segments.tokens(tokeniser(UNITS[self.settings.unit]))


def _ratio(lengths: npt.NDArray[Any]) -> Floats:
    hypothesis, reference = lengths[..., 0], lengths[..., 1]
    without = np.asarray(np.maximum(hypothesis, 1), dtype=np.float64)
    return np.asarray(np.divide(hypothesis, reference, out=without, where=reference > 0))


def _nearness(lengths: npt.NDArray[Any]) -> Floats:
    shorter, longer = np.asarray(lengths.min(axis=-1), dtype=np.float64), lengths.max(axis=-1)
    return np.asarray(np.divide(shorter, longer, out=np.ones_like(shorter), where=longer > 0))
