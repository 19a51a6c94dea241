"""WER and CER: the error rates of words and of characters.

Rate = (substitutions + deletions + insertions) / length of the reference, for the alignment with the fewest of them;
over a corpus both are summed first. The rate may exceed 1. With several references the one with the lowest rate counts,
or the mean of all. All rates and counts equal those of the package jiwer 4 (which leaves its rule for choosing among
equally good alignments, and with it the shares of substitutions, deletions and insertions, on pairs of texts whose
lengths multiply to more than four million).

An empty reference counts as one of length 1, so that each word inserted is one error and the value is 0 only if the
hypothesis is empty as well: that is what jiwer gives, and unlike a fixed value it grows with what was made up. Summed
over a corpus the edits with an empty reference count and its length does not.

Words are what white space separates. jiwer separates them at spaces, and at other white space only where two or more
characters of it come together; here a single tab, line break or no-break space separates words as well. For CER white
space inside a text is a character.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from textassay.kernels.edits import distance_of, string_edit_counts, string_edits
from textassay.metrics.contract import Floats, Settings, setting
from textassay.metrics.one_pair import WordReader, word_reader
from textassay.metrics.references import PooledMetric
from textassay.metrics.scripts_without_spaces import remark_on_scripts
from textassay.metrics.segments import TextSegments
from textassay.metrics.tokenisers import tokeniser
from textassay.text_block import OneEach


@dataclass(frozen=True)
class ErrorRateSettings(Settings):
    """What can be chosen for an error rate."""

    multi: str = setting("best", sign="multi", choices=("best", "mean"))
    """What several references make: the lowest rate, or the mean of the rates."""
    lowercase: bool = setting(default=False, sign="case", words={True: "lc", False: "mixed"})
    """Whether case is given up."""


class ErrorRate(PooledMetric):
    """Base of WER and CER."""

    scale = (0.0, math.inf)
    higher_is_better = False
    Settings = ErrorRateSettings
    settings: ErrorRateSettings

    words: ClassVar[bool]
    """Whether words by white space are counted; else characters, without white space at the ends."""

    def count_names(self) -> tuple[str, ...]:
        """The kinds of edits, and what needs none."""
        return ("hits", "substitutions", "deletions", "insertions")

    def score_names(self) -> tuple[str, ...]:
        """The rate alone."""
        return (self.name,)

    def pair_counts(self, segments: TextSegments) -> npt.NDArray[np.int32]:
        """Hits, substitutions, deletions, insertions."""
        words, lower = self.words, self.settings.lowercase
        return segments.once(
            ("edit counts", words, lower),
            lambda: string_edit_counts(*segments.string_pairs(lower=lower), words=words),
        )

    def quick_scores(self, segments: TextSegments) -> tuple[Floats, float] | None:
        """All rates from distances, where each hypothesis has one reference: kinds of edits take longer."""
        if not isinstance(segments.references, OneEach) or self.multi != "best":
            return None
        found = string_edits(*segments.string_pairs(lower=self.settings.lowercase), words=self.words)
        edits, lengths = found[:, 0], found[:, 1]
        corpus = edits.sum(dtype=np.int64) / max(lengths.sum(dtype=np.int64), 1)
        return np.asarray(edits / np.maximum(lengths, 1)), float(corpus)

    def count_scores(self, counts: npt.NDArray[Any], *, corpus: bool) -> Floats:
        """Edits over the length of the reference."""
        del corpus
        hits, substitutions, deletions, insertions = counts.T.astype(np.float64)
        edits = substitutions + deletions + insertions
        return np.asarray(edits / np.maximum(hits + substitutions + deletions, 1))[:, None]

    def pair_value(self, hypothesis: str, reference: str) -> float:
        """Edits over the length of the reference."""
        theirs = self._words(reference)
        return distance_of(theirs, self._words(hypothesis)) / max(len(theirs), 1)

    @cached_property
    def _words(self) -> WordReader:
        unit = "none" if self.words else "characters-and-spaces"
        return word_reader(tokeniser(unit, lower=self.settings.lowercase))

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts are empty, and how many are cut at spaces that their script does not have."""
        hits, substitutions, deletions, insertions = self.pair_counts(segments).T
        lengths = (hits + substitutions + insertions)[segments.first_reference[:-1]]
        remarks = {
            "hypotheses are empty": int((lengths == 0).sum()),
            "references are empty; each insertion there counts as one error in one": int(
                (hits + substitutions + deletions == 0).sum()
            ),
        }
        if self.words:
            remarks |= remark_on_scripts(segments.hypotheses, lengths, "use cer, or part words by spaces")
        return remarks


class Wer(ErrorRate):
    """Substituted, deleted and inserted words over the words of the reference.

    >>> from textassay.metrics import score
    >>> result = score("wer", ["b c d", "the cat sat"], [["a"], ["the cat", "a cat sat down"]])
    >>> result.segments.tolist(), result.corpus
    ([3.0, 0.5], 1.3333333333333333)
    >>> {kind: int(count) for kind, count in result.corpus_parts.items()}
    {'hits': 2, 'substitutions': 1, 'deletions': 0, 'insertions': 3}
    """

    name = "wer"
    words = True


class Cer(ErrorRate):
    """Substituted, deleted and inserted characters over the characters of the reference.

    >>> from textassay.metrics import score
    >>> score("cer", ["the cat sat"], [["the mat sat "]]).segments.round(4).tolist()
    [0.0909]
    """

    name = "cer"
    words = False
