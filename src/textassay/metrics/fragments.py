"""How much of a summary is copied from its source: coverage, density and compression.

Grusky, M., Naaman, M. & Artzi, Y. (2018). Newsroom: A dataset of 1.3 million summaries with diverse extractive
strategies. NAACL-HLT, 708-719. Fragments are runs of words that summary and source share, found greedily from the
left: of all places in the source where the next word of the summary is, the one that matches the most words in a row
(the first of equals); as in the paper, a search goes on after the end of each match. Coverage is the share of the
summary's words in fragments, density the mean length of the fragment that a word is in (the sum of squared lengths over
the words), compression the words of the source for each word of the summary. Over a corpus all three are means.

Values equal those of the authors' package `newsroom` for the same tokens; it cuts texts by spaCy, here `13a` is usual.
A summary without words has 0. High coverage is neither good nor bad in itself; for order only, higher counts as better.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.metrics.contract import Floats, Metric, Settings, Statistics, setting, tokeniser_setting
from textassay.metrics.segments import EncodedSegments, TextSegments
from textassay.metrics.tokenisers import tokeniser


@dataclass(frozen=True)
class FragmentSettings(Settings):
    """What can be chosen for all three."""

    tokeniser: str = tokeniser_setting("13a", "intl", "unicode-words", "none")
    """What words are; `none` for texts whose tokens are already separated by spaces."""
    lowercase: bool = setting(default=True, sign="case", words={True: "lc", False: "mixed"})
    """Whether case is given up."""


class _Fragments(Metric):
    """What the three have in common: they compare each text with its source."""

    needs_references = False
    needs_sources = True
    scale = (0.0, math.inf)
    Settings = FragmentSettings
    settings: FragmentSettings
    part: str
    """What is divided."""
    per: str = "summary_words"
    """By what."""

    @abstractmethod
    def divided(self, segments: TextSegments) -> Floats:
        """What is divided by the words of the summary."""

    def statistics(self, segments: TextSegments) -> Statistics:
        """What is divided, and the words of the summary."""
        encoded = self._encoded(segments)
        words = encoded.texts.lengths[encoded.hypotheses]
        return np.column_stack([self.divided(segments), words]).astype(np.float64)

    def segment_scores(self, statistics: Statistics) -> Floats:
        """The quotient; 0 for a summary without words."""
        part, words = statistics.T
        return np.asarray(np.divide(part, words, out=np.zeros(len(words)), where=words > 0))

    def segment_parts(self, statistics: Statistics) -> dict[str, npt.NDArray[Any]]:
        """Both numbers."""
        return {self.part: statistics[:, 0], self.per: statistics[:, 1]}

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have no words."""
        encoded = self._encoded(segments)
        without = encoded.texts.lengths == 0
        return {
            "hypotheses contain no words and score 0": int(without[encoded.hypotheses].sum()),
            "sources contain no words": int(without[encoded.sources].sum()),
        }

    def _encoded(self, segments: TextSegments) -> EncodedSegments:
        return segments.tokens(tokeniser(self.settings.tokeniser, lower=self.settings.lowercase), sources=True)

    def _lengths(self, segments: TextSegments) -> list[list[int]]:
        """The lengths of the fragments of each summary."""
        encoded = self._encoded(segments)
        tokens, offsets = encoded.texts.tokens.tolist(), encoded.texts.offsets.tolist()
        return [
            fragment_lengths(
                tokens[offsets[summary] : offsets[summary + 1]], tokens[offsets[source] : offsets[source + 1]]
            )
            for summary, source in zip(encoded.hypotheses.tolist(), encoded.sources.tolist(), strict=True)
        ]


class FragmentCoverage(_Fragments):
    """Extractive fragment coverage: share of a summary's words in runs copied from its source.

    >>> from textassay.metrics import score
    >>> score("fragment-coverage", ["the cat slept well"], sources=["today the cat slept on the mat"]).corpus
    0.75
    """

    name = "fragment-coverage"
    scale = (0.0, 1.0)
    part = "copied_words"

    def divided(self, segments: TextSegments) -> Floats:
        """Words in fragments."""
        return np.array([sum(lengths) for lengths in self._lengths(segments)], dtype=np.float64)


class FragmentDensity(_Fragments):
    """Extractive fragment density: mean length of the copied run that a word of the summary is in.

    >>> from textassay.metrics import score
    >>> score("fragment-density", ["the cat slept well"], sources=["today the cat slept on the mat"]).corpus
    2.25
    """

    name = "fragment-density"
    part = "squared_lengths"

    def divided(self, segments: TextSegments) -> Floats:
        """Squared lengths of fragments."""
        sums = [sum(length * length for length in lengths) for lengths in self._lengths(segments)]
        return np.array(sums, dtype=np.float64)


class SummaryCompression(_Fragments):
    """Compression of a summary: words of the source for each word of the summary.

    >>> from textassay.metrics import score
    >>> score("summary-compression", ["the cat slept well"], sources=["today the cat slept on the mat"]).corpus
    1.75
    """

    name = "summary-compression"
    part = "source_words"

    def divided(self, segments: TextSegments) -> Floats:
        """Words of the source."""
        encoded = self._encoded(segments)
        return encoded.texts.lengths[encoded.sources].astype(np.float64)


def fragment_lengths(summary: list[int], source: list[int]) -> list[int]:
    """The lengths of the fragments, from the left.

    >>> fragment_lengths([1, 2, 3, 9, 1], [1, 0, 1, 2, 3])
    [3, 1]
    """
    places: dict[int, list[int]] = {}
    for place, word in enumerate(source):
        places.setdefault(word, []).append(place)
    found = []
    start = 0
    while start < len(summary):
        longest = searched = 0
        for place in places.get(summary[start], ()):
            if place < searched:  # inside the match before
                continue
            length = 1
            most = min(len(summary) - start, len(source) - place)
            while length < most and summary[start + length] == source[place + length]:
                length += 1
            longest, searched = max(longest, length), place + length
        if longest:
            found.append(longest)
        start += longest or 1
    return found
