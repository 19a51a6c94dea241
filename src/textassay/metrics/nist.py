"""NIST: matched n-grams weighed by how much they tell.

Doddington, G. (2002). Automatic evaluation of machine translation quality using n-gram co-occurrence statistics. As in
mteval-v13a: info(w1…wn) = log2(count(w1…wn-1) / count(w1…wn)) over all references of the corpus, for single words with
the number of words above; NIST = sum over n of (info of the matches, clipped as in BLEU) / (n-grams of the hypothesis),
times exp(-b·ln(min(1, h/r))²), where b = ln 2 / ln(1.5)², h are the words of the hypothesis and r is the mean number of
words of its references. Over a corpus all these are summed first. A segment's score depends on the whole corpus, so two
passes are needed; memory grows with the number of different n-grams in the references. The script takes a single word
before the last that is 0 for none, so that pairs like "0 percent" weigh more in it; that is not followed.

N-grams of the corpus are gathered chunk by chunk in sorted arrays. Each order is a sorted array of keys: the place of
the (n-1)-gram among those of the order before, times the number of words, plus the number of the last word. No hashing,
so nothing is ever mistaken for something else; 64 bits suffice for three thousand million different n-grams of as many
words.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.kernels.arguments import Int64
from textassay.kernels.ngrams import highest_counts
from textassay.metrics.contract import Floats, Limits, Metric, Settings, Statistics, setting, tokeniser_setting
from textassay.metrics.scripts_without_spaces import remark_on_tokeniser
from textassay.metrics.segments import EncodedSegments, TextSegments
from textassay.metrics.tokenisers import tokeniser
from textassay.metrics.tokens import EncodedTexts

SHORTNESS = math.log(2) / math.log(1.5) ** 2
"""Makes the penalty one half for a hypothesis of two thirds of the reference's length."""


@dataclass(frozen=True)
class NistSettings(Settings):
    """What can be chosen for NIST."""

    tokeniser: str = tokeniser_setting("13a", "intl", "char", "none")
    """`13a` as mteval-v13a, `intl` as mteval-v14 with international tokenisation, characters, or white space."""
    lowercase: bool = setting(default=False, sign="case", words={True: "lc", False: "mixed"})
    """Whether case is given up, as mteval-v13a does unless told otherwise: with `13a` of A to Z only, and after
    entities are resolved, as there; with other tokenisers of all letters."""
    max_order: int = setting(5, sign="order", limits=Limits(1))
    """The longest n-grams."""
    padded: bool = setting(default=False, sign="padded")
    """Whether texts with fewer references than others get empty ones up to that number, as the scripts of the E2E
    challenge did: the mean number of words of a text's references, and with it the penalty, is then lower."""


class Nist(Metric):
    """NIST of segments and corpora; several references are pooled.

    >>> from textassay.metrics import score
    >>> result = score("nist", ["he read the book", "a book"], [["he has read the book"], ["the books", "a book"]])
    >>> result.segments.round(4).tolist(), round(result.corpus, 4)
    ([2.4345, 2.6699], 2.6416)
    """

    name = "nist"
    scale = (0.0, math.inf)
    Settings = NistSettings
    settings: NistSettings
    corpus_is = "pooled"
    two_passes = True

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._counts: NgramCounts | None = None
        self._information: tuple[Floats, ...] = ()
        self._most = 0

    def survey(self, segments: TextSegments) -> NgramCounts:
        """The n-grams of all references of one chunk."""
        encoded = self._encoded(segments)
        most = int(np.diff(encoded.first_reference).max(initial=0))
        return replace(NgramCounts.of(encoded.texts, encoded.references, self.settings.max_order), most_references=most)

    def with_survey(self, surveys: Sequence[NgramCounts]) -> Self:
        """A metric that knows the n-grams of all references."""
        knowing = copy.copy(self)
        counts = NgramCounts.merged(surveys, self.settings.max_order)
        knowing._counts, knowing._information = counts, counts.information()  # noqa: SLF001 -- its own kind
        knowing._most = max((part.most_references for part in surveys), default=0)  # noqa: SLF001
        return knowing

    def statistics(self, segments: TextSegments) -> Statistics:
        """Info of matches and n-grams of each order, words of the hypothesis, mean words of its references."""
        if self._counts is None:
            raise UsageError(
                "nist needs to see the corpus first; call survey for each chunk and with_survey, or use score()"
            )
        encoded = self._encoded(segments)
        orders = np.arange(self.settings.max_order)
        info = matched_weights(encoded, self._counts, self._information)
        words = encoded.texts.lengths[encoded.hypotheses]
        totals = np.maximum(words[:, None] - orders, 0)
        references = np.diff(encoded.first_reference)
        total = np.concatenate([[0], np.cumsum(encoded.texts.lengths[encoded.references])])
        mean = np.diff(total[encoded.first_reference]) / np.maximum(
            self._most if self.settings.padded else references, 1
        )
        return np.column_stack([info, totals, words, mean]).astype(np.float64)

    def segment_scores(self, statistics: Statistics) -> Floats:
        """NIST of each segment."""
        return self._scores(statistics)[..., 0]

    def segment_parts(self, statistics: Statistics) -> dict[str, npt.NDArray[Any]]:
        """Mean information of each order, penalty, words."""
        return dict(zip(self._names(), self._scores(statistics).T, strict=True))

    def summands(self, statistics: Statistics) -> npt.NDArray[Any]:
        """The statistics themselves."""
        return statistics

    def from_sums(self, sums: npt.NDArray[Any], n: int) -> Floats:
        """NIST of summed statistics."""
        del n
        return self._scores(sums)[..., 0]

    def corpus_parts(self, sums: npt.NDArray[Any], n: int) -> dict[str, float]:
        """The same for the corpus."""
        del n
        return dict(zip(self._names()[1:], self._scores(sums)[1:].tolist(), strict=True))

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have no words, and how many are cut at spaces that their script does not have."""
        encoded = self._encoded(segments)
        remarks = encoded.empty("hypotheses contain no words and score 0", "references contain no words")
        remedy = "set tokeniser=zh, ja-mecab or char, or part words by spaces"
        return {**remarks, **remark_on_tokeniser(self.settings.tokeniser, segments, encoded, remedy)}

    def _names(self) -> tuple[str, ...]:
        orders = (f"information_{order}" for order in range(1, self.settings.max_order + 1))
        return ("nist", *orders, "penalty", "hypothesis_words", "reference_words")

    def _scores(self, sums: Statistics) -> Floats:
        """(…, statistics) to (…, names)."""
        orders = self.settings.max_order
        info, totals, words, reference = sums[..., :orders], sums[..., orders:-2], sums[..., -2], sums[..., -1]
        means = info / np.maximum(totals, 1)
        ratio = np.divide(words, reference, out=np.ones_like(reference), where=reference > 0)
        short = np.log(np.clip(ratio, np.finfo(np.float64).tiny, 1))
        penalty = np.where(ratio > 0, np.exp(-SHORTNESS * short**2), 0)
        score = penalty * means.sum(axis=-1)
        return np.concatenate([score[..., None], means, np.stack([penalty, words, reference], axis=-1)], axis=-1)

    def _encoded(self, segments: TextSegments) -> EncodedSegments:
        name, lower = self.settings.tokeniser, self.settings.lowercase
        if lower and name == "13a":
            return segments.tokens(tokeniser("13a-lower"))
        return segments.tokens(tokeniser(name, lower=lower))


class NgramOrder(NamedTuple):
    """All different n-grams of one order."""

    keys: Int64
    """Rising."""
    counts: Int64

    def places(self, keys: Int64) -> Int64:
        """Where each key is; -1 for one that is not there."""
        if len(self.keys) == 0:
            return np.full(len(keys), -1, dtype=np.int64)
        found = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[found] == keys, found, -1)


class TokenPositions(NamedTuple):
    """Some texts, one after the other, looked at token by token."""

    tokens: Int64
    following: Int64
    """How many tokens the text still has, with this one."""
    text: Int64
    """The place of the text in the list."""

    @classmethod
    def of(cls, texts: EncodedTexts, rows: Int64) -> TokenPositions:
        """The positions of the texts with these numbers."""
        lengths = texts.lengths[rows]
        ends = np.cumsum(lengths)
        every = np.arange(int(lengths.sum()))
        source = every + np.repeat(texts.offsets[rows] - (ends - lengths), lengths)
        text = np.repeat(np.arange(len(rows)), lengths)
        return cls(texts.tokens[source].astype(np.int64), np.repeat(ends, lengths) - every, text)


@dataclass(frozen=True, eq=False)
class NgramCounts:
    """The n-grams of some texts by order, and how often each occurs."""

    words: Mapping[str, int]
    """Every word's number."""
    orders: tuple[NgramOrder, ...]
    most_references: int = 0
    """The most that any segment has, for a survey."""

    @classmethod
    def of(cls, texts: EncodedTexts, rows: Int64, max_order: int) -> NgramCounts:
        """Counts of the texts with these numbers; one that is named twice counts twice."""
        positions = TokenPositions.of(texts, rows)
        seen, tokens = np.unique(positions.tokens, return_inverse=True)
        words = {texts.words[token]: number for number, token in enumerate(seen.tolist())}
        tokens = tokens.reshape(-1)
        at, place = np.arange(len(tokens)), np.zeros(len(tokens), dtype=np.int64)
        orders = []
        for order in range(1, max_order + 1):
            at, place = (part[positions.following[at] >= order] for part in (at, place))
            keys = place * len(words) + tokens[at + order - 1]
            distinct, place, counts = np.unique(keys, return_inverse=True, return_counts=True)
            place = place.reshape(-1)
            orders.append(NgramOrder(distinct, counts))
        return cls(words, tuple(orders))

    @classmethod
    def merged(cls, parts: Sequence[NgramCounts], max_order: int) -> NgramCounts:
        """The counts of all parts together."""
        words: dict[str, int] = {}
        for part in parts:
            for word in part.words:
                words.setdefault(word, len(words))
        numbers = [np.fromiter((words[word] for word in part.words), np.int64, len(part.words)) for part in parts]
        places = [np.zeros(1, dtype=np.int64)] * len(parts)
        orders = []
        for order in range(max_order):
            keys = [
                place[part.orders[order].keys // max(len(part.words), 1)] * len(words)
                + number[part.orders[order].keys % max(len(part.words), 1)]
                for part, number, place in zip(parts, numbers, places, strict=True)
            ]
            merged = _summed(keys, [part.orders[order].counts for part in parts])
            places = [merged.places(each) for each in keys]
            orders.append(merged)
        return cls(words, tuple(orders))

    def information(self) -> tuple[Floats, ...]:
        """log2(count of the (n-1)-gram / count of the n-gram) for each; for words over the number of all words."""
        above = self.orders[0].counts.sum(keepdims=True)
        information = []
        for keys, counts in self.orders:
            information.append(np.log2(above[keys // max(len(self.words), 1)] / counts))
            above = counts
        return tuple(information)

    def found(self, texts: EncodedTexts, rows: Int64) -> Iterator[tuple[Int64, Int64]]:
        """For each order the n-grams of some texts that are known: the text's place in `rows`, the n-gram's place."""
        positions = TokenPositions.of(texts, rows)
        seen, tokens = np.unique(positions.tokens, return_inverse=True)
        numbers = np.array([self.words.get(texts.words[token], -1) for token in seen.tolist()], dtype=np.int64)
        tokens = numbers[tokens.reshape(-1)]
        at, place = np.arange(len(tokens)), np.zeros(len(tokens), dtype=np.int64)
        for number, order in enumerate(self.orders):
            at, place = (part[positions.following[at] > number] for part in (at, place))
            last = tokens[at + number]
            place = np.where(last >= 0, order.places(place * len(self.words) + last), -1)
            at, place = at[place >= 0], place[place >= 0]
            yield positions.text[at], place


def matched_weights(encoded: EncodedSegments, counts: NgramCounts, weights: Sequence[Floats]) -> Floats:
    """For each hypothesis and order the summed weights of its n-grams, clipped by the highest count in a reference."""
    n, references = len(encoded.hypotheses), np.diff(encoded.first_reference)
    owner = np.repeat(np.arange(n), references)
    rank = np.arange(len(encoded.references)) - np.repeat(encoded.first_reference[:-1], references)
    most = int(references.max(initial=1))
    sums = np.zeros((n, len(counts.orders)))
    both = zip(
        counts.found(encoded.texts, encoded.hypotheses), counts.found(encoded.texts, encoded.references), strict=True
    )
    for order, ((hypothesis, mine), (reference, theirs)) in enumerate(both):
        size = max(len(counts.orders[order].keys), 1)
        ours = np.unique(hypothesis * size + mine, return_counts=True)
        highest = highest_counts(owner[reference] * size + theirs, n * size, rank[reference], most)
        common, left, right = np.intersect1d(ours[0], highest[0], assume_unique=True, return_indices=True)
        matches = np.minimum(ours[1][left], highest[1][right])
        sums[:, order] = np.bincount(common // size, matches * weights[order][common % size], n)
    return sums


def _summed(keys: Sequence[Int64], counts: Sequence[Int64]) -> NgramOrder:
    if not keys:
        return NgramOrder(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    distinct, place = np.unique(np.concatenate(keys), return_inverse=True)
    total = np.bincount(place.reshape(-1), np.concatenate(counts), len(distinct))
    return NgramOrder(distinct, total.astype(np.int64))
