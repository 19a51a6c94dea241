"""Matches of n-grams between hypotheses and their references."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.kernels.arguments import Int32, encoded_texts, integers
from textassay.kernels.choice import compiled_loop
from textassay.kernels.ngrams_twin import Corpus, count_matches


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
    most often. Pairs of texts are the case of one reference each.

    Args:
        tokens: The texts' tokens as integers of at least 0, all texts one after the other.
        offsets: Where each text begins in `tokens`, and where the last one ends: one more than there are texts.
        hypotheses: The text's number of each hypothesis.
        references: The text's number of each reference, those of one hypothesis side by side.
        first_reference: Where each hypothesis's references begin in `references`, and where the last ones end.
        max_order: The longest n-grams.

    Returns:
        (hypotheses × max_order) int32. The same numbers with the compiled loop and with its twin.

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


def _check(corpus: Corpus) -> None:
    first, n = corpus.first, len(corpus.references)
    if len(first) != len(corpus.hypotheses) + 1 or first[0] != 0 or first[-1] != n or np.any(np.diff(first) < 0):
        raise DataError(
            f"first_reference must rise from 0 to the number of references, {n}, with one more entry than there are "
            f"hypotheses, {len(corpus.hypotheses)}; got {len(first)} entries: {first.tolist()[:10]}"
        )
