"""Similarity by vectors that the user has: an embedding of any make."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError

Floats = npt.NDArray[np.float64]
Embedding = Callable[[Sequence[str]], npt.ArrayLike]
"""From sentences to vectors, a row each: `SentenceTransformer(name).encode` is one."""


def vector_similarity(sentences: Sequence[str], embedding: Embedding) -> Floats:
    """The products of the sentences' vectors; the distance made of them is 1 - cosine.

    Args:
        sentences: At least one.
        embedding: Any function from the sentences to vectors of one length, a row each.

    Raises:
        DataError: not a row of finite numbers for each sentence, or a vector of zeros.

    >>> vector_similarity(["a", "bb"], lambda texts: [[len(text), 1] for text in texts]).tolist()
    [[2.0, 3.0], [3.0, 5.0]]
    """
    try:
        rows = np.asarray(embedding(list(sentences)), dtype=np.float64)
    except ValueError as error:
        raise DataError(f"the embedding gives no matrix of numbers: {error}") from None
    if rows.ndim != 2 or len(rows) != len(sentences):
        raise DataError(f"the embedding must give a row for each of {len(sentences)} sentences, got {rows.shape}")
    if not np.isfinite(rows).all():
        sentence = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
        raise DataError(f"the embedding of sentence {sentence} (from 0) has a number that is not finite")
    if not rows.any(axis=1).all():
        sentence = int(np.flatnonzero(~rows.any(axis=1))[0])
        raise DataError(f"the embedding of sentence {sentence} (from 0) is all zeros; it has no direction")
    products = rows @ rows.T
    return np.asarray((products + products.T) / 2, dtype=np.float64)
