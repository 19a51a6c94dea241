"""How similar units are, by tf-idf or vectors; the distances made of it; and similar units of two texts matched."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.kernels.lcs import lcs_lengths
from textassay.known_names import check_choice
from textassay.ordering.orders import Order, Unit, read_order
from textassay.ordering.permutations import Floats

Of = Literal["words", "characters"]
"""What the vectors count: words of any script, or runs of characters."""
LENGTHS = (3, 4, 5)
"""Lengths of the runs of characters that are counted."""
Embedding = Callable[[Sequence[str]], npt.ArrayLike]
"""From sentences to vectors, a row each: `SentenceTransformer(name).encode` is one."""


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
    check_choice("of", of, get_args(Of))
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
    from textassay.metrics.tokenisers.registry import tokeniser  # noqa: PLC0415 -- metrics of orders import this package

    return tokeniser("unicode-words").words


def _runs(text: str) -> list[str]:
    whole = " ".join(text.casefold().split())
    return [whole[at : at + n] for n in LENGTHS for at in range(len(whole) - n + 1)]


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


def distances_of(similarity: npt.ArrayLike) -> Floats:
    """c_jk = 1 - b_jk / (√b_jj · √b_kk), with c_jj = 0.

    Args:
        similarity: Shape (n, n): b_jk says how similar unit j is to unit k; it need not be symmetric.

    Raises:
        DataError: not square, a number that is not finite, or a unit that is not similar to itself.

    >>> distances_of([[4, 2, 1, 0], [2, 5, 3, 1], [1, 3, 6, 2], [0, 1, 2, 3]])[0].round(4).tolist()
    [0.0, 0.5528, 0.7959, 1.0]
    """
    given = square(similarity, "similarity")
    own = given.diagonal()
    if not (own > 0).all():
        unit = int(np.flatnonzero(~(own > 0))[0])
        raise DataError(
            f"unit {unit} (from 0) has a similarity of {own[unit]:g} with itself; it must be above 0. A unit without "
            "any words is like this: give it words, or 1 on the diagonal"
        )
    norms = np.sqrt(own)
    found = 1.0 - given / norms[:, None] / norms[None, :]
    np.fill_diagonal(found, 0.0)
    # Rounding must not make a symmetric matrix look as if it were none.
    return (found + found.T) / 2 if np.array_equal(given, given.T) else found


def square(matrix: npt.ArrayLike, name: str) -> Floats:
    """A square matrix of finite numbers.

    Raises:
        DataError: it is none; the message names the place.
    """
    try:
        given = np.asarray(matrix, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"{name} must be a square matrix of numbers, one row per unit") from None
    if given.ndim != 2 or given.shape[0] != given.shape[1] or not given.size:
        raise DataError(f"{name} must be a square matrix with a row and a column for each unit, got {given.shape}")
    if not np.isfinite(given).all():
        row, column = np.argwhere(~np.isfinite(given))[0]
        raise DataError(f"{name} has {given[row, column]} in row {row}, column {column} (from 0); all must be finite")
    return given


@dataclass(frozen=True)
class UnitMatches:
    """Which unit corresponds to which unit of the reference."""

    of: Mapping[Unit, Unit]
    """Unit → unit of the reference."""
    similarity: Mapping[Unit, float]
    """Of each unit that was matched, with its partner."""
    unmatched: tuple[Unit, ...]
    """Units without a partner that is similar enough."""
    unmatched_reference: tuple[Unit, ...]

    def translated(self, order: Order) -> list[Unit]:
        """The order in the ids of the reference; a unit without partner keeps a name that no unit of the reference has.

        Compare it with `units="common"`, which counts those without partner as extra.
        """
        return [self.of.get(unit, ("unmatched", unit)) for unit in read_order(order, "order")]


def match_units(
    units: Mapping[Any, str] | Sequence[Any],
    reference: Mapping[Any, str] | Sequence[Any],
    *,
    similarity: npt.ArrayLike | None = None,
    threshold: float = 0.5,
) -> UnitMatches:
    """Assign the units of a text to those of a reference so that they are as similar as possible in all.

    Each unit has at most one partner; pairs below the threshold are never made. The sum of similarities is the largest
    that there is (the assignment problem, solved exactly).

    Args:
        units: Unit id → its text; or only the ids, with a similarity that is given.
        reference: The same of the reference.
        similarity: Shape (units, units of the reference), larger is more alike. By default of strings, from 0 to 1:
            2·L / (sum of lengths), L the length of the longest common subsequence of characters.
        threshold: The least similarity that makes a pair.

    Raises:
        DataError: a similarity of the wrong shape, or one that is missing.
        UsageError: no similarity, and units without texts.

    >>> found = match_units({1: "A cat sat.", 2: "It rained."}, {"x": "It rained a lot.", "y": "The cat sat."})
    >>> found.of, found.translated([1, 2])
    ({1: 'y', 2: 'x'}, ['y', 'x'])
    """
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 -- scipy only where used

    mine, wanted = list(units), list(reference)
    table = _given(similarity, mine, wanted) if similarity is not None else _of_strings(units, reference)
    # A pair that may not be made adds nothing, so that none is preferred to it.
    allowed = table >= threshold
    worth = np.where(allowed, table - min(0.0, float(table.min(initial=0.0))) + 1e-12, 0.0)
    rows, columns = linear_sum_assignment(worth, maximize=True)
    pairs = [(row, column) for row, column in zip(rows.tolist(), columns.tolist(), strict=True) if allowed[row, column]]
    of = {mine[row]: wanted[column] for row, column in pairs}
    return UnitMatches(
        of,
        {mine[row]: float(table[row, column]) for row, column in pairs},
        tuple(unit for unit in mine if unit not in of),
        tuple(unit for unit in wanted if unit not in set(of.values())),
    )


def _given(similarity: npt.ArrayLike, mine: Sequence[Unit], wanted: Sequence[Unit]) -> Floats:
    table = np.asarray(similarity, dtype=float)
    if table.shape != (len(mine), len(wanted)):
        raise DataError(f"similarity must have the shape {(len(mine), len(wanted))}, got {table.shape}")
    if not np.isfinite(table).all():
        row, column = (int(place) for place in np.argwhere(~np.isfinite(table))[0])
        raise DataError(f"similarity of {mine[row]!r} and {wanted[column]!r} is {table[row, column]}; give a number")
    return table


def _of_strings(units: Any, reference: Any) -> Floats:
    for name, given in (("units", units), ("reference", reference)):
        if not isinstance(given, Mapping):
            raise UsageError(f"{name} has ids only; map each id to its text, or give a table of similarities")
    texts = [str(text) for given in (units, reference) for text in given.values()]
    codes = np.array([ord(letter) for text in texts for letter in text], dtype=np.int64)
    offsets = np.cumsum([0, *map(len, texts)])
    mine, wanted = np.arange(len(units)), np.arange(len(units), len(texts))
    left, right = (part.ravel() for part in np.meshgrid(mine, wanted, indexing="ij"))
    common = lcs_lengths(codes, offsets, left, right).astype(float)
    lengths = np.diff(offsets)
    both = (lengths[left] + lengths[right]).astype(float)
    found = np.divide(2 * common, both, out=np.ones_like(both), where=both > 0)
    return np.asarray(found.reshape(len(mine), len(wanted)))
