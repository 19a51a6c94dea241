"""N-grams of a whole corpus and how often each occurs, gathered chunk by chunk in sorted arrays.

Each order is a sorted array of keys: the place of the (n-1)-gram among those of the order before, times the number of
words, plus the number of the last word. No hashing, so nothing is ever mistaken for something else; 64 bits suffice for
three thousand million different n-grams of as many words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from textassay.kernels.ngrams import highest_counts
from textassay.metrics.segments import EncodedSegments
from textassay.metrics.tokens import Encoded

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Order(NamedTuple):
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


class Positions(NamedTuple):
    """Some texts, one after the other, looked at token by token."""

    tokens: Int64
    following: Int64
    """How many tokens the text still has, with this one."""
    text: Int64
    """The place of the text in the list."""

    @classmethod
    def of(cls, texts: Encoded, rows: Int64) -> Positions:
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
    orders: tuple[Order, ...]

    @classmethod
    def of(cls, texts: Encoded, rows: Int64, max_order: int) -> NgramCounts:
        """Counts of the texts with these numbers; one that is named twice counts twice."""
        positions = Positions.of(texts, rows)
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
            orders.append(Order(distinct, counts))
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
        """log2(count of the (n-1)-gram / count of the n-gram) for each; for single words their number stands above."""
        above = self.orders[0].counts.sum(keepdims=True)
        information = []
        for keys, counts in self.orders:
            information.append(np.log2(above[keys // max(len(self.words), 1)] / counts))
            above = counts
        return tuple(information)

    def found(self, texts: Encoded, rows: Int64) -> Iterator[tuple[Int64, Int64]]:
        """For each order the n-grams of some texts that are known: the text's place in `rows`, the n-gram's place."""
        positions = Positions.of(texts, rows)
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


def _summed(keys: Sequence[Int64], counts: Sequence[Int64]) -> Order:
    if not keys:
        return Order(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    distinct, place = np.unique(np.concatenate(keys), return_inverse=True)
    total = np.bincount(place.reshape(-1), np.concatenate(counts), len(distinct))
    return Order(distinct, total.astype(np.int64))
