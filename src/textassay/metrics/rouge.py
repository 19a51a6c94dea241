"""What all ROUGE metrics share: their settings, and how counts become precision, recall and F.

Lin, C.-Y. (2004). ROUGE: A package for automatic evaluation of summaries. Text Summarization Branches Out, 74-81.
A ROUGE metric counts something that hypothesis and reference have in common. Precision is its share of the hypothesis,
recall its share of the reference, and the value is F = 2·precision·recall / (precision + recall). Where there is
nothing to count, the value is 0, as in ROUGE-1.5.5 and in the package rouge-score. The corpus score is the mean.
Of several references the best is the one with the highest F, as in rouge-score; ROUGE-1.5.5 goes by recall, and unless
told so (`-f B`) pools them, as `multi="pooled"` does.

`stem` is the stemmer of rouge-score. ROUGE-1.5.5 with `-m` first looks into lists of irregular forms ("children",
"women"), and parts "say" from "says", so that a few texts in a hundred have other values there.
"""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.metrics.contract import Floats, Settings, Statistics, setting, tokeniser_setting
from textassay.metrics.one_pair import WordReader, word_reader
from textassay.metrics.references import POLICIES, PairMetric
from textassay.metrics.segments import EncodedSegments, TextSegments
from textassay.metrics.tokenisers import Tokeniser, tokeniser
from textassay.metrics.tokenisers.english import STOP_WORDS
from textassay.metrics.tokenisers.frozen_unicode import lower_case


@dataclass(frozen=True)
class RougeSettings(Settings):
    """What can be chosen for every ROUGE metric."""

    multi: str = setting("best", sign="multi", choices=POLICIES)
    """What several references make: the best by F, the mean, pooled counts, or the jackknife."""
    tokeniser: str = tokeniser_setting("unicode-words", "rouge-score")
    """`unicode-words` for every script; `rouge-score` for the numbers of that package, which drops all but a-z, 0-9."""
    stem: bool = setting(default=False, sign="stem", words={True: "porter", False: "no"})
    """Porter's stemmer, for English words of more than three letters."""
    stop_words: str = setting("kept", sign="stop", holds="kept, textassay-en, or path of a file")
    """Words excluded before stemming: none (`kept`); `textassay-en`, a list of English function words of this package
    that is not the list of ROUGE-1.5.5; or those of a file, given by its path, one word per line, whose SHA-256 begins
    with the digits in the signature."""

    def signature_fields(self) -> dict[str, str]:
        """As always, with the name of the list of stop words, or the digest of its file."""
        return {**super().signature_fields(), "stop": stop_list(self.stop_words).sign}


class StopList(NamedTuple):
    """Words to exclude."""

    words: frozenset[str]
    sign: str
    """For signatures."""


@cache
def stop_list(chosen: str) -> StopList:
    """The list that a setting names; a file is read once.

    Raises:
        UsageError: neither a list nor a file that can be read.

    >>> stop_list("kept").words, "the" in stop_list("textassay-en").words
    (frozenset(), True)
    """
    if chosen == "kept":
        return StopList(frozenset(), chosen)
    if chosen == "textassay-en":
        return StopList(STOP_WORDS, chosen)
    try:
        content = Path(chosen).read_bytes()
        words = content.decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"stop_words is {chosen!r}; choose kept, textassay-en, or a UTF-8 file with one word per line ({error})"
        ) from error
    found = frozenset(lower_case(word.strip()) for word in words if word.strip())
    return StopList(found, f"sha256-{hashlib.sha256(content).hexdigest()[:12]}")


class Rouge(PairMetric):
    """Base of the ROUGE metrics: three columns of counts, what is common first, to F, precision and recall."""

    Settings = RougeSettings
    settings: RougeSettings
    scores = ("f", "precision", "recall")

    @property
    def fewest_words(self) -> int:
        """A text with fewer words scores 0."""
        return 1

    @abstractmethod
    def pair_counts(self, segments: TextSegments) -> tuple[npt.NDArray[np.generic], ...]:
        """For each pair: what is common, what the hypothesis has, what the reference has."""

    def pair_statistics(self, segments: TextSegments) -> Statistics:
        """The counts as columns."""
        return np.stack(self.pair_counts(segments), axis=1).astype(np.int32, copy=False)

    def pair_scores(self, statistics: Statistics) -> Floats:
        """F, precision and recall; 0 where there is nothing in common, also for want of words."""
        common, hypothesis, reference = statistics.T.astype(np.float64)
        return scores_of(
            common / np.where(hypothesis > 0, hypothesis, 1), common / np.where(reference > 0, reference, 1)
        )

    def counts_of_pair(self, hypothesis: str, reference: str) -> tuple[int, int, int] | None:
        """The counts of one pair of texts; None where a metric has no quick way to them."""
        del hypothesis, reference
        return None

    def pair_value(self, hypothesis: str, reference: str) -> float | None:
        """F of one pair."""
        counts = self.counts_of_pair(hypothesis, reference)
        if counts is None:
            return None
        common, ours, theirs = counts
        if common == 0:
            return 0.0
        precision, recall = common / ours, common / theirs
        return 2 * precision * recall / (precision + recall)

    @cached_property
    def words(self) -> WordReader:
        """The words of one text."""
        return word_reader(self.tokeniser())

    def summands(self, statistics: Statistics) -> Floats:
        """All three scores, whose means are those of the corpus."""
        return self._scores(statistics)

    def corpus_parts(self, sums: npt.NDArray[np.float64], n: int) -> dict[str, float]:
        """Mean precision and recall."""
        return dict(zip(self.scores[1:], (sums[1:] / n).tolist(), strict=True))

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have too few words."""
        encoded = self.encoded(segments)
        return self.short_texts(encoded.texts.lengths[encoded.hypotheses], encoded.texts.lengths[encoded.references])

    def short_texts(self, hypotheses: npt.NDArray[np.int64], references: npt.NDArray[np.int64]) -> dict[str, int]:
        """The remarks, from the texts' numbers of words."""
        few = "no words" if self.fewest_words == 1 else f"fewer than {self.fewest_words} words"
        return {
            f"hypotheses contain {few} and score 0": int((hypotheses < self.fewest_words).sum()),
            f"references contain {few}": int((references < self.fewest_words).sum()),
        }

    def tokeniser(self) -> Tokeniser:
        """As the settings have it."""
        chosen = self.settings
        return tokeniser(chosen.tokeniser, stem=chosen.stem, stop_words=stop_list(chosen.stop_words).words)

    def encoded(self, segments: TextSegments) -> EncodedSegments:
        """The texts as integers."""
        return segments.tokens(self.tokeniser())


def scores_of(precision: Floats, recall: Floats) -> Floats:
    """F, precision and recall as columns.

    >>> scores_of(np.array([0.5, 0.0]), np.array([1.0, 0.0])).round(4).tolist()
    [[0.6667, 0.5, 1.0], [0.0, 0.0, 0.0]]
    """
    both = precision + recall
    f = np.divide(2 * precision * recall, both, out=np.zeros_like(both), where=both > 0)
    return np.stack((f, precision, recall), axis=1)


def paired_lengths(encoded: EncodedSegments) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Words of hypothesis and reference for each pair."""
    lengths = encoded.texts.lengths
    return lengths[encoded.paired_hypotheses], lengths[encoded.references]
