"""Length of texts in words, characters or sentences; over a corpus the mean. It says nothing of quality.

Words are what white space separates; characters include white space inside the text; sentences are lines, or found by
the rules of a language (package sentencex).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from textassay.metrics.contract import Floats, Metric, Settings, Statistics, setting
from textassay.metrics.edit_distance import UNITS
from textassay.metrics.segments import TextSegments
from textassay.metrics.sentences import sentence_splitter
from textassay.metrics.tokenisers import tokeniser


@dataclass(frozen=True)
class LengthSettings(Settings):
    """What can be chosen for the length."""

    unit: str = setting("words", sign="unit", choices=(*UNITS, "sentences", "lines"))
    """What is counted."""
    language: str = setting("en", sign="lang", holds="code of a language")
    """By whose rules sentences are found, as a code such as `de`."""


class Length(Metric):
    """Length of a text.

    >>> from textassay.metrics import score
    >>> score("length", ["the cat sat", "no"]).corpus
    2.0
    >>> score("length", ["It rained. We stayed at home."], unit="sentences").segments.tolist()
    [2.0]
    """

    name = "length"
    needs_references = False
    scale = (0.0, math.inf)
    Settings = LengthSettings
    settings: LengthSettings

    def statistics(self, segments: TextSegments) -> Statistics:
        """One count per text."""
        unit = self.settings.unit
        if unit in UNITS:
            encoded = segments.tokens(tokeniser(UNITS[unit]))
            return encoded.texts.lengths[encoded.hypotheses][:, None].astype(np.int32)
        split = sentence_splitter("newline" if unit == "lines" else "split", self.settings.language)
        counts = [sum(1 for sentence in split(text) if sentence.strip()) for text in segments.hypotheses]
        return np.array(counts, dtype=np.int32).reshape(-1, 1)

    def segment_scores(self, statistics: Statistics) -> Floats:
        """The counts."""
        return statistics[:, 0].astype(np.float64)

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts are empty."""
        return {"hypotheses are empty": sum(not text.strip() for text in segments.hypotheses)}
