"""Looks at whole texts, of a list at a time: whether they are strings, whether two are equal, or have equal words."""

from __future__ import annotations

from operator import eq

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.choice import compiled_loop

Bools = npt.NDArray[np.bool_]


def are_strings(values: list[object]) -> bool:
    """Whether each value is of the type `str` itself, and none of a subclass.

    >>> are_strings(["a", ""]), are_strings(["a", None]), are_strings([])
    (True, False, True)
    """
    loop = compiled_loop("texts")
    return set(map(type, values)) <= {str} if loop is None else bool(loop.are_strings(values))


def equal_texts(left: list[str], right: list[str]) -> Bools:
    """Whether both texts of each pair (left[k], right[k]) are equal.

    >>> equal_texts(["a b", "c"], ["a  b", "c"]).tolist()
    [False, True]
    """
    loop = compiled_loop("texts")
    _check_lengths(left, right)
    if loop is None:
        return np.fromiter(map(eq, left, right), np.bool_, len(left))
    out = np.empty(len(left), np.uint8)
    loop.equal_texts(left, right, out)
    return out.view(np.bool_)


def equal_words(left: list[str], right: list[str]) -> Bools:
    """Whether both texts of each pair have the same words; how much white space parts these is no matter.

    >>> equal_words(["a b", "ab"], [" a  b", "a b"]).tolist()
    [True, False]
    """
    loop = compiled_loop("texts")
    _check_lengths(left, right)
    if loop is None:
        return np.fromiter(map(eq, map(str.split, left), map(str.split, right)), np.bool_, len(left))
    out = np.empty(len(left), np.uint8)
    loop.equal_words(left, right, out)
    return out.view(np.bool_)


def texts_without_words(texts: list[str]) -> int:
    r"""How many have nothing but white space.

    >>> texts_without_words(["", " \u3000", "a"])
    2
    """
    loop = compiled_loop("texts")
    if loop is None:
        return sum(not text or text.isspace() for text in texts)
    return int(loop.texts_without_words(texts))


def _check_lengths(left: list[str], right: list[str]) -> None:
    if len(left) != len(right):
        raise DataError(f"left has {len(left)} texts and right has {len(right)}; pairs need as many of each")
