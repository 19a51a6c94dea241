"""Pairs of texts, as several kernels take them."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.arguments import Int32, Int64, encoded_texts, text_numbers


class Pairs(NamedTuple):
    """Texts and which of them to compare, safe for a loop that checks nothing."""

    words: Int32
    """All texts' words, one text after the other."""
    starts: Int64
    """Where each text begins, and where the last one ends."""
    left: Int64
    right: Int64

    @property
    def longest(self) -> int:
        """Words in the longest text."""
        return int(np.diff(self.starts).max(initial=0))

    def lists(self) -> list[tuple[list[int], list[int]]]:
        """The words of both texts of each pair, for the twins."""
        flat, bounds = self.words.tolist(), self.starts.tolist()
        texts = [flat[start:end] for start, end in pairwise(bounds)]
        return [(texts[a], texts[b]) for a, b in zip(self.left.tolist(), self.right.tolist(), strict=True)]


def checked_pairs(tokens: npt.ArrayLike, offsets: npt.ArrayLike, left: npt.ArrayLike, right: npt.ArrayLike) -> Pairs:
    """The arguments as arrays.

    Raises:
        DataError: they would lead a loop outside an array.
    """
    words, starts = encoded_texts(tokens, offsets)
    first, second = (text_numbers(rows, len(starts) - 1) for rows in (left, right))
    if len(first) != len(second):
        raise DataError(f"left names {len(first)} texts and right names {len(second)}; pairs need as many of each")
    return Pairs(words, starts, first, second)


def numbered_densely(words: Int32) -> tuple[Int32, int]:
    """The words and the size of a table by word, which must not grow far beyond the number of words there are."""
    vocabulary = int(words.max(initial=-1)) + 1
    if vocabulary <= 4 * len(words) + 1024:
        return words, vocabulary
    return np.unique(words, return_inverse=True)[1].astype(np.int32).reshape(-1), len(words)
