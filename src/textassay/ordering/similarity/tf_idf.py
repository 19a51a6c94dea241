"""Similarity by shared words or characters: tf-idf vectors and their products."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError

Floats = npt.NDArray[np.float64]
Of = Literal["words", "characters"]
"""What the vectors count: words of any script, or runs of characters."""
LENGTHS = (3, 4, 5)
"""Lengths of the runs of characters that are counted."""


def tf_idf(sentences: Sequence[str], of: Of = "words") -> Floats:
    """The products b_jk of the sentences' tf-idf vectors.

    A term counts tf · (ln((1 + N) / (1 + df)) + 1), where N sentences are given and df of them have it; a term that all
    have still counts, so that no sentence with words is without length. Words are runs of letters and digits in any
    script, case folded. Characters are runs of 3 to 5, white space as one space, case folded. A sentence without any
    term is like itself alone (b_jj = 1).

    The same as scikit-learn's `TfidfVectorizer(norm=None)` with these terms.

    Args:
        sentences: At least one.
        of: `words` or `characters`.

    Raises:
        DataError: no sentences.
        UsageError: another word for `of`.

    >>> tf_idf(["a cat", "a dog"]).round(4).tolist()
    [[2.9753, 1.0], [1.0, 2.9753]]
    """
    if of not in get_args(Of):
        raise UsageError(f"of must be one of {', '.join(get_args(Of))}; got {of!r}")
    if isinstance(sentences, str) or not len(sentences):
        raise DataError("sentences must be a list of at least one text")
    terms = _splitter(of)
    counts = [Counter(terms(sentence)) for sentence in sentences]
    found = Counter(term for count in counts for term in count)
    weight = {term: math.log((1 + len(counts)) / (1 + df)) + 1 for term, df in found.items()}
    similarity = _products([{term: tf * weight[term] for term, tf in count.items()} for count in counts])
    empty = [number for number, count in enumerate(counts) if not count]
    similarity[empty, empty] = 1.0
    return similarity


def _products(vectors: list[dict[str, float]]) -> Floats:
    """The product of each two sparse vectors; from each term to the few sentences that have it."""
    holders: dict[str, tuple[list[int], list[float]]] = {}
    for number, vector in enumerate(vectors):
        for term, value in vector.items():
            numbers, values = holders.setdefault(term, ([], []))
            numbers.append(number)
            values.append(value)
    similarity = np.zeros((len(vectors), len(vectors)))
    for numbers, values in holders.values():
        similarity[np.ix_(numbers, numbers)] += np.outer(values, values)
    return similarity


def _splitter(of: Of) -> Callable[[str], Sequence[str]]:
    if of == "characters":
        return _runs
    from textassay.metrics.tokenisers.registry import tokeniser  # noqa: PLC0415 -- metrics of orders import this room

    return tokeniser("unicode-words").words


def _runs(text: str) -> list[str]:
    whole = " ".join(text.casefold().split())
    return [whole[at : at + n] for n in LENGTHS for at in range(len(whole) - n + 1)]
