"""ROUGE-S: pairs of words in their order, with a gap between them; ROUGE-SU: these and single words.

Lin, C.-Y. (2004). ROUGE: A package for automatic evaluation of summaries, section 5. A skip-bigram is two words of a
text in their order with at most `gap` words between them; one counts as often as the text that has it less often has
it. Precision = matches / skip-bigrams of the hypothesis, recall = matches / skip-bigrams of the reference. ROUGE-S4
has a gap of at most 4 (DUC); `rouge-s` takes any, and a negative one means no limit. Paper and ROUGE-1.5.5 agree here.

ROUGE-SU (section 5.3) counts single words as well, so that a text that has all words in another order does not get 0.
By the paper every word counts, as if a mark stood before the text and made a pair with each word. The program
ROUGE-1.5.5 excludes the last word of each text. Both are available (`mode`); most published numbers come from the
program.

Counts are kept up to 2,147,483,647: without a limit of the gap a text may have 65,536 words, with a gap of 4 some 400
million. Without a limit time grows with words × distinct words, some seconds per pair for texts of 50,000 words.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.ngrams import ngram_matches
from textassay.kernels.skips import skip_matches
from textassay.metrics.contract import setting
from textassay.metrics.rouge import Rouge, RougeSettings, paired_lengths
from textassay.metrics.segments import TextSegments
from textassay.metrics.tokens import EncodedTexts


@dataclass(frozen=True)
class RougeSSettings(RougeSettings):
    """What can be chosen for ROUGE-S."""

    gap: int = setting(-1, sign="gap")
    """The most words between the two; no limit if negative."""


class RougeOfGap(Rouge):
    """ROUGE-S for the gap that a subclass says."""

    counts = ("matches", "hypothesis_pairs", "reference_pairs")

    @property
    @abstractmethod
    def gap(self) -> int:
        """The most words between the two; no limit if negative."""

    @property
    def fewest_words(self) -> int:
        """One word alone makes no pair."""
        return 2

    def pair_counts(self, segments: TextSegments) -> tuple[npt.NDArray[np.generic], ...]:
        """Matches, and skip-bigrams of both texts."""
        encoded = self.encoded(segments)
        hypotheses, references = (skip_bigrams(words, self.gap) for words in paired_lengths(encoded))
        texts = encoded.texts
        common = skip_matches(texts.tokens, texts.offsets, encoded.paired_hypotheses, encoded.references, self.gap)
        return common, hypotheses, references


class RougeS(RougeOfGap):
    """F-measure of skip-bigrams.

    >>> from textassay.metrics import score
    >>> score("rouge-s", ["police kill the gunman"], [["police killed the gunman"]]).segments.tolist()
    [0.5]
    """

    name = "rouge-s"
    Settings = RougeSSettings
    settings: RougeSSettings

    @property
    def gap(self) -> int:
        """As the settings have it."""
        return self.settings.gap


class RougeS4(RougeOfGap):
    """F-measure of skip-bigrams with at most four words between the two."""

    name = "rouge-s4"
    gap = 4


def skip_bigrams(words: npt.NDArray[np.int64], gap: int) -> npt.NDArray[np.int64]:
    """The number of skip-bigrams in texts of these lengths.

    Raises:
        DataError: more than can be kept.

    >>> skip_bigrams(np.array([0, 1, 4, 7]), 4).tolist()
    [0, 0, 6, 20]
    """
    reach = np.maximum(words - 1, 0) if gap < 0 else np.clip(words - 1, 0, gap + 1)
    count = reach * words - reach * (reach + 1) // 2
    if count.max(initial=0) > np.iinfo(np.int32).max:
        shown = "any length" if gap < 0 else str(gap)
        raise DataError(
            f"a text of {words.max()} words has {count.max()} skip-bigrams with a gap of {shown}, more than can be "
            "kept; set a smaller gap (rouge-s4 and rouge-su4 have 4), or cut the text"
        )
    return np.asarray(count)


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


def without_last(texts: EncodedTexts, many: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Tokens and offsets of the texts without their last `many` words."""
    if many == 0:
        return texts.tokens, texts.offsets
    lengths = np.maximum(texts.lengths - many, 0)
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    places = np.arange(offsets[-1]) + np.repeat(texts.offsets[:-1] - offsets[:-1], lengths)
    return texts.tokens[places], offsets
