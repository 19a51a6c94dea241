"""Self-BLEU: how much each text of a system repeats the others. The lower, the more diverse.

Zhu, Y., Lu, S., Zheng, L. et al. (2018). Texygen: A benchmarking platform for text generation models. SIGIR, 1097-1100.
The BLEU of each text with all other texts of the output as its references, averaged. An order without a match counts a
tenth of a match (`smoothing_value`), as in Texygen, which uses NLTK's method 1; a text without a matching word has 0.
Values equal those of NLTK's `sentence_bleu` for the same tokens: there a text too short for an order has one n-gram of
it, without a match; `short="excluded"` omits such orders, as sacreBLEU's sentence BLEU does. Texygen takes 500 texts at
random; here all are taken, which costs no more time than counting their n-grams.

The highest count of an n-gram among the others is the highest of all, or the second highest for a text that has the
highest: two numbers for each n-gram are enough, whatever the number of texts.

Each text has a score, but resampling them means nothing: a text drawn twice would find itself among the others.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.kernels.arguments import Int64
from textassay.metrics.contract import Floats, Limits, Metric, Settings, Statistics, setting, tokeniser_setting
from textassay.metrics.ngram_places import NgramPlaces, ngram_places
from textassay.metrics.segments import TextSegments
from textassay.metrics.tokenisers import tokeniser
from textassay.metrics.tokens import Encoder


@dataclass(frozen=True)
class SelfBleuSettings(Settings):
    """What can be chosen for self-BLEU."""

    tokeniser: str = tokeniser_setting("13a", "intl", "char", "none")
    """As in BLEU; `none` for texts whose tokens are already separated by spaces."""
    lowercase: bool = setting(default=False, sign="case", words={True: "lc", False: "mixed"})
    """Whether case is given up."""
    max_order: int = setting(4, sign="order", limits=Limits(1))
    """The longest n-grams."""
    smoothing_value: float = setting(0.1, sign="floor", limits=Limits(0, 1))
    """What an order without a match counts; 0 for no smoothing."""
    short: str = setting("unmatched", sign="short", choices=("unmatched", "excluded"))
    """What becomes of orders that a text is too short for: one n-gram without a match, as in NLTK, or nothing."""


class SelfBleu(Metric):
    """Self-BLEU: mean BLEU of each text with the other texts of the output as references.

    >>> from textassay.metrics import score
    >>> score("self-bleu", ["a b c d e", "a b c d f", "x y z"]).segments.round(4).tolist()
    [0.6687, 0.6687, 0.0]
    """

    name = "self-bleu"
    needs_references = False
    higher_is_better = False
    Settings = SelfBleuSettings
    settings: SelfBleuSettings
    two_passes = True

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._counts: dict[str, Int64] | None = None

    @property
    def can_be_resampled(self) -> bool:
        """A text drawn twice would find itself among the others."""
        return False

    def survey(self, segments: TextSegments) -> list[str]:
        """The texts."""
        return list(segments.hypotheses)

    def with_survey(self, surveys: Sequence[list[str]]) -> Self:
        """A metric that has counted the matches of every text with all others."""
        texts = [text for survey in surveys for text in survey]
        counts = self._matches(texts)
        knowing = copy.copy(self)
        knowing._counts = dict(zip(texts, counts, strict=True))  # noqa: SLF001 -- equal texts have equal counts
        return knowing

    def statistics(self, segments: TextSegments) -> Statistics:
        """Matches and n-grams of each order, words, and words of the other text that is closest in length."""
        if self._counts is None:
            raise UsageError(
                "self-bleu needs to see all texts first; call survey for each chunk and with_survey, or use score()"
            )
        columns = 2 * self.settings.max_order + 2
        rows = [self._counts[text] for text in segments.hypotheses]
        return np.array(rows, dtype=np.int32).reshape(len(rows), columns)

    def segment_scores(self, statistics: Statistics) -> Floats:
        """BLEU of each text with the others."""
        orders, value = self.settings.max_order, self.settings.smoothing_value
        numbers = statistics.astype(np.float64)
        matches, totals, words, closest = numbers[:, :orders], numbers[:, orders:-2], numbers[:, -2], numbers[:, -1]
        used = totals > 0 if self.settings.short == "excluded" else np.ones_like(totals, dtype=np.bool_)
        precisions = np.where(matches > 0, matches, value) / np.maximum(totals, 1)
        logarithms = np.log(precisions, out=np.full_like(precisions, -np.inf), where=precisions > 0)
        means = np.where(used, logarithms, 0).sum(axis=1) / np.maximum(used.sum(axis=1), 1)
        short = (words > 0) & (words < closest)
        penalty = np.exp(1 - np.divide(closest, words, out=np.ones_like(words), where=short))
        return np.where(matches[:, 0] > 0, penalty * np.exp(means), 0.0)

    def segment_parts(self, statistics: Statistics) -> dict[str, npt.NDArray[Any]]:
        """Counts of matches and n-grams."""
        orders = range(1, self.settings.max_order + 1)
        names = [*(f"matches_{order}" for order in orders), *(f"totals_{order}" for order in orders)]
        return dict(zip([*names, "words", "closest_words"], statistics.T, strict=True))

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts are empty."""
        return {"hypotheses are empty and score 0": sum(not text.strip() for text in segments.hypotheses)}

    def _matches(self, texts: Sequence[str]) -> Int64:
        """The statistics of all texts."""
        encoded = Encoder(tokeniser(self.settings.tokeniser, lower=self.settings.lowercase)).encode(list(texts))
        lengths = encoded.lengths[encoded.rows]
        matches = [
            _clipped(order, len(texts)) for order in ngram_places(encoded, encoded.rows, self.settings.max_order)
        ]
        totals = [np.maximum(lengths - order, 0) for order in range(self.settings.max_order)]
        return np.column_stack([*matches, *totals, lengths, _closest_others(lengths)])


def _clipped(order: NgramPlaces, n: int) -> Int64:
    """For each text, how many of its n-grams are matched by that other text which has each most often."""
    found = order.counts()
    ranked = np.lexsort((found.times, found.gram))
    last = np.flatnonzero(np.diff(found.gram[ranked], append=-1))
    highest, second = np.zeros(order.distinct, np.int64), np.zeros(order.distinct, np.int64)
    highest[found.gram[ranked[last]]] = found.times[ranked[last]]
    before = last[(last > 0) & (found.gram[ranked[last - 1]] == found.gram[ranked[last]])] - 1
    second[found.gram[ranked[before]]] = found.times[ranked[before]]
    others = np.where(found.times == highest[found.gram], second[found.gram], highest[found.gram])
    return np.bincount(found.text, np.minimum(found.times, others), n).astype(np.int64)


def _closest_others(lengths: Int64) -> Int64:
    """For each length the closest one among the others, the shorter of two at the same distance; 0 if it is alone."""
    distinct, place, counts = np.unique(lengths, return_inverse=True, return_counts=True)
    far = np.iinfo(np.int32).max
    below = np.concatenate([[-far], distinct[:-1]])
    above = np.concatenate([distinct[1:], [far]])
    nearest = np.where(distinct - below <= above - distinct, below, above)
    closest = np.where(counts > 1, distinct, nearest)
    return np.where(np.abs(closest) == far, 0, closest)[place.reshape(-1)]
