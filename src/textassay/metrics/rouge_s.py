"""ROUGE-S: pairs of words in their order, with a gap between them.

Lin, C.-Y. (2004). ROUGE: A package for automatic evaluation of summaries, section 5. A skip-bigram is two words of a
text in their order with at most `gap` words between them; one counts as often as the text that has it less often has
it. Precision = matches / skip-bigrams of the hypothesis, recall = matches / skip-bigrams of the reference. ROUGE-S4
has a gap of at most 4 (DUC); `rouge-s` takes any, and a negative one means no limit. Paper and ROUGE-1.5.5 agree here;
they differ in ROUGE-SU, which see.

Counts are kept up to 2,147,483,647: without a limit of the gap a text may have 65,536 words, with a gap of 4 some 400
million. Without a limit time grows with words × distinct words, some seconds a pair for texts of 50,000 words.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.skips import skip_matches
from textassay.metrics.rouge import Rouge, RougeSettings, paired_lengths
from textassay.metrics.segments import TextSegments
from textassay.metrics.settings import setting


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
    """How many skip-bigrams texts of so many words have.

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
