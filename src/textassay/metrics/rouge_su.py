"""ROUGE-SU: skip-bigrams as in ROUGE-S, and single words as well.

Lin, C.-Y. (2004). ROUGE: A package for automatic evaluation of summaries, section 5.3. Single words count so that a
text that has all words in another order does not get 0. By the paper every word counts, as if a mark stood before the
text and made a pair with each word. The program ROUGE-1.5.5 leaves out the last word of each text. Both are named
(`mode`); most published numbers come from the program. Limits as in ROUGE-S.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.kernels.ngrams import ngram_matches
from textassay.metrics.rouge import RougeSettings, paired_lengths
from textassay.metrics.rouge_s import RougeOfGap
from textassay.metrics.segments import TextSegments
from textassay.metrics.settings import setting
from textassay.metrics.tokens import Encoded


@dataclass(frozen=True)
class RougeSU4Settings(RougeSettings):
    """What can be chosen for ROUGE-SU4."""

    mode: str = setting("1.5.5", sign="mode", choices=("1.5.5", "paper"))
    """Which single words count: all but a text's last one as in ROUGE-1.5.5, or all as in the paper."""


@dataclass(frozen=True)
class RougeSUSettings(RougeSU4Settings):
    """What can be chosen for ROUGE-SU."""

    gap: int = setting(-1, sign="gap")
    """The most words between the two of a pair; no limit if negative."""


class RougeOfGapWithWords(RougeOfGap):
    """ROUGE-SU for the gap that a subclass says."""

    Settings = RougeSU4Settings
    settings: RougeSU4Settings

    @property
    def left_out(self) -> int:
        """How many words at a text's end do not count as single words."""
        return 1 if self.settings.mode == "1.5.5" else 0

    @property
    def fewest_words(self) -> int:
        """A shorter text has neither pairs nor words that count."""
        return 1 + self.left_out

    def pair_counts(self, segments: TextSegments) -> tuple[npt.NDArray[np.generic], ...]:
        """Matches, and skip-bigrams and words of both texts."""
        encoded = self.encoded(segments)
        tokens, offsets = without_last(encoded.texts, self.left_out)
        pairs = np.arange(len(encoded.references) + 1)
        matches = ngram_matches(tokens, offsets, encoded.paired_hypotheses, encoded.references, pairs, 1)[:, 0]
        hypotheses, references = (np.maximum(words - self.left_out, 0) for words in paired_lengths(encoded))
        of_pairs = super().pair_counts(segments)
        return tuple(np.add(*both) for both in zip(of_pairs, (matches, hypotheses, references), strict=True))


class RougeSU(RougeOfGapWithWords):
    """F-measure of single words and skip-bigrams.

    >>> from textassay.metrics import score
    >>> backwards = ["gunman the killed police"], [["police killed the gunman"]]
    >>> score("rouge-su", *backwards, mode="paper").segments.round(4).tolist()
    [0.4]
    """

    name = "rouge-su"
    Settings = RougeSUSettings
    settings: RougeSUSettings

    @property
    def gap(self) -> int:
        """As the settings have it."""
        return self.settings.gap


class RougeSU4(RougeOfGapWithWords):
    """F-measure of single words and of skip-bigrams with at most four words between the two.

    >>> from textassay.metrics import score
    >>> pair = ["police kill the gunman"], [["police killed the gunman"]]
    >>> [score("rouge-su4", *pair, mode=mode).segments.round(4).tolist() for mode in ("1.5.5", "paper")]
    [[0.5556], [0.6]]
    """

    name = "rouge-su4"
    gap = 4


def without_last(texts: Encoded, many: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Tokens and offsets of the texts without their last `many` words."""
    if many == 0:
        return texts.tokens, texts.offsets
    lengths = np.maximum(texts.lengths - many, 0)
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    places = np.arange(offsets[-1]) + np.repeat(texts.offsets[:-1] - offsets[:-1], lengths)
    return texts.tokens[places], offsets
