"""Matches of n-grams between hypotheses and their references.

The fallback writes the n-grams of many hypotheses as integers and counts them by sorting.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.kernels.arguments import FIRST, Int32, Int64, encoded_texts, integers, numbered_texts
from textassay.kernels.choice import compiled_loop

_BATCH = 1 << 17
"""About how many tokens are looked at at a time, so that the arrays stay small."""
_LIMIT = 1 << 62
SHORT = 48
"""Words times orders up to which a single pair is sooner compared in plain Python than numbered for the loop."""


class Corpus(NamedTuple):
    """Encoded texts, and which of them are hypotheses and references."""

    tokens: Int32
    offsets: Int64
    hypotheses: Int64
    references: Int64
    first: Int64
    """Where each hypothesis's references begin, and where the last ones end."""

    def reference_tokens(self) -> Int64:
        """How many tokens each hypothesis's references have together."""
        total = np.zeros(len(self.references) + 1, dtype=np.int64)
        np.cumsum(np.diff(self.offsets)[self.references], out=total[1:])
        return np.diff(total[self.first])


def ngram_matches(
    tokens: npt.ArrayLike,
    offsets: npt.ArrayLike,
    hypotheses: npt.ArrayLike,
    references: npt.ArrayLike,
    first_reference: npt.ArrayLike,
    max_order: int,
) -> Int32:
    """For each hypothesis how many of its n-grams its references have, for each order from 1 to `max_order`.

    An n-gram counts as often as the hypothesis has it, but at most as often as the one of its references that has it
    most often. TextPairs of texts are the case of one reference each.

    Args:
        tokens: The texts' tokens as integers of at least 0, all texts one after the other.
        offsets: Where each text begins in `tokens`, and where the last one ends: one more than there are texts.
        hypotheses: The text's number of each hypothesis.
        references: The text's number of each reference, those of one hypothesis side by side.
        first_reference: Where each hypothesis's references begin in `references`, and where the last ones end.
        max_order: The longest n-grams.

    Returns:
        (hypotheses × max_order) int32. The same numbers with the compiled loop and with its fallback.

    >>> ngram_matches([1, 2, 1, 2, 1, 2, 2], [0, 4, 7], [0], [1], [0, 1], max_order=3).tolist()
    [[3, 1, 0]]
    """
    if max_order < 1:
        raise UsageError(f"max_order is {max_order}; the shortest n-grams are of order 1")
    words, starts = encoded_texts(tokens, offsets)
    texts = len(starts) - 1
    corpus = Corpus(
        words,
        starts,
        np.ascontiguousarray(integers("hypotheses", hypotheses, texts - 1), dtype=np.int64),
        np.ascontiguousarray(integers("references", references, texts - 1), dtype=np.int64),
        np.ascontiguousarray(first_reference, dtype=np.int64),
    )
    _check(corpus)
    matches = np.zeros((len(corpus.hypotheses), max_order), dtype=np.int32)
    loop = compiled_loop("ngrams")
    if loop is None:
        count_matches(corpus, matches)
        return matches
    vocabulary = int(words.max(initial=-1)) + 1
    if vocabulary > 4 * len(words):  # sparse numbers would cost memory each
        words = np.unique(words, return_inverse=True)[1].astype(np.int32).reshape(-1)
        vocabulary = len(words)
    longest, most = int(np.diff(starts).max(initial=0)), int(corpus.reference_tokens().max(initial=0))
    loop.ngram_matches(words, starts, *corpus[2:], vocabulary, longest, most, matches)
    return matches


def matches_of(hypothesis: Sequence[Hashable], references: Sequence[Sequence[Hashable]], max_order: int) -> list[int]:
    """The same for one hypothesis and its references, of which there is at least one; words may be any values.

    >>> matches_of(["the", "cat", "sat"], [["a", "cat", "sat"], ["the", "mat"]], max_order=2)
    [3, 1]
    """
    if not hypothesis or not any(references):
        return [0] * max_order
    if len(references) == 1 and (len(hypothesis) + len(references[0])) * max_order <= SHORT:
        counts = [0] * max_order
        for order in range(max_order):
            counts[order] = _matches_of_order(hypothesis, references[0], order + 1)
            if counts[order] == 0:  # then no longer one matches
                break
        return counts
    words, starts, vocabulary = numbered_texts((hypothesis, *references))
    matches = np.zeros((1, max_order), dtype=np.int32)
    theirs, first = array("q", range(1, len(references) + 1)), array("q", (0, len(references)))
    loop = compiled_loop("ngrams")
    if loop is None:
        parts = (starts, FIRST, theirs, first)
        count_matches(Corpus(np.array(words, np.int32), *(np.array(part, np.int64) for part in parts)), matches)
    else:
        most = len(words) - len(hypothesis)
        loop.ngram_matches(words, starts, FIRST, theirs, first, vocabulary, len(hypothesis), most, matches)
    found: list[int] = matches[0].tolist()
    return found


def _matches_of_order(hypothesis: Sequence[Hashable], reference: Sequence[Hashable], order: int) -> int:
    left: dict[Hashable, int] = {}
    for gram in zip(*(reference[start:] for start in range(order)), strict=False):
        left[gram] = left.get(gram, 0) + 1
    matches = 0
    for gram in zip(*(hypothesis[start:] for start in range(order)), strict=False):
        if left.get(gram, 0) > 0:
            left[gram] -= 1
            matches += 1
    return matches


def _check(corpus: Corpus) -> None:
    first, n = corpus.first, len(corpus.references)
    if len(first) != len(corpus.hypotheses) + 1 or first[0] != 0 or first[-1] != n or np.any(np.diff(first) < 0):
        raise DataError(
            f"first_reference must rise from 0 to the number of references, {n}, with one more entry than there are "
            f"hypotheses, {len(corpus.hypotheses)}; got {len(first)} entries: {first.tolist()[:10]}"
        )


class _Grams(NamedTuple):
    """The n-grams of a batch as integers: equal ones of one hypothesis and its references are equal."""

    keys: Int64
    """One per position, the hypotheses' first."""
    scale: int
    """What a key must be divided by to give an entry of `owners`."""
    owners: Int64
    """Numbers of hypotheses."""
    radix: int
    """More than the highest token."""

    @property
    def bound(self) -> int:
        """More than the highest key."""
        return len(self.owners) * self.scale

    def lengthened(self, still: Int64, tokens: Int64) -> _Grams:
        """One token longer, at the positions `still` to be found among the present ones."""
        grams = self._replace(keys=self.keys[still])
        if self.bound * self.radix > _LIMIT:
            distinct, keys = np.unique(grams.keys, return_inverse=True)
            grams = self._replace(keys=keys.reshape(-1), scale=1, owners=self.owners[distinct // self.scale])
        return grams._replace(keys=grams.keys * self.radix + tokens, scale=grams.scale * self.radix)


def count_matches(corpus: Corpus, matches: Int32) -> None:
    """Fill `matches`, (hypotheses × orders)."""
    for start, end in _batches(corpus):
        first = corpus.first[start : end + 1]
        references = corpus.references[first[0] : first[-1]]
        batch = corpus._replace(hypotheses=corpus.hypotheses[start:end], references=references, first=first - first[0])
        _batch_matches(batch, matches[start:end])


def _batches(corpus: Corpus) -> Iterator[tuple[int, int]]:
    """Runs of hypotheses with about `_BATCH` tokens each."""
    sizes = np.diff(corpus.offsets)[corpus.hypotheses] + corpus.reference_tokens()
    ends = np.flatnonzero(np.diff(np.cumsum(sizes) // _BATCH)) + 1
    bounds = [0, *ends.tolist(), len(sizes)]
    return ((start, end) for start, end in pairwise(bounds) if end > start)


def _batch_matches(batch: Corpus, matches: Int32) -> None:
    n, references = len(batch.hypotheses), np.diff(batch.first)
    texts = np.concatenate([batch.hypotheses, batch.references])
    lengths = np.diff(batch.offsets)[texts]
    ends = np.cumsum(lengths)
    source = np.arange(lengths.sum()) - np.repeat(ends - lengths - batch.offsets[texts], lengths)
    tokens = batch.tokens[source].astype(np.int64)
    following = np.repeat(ends, lengths) - np.arange(len(tokens))  # how many tokens the text still has, with this one
    owner = np.concatenate([np.arange(n), np.repeat(np.arange(n), references)])
    rank = np.arange(len(batch.references)) - np.repeat(batch.first[:-1], references)
    ranks = np.repeat(np.concatenate([np.zeros(n, dtype=np.int64), rank]), lengths)
    hypothesis_tokens = int(lengths[:n].sum())
    at = np.arange(len(tokens))
    grams = _Grams(np.repeat(owner, lengths), 1, np.arange(n), int(tokens.max(initial=0)) + 1)
    for order in range(1, matches.shape[1] + 1):
        still = np.flatnonzero(following[at] >= order)
        at = at[still]
        grams = grams.lengthened(still, tokens[at + order - 1])
        split = int(np.searchsorted(at, hypothesis_tokens))
        theirs = highest_counts(grams.keys[split:], grams.bound, ranks[at[split:]], int(references.max(initial=1)))
        ours = np.unique(grams.keys[:split], return_counts=True)
        common, mine, their = np.intersect1d(ours[0], theirs[0], assume_unique=True, return_indices=True)
        counts = np.minimum(ours[1][mine], theirs[1][their])
        matches[:, order - 1] = np.bincount(grams.owners[common // grams.scale], counts, n)


def highest_counts(keys: Int64, bound: int, ranks: Int64, most: int) -> tuple[Int64, Int64]:
    """Each key, all below `bound`, with its highest count in one of up to `most` references; `ranks` names them."""
    if most == 1 or len(keys) == 0:
        return np.unique(keys, return_counts=True)
    if bound * most > _LIMIT:
        distinct, number = np.unique(keys, return_inverse=True)
        found, counts = highest_counts(number.reshape(-1), len(distinct), ranks, most)
        return distinct[found], counts
    each, counts = np.unique(keys * most + ranks, return_counts=True)
    starts = np.flatnonzero(np.diff(each // most, prepend=-1))
    return each[starts] // most, np.maximum.reduceat(counts, starts)
