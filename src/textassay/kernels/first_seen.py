"""Labels as numbers in the order in which they are first met."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import count
from operator import itemgetter
from typing import Any

import numpy as np

from textassay.errors import DataError
from textassay.kernels.arguments import Int32
from textassay.kernels.choice import compiled_loop


def first_seen(labels: Sequence[Any], seen: dict[Any, int]) -> Int32:
    """Each label's number in `seen`; a label that is not there yet gets the next one.

    Labels are equal where a dictionary says so. The same numbers with the compiled loop and with its twin.

    >>> seen: dict[str, int] = {}
    >>> first_seen(["b", "a", "b"], seen).tolist(), first_seen(["c", "a"], seen).tolist(), seen
    ([0, 1, 0], [2, 1], {'b': 0, 'a': 1, 'c': 2})

    Raises:
        DataError: a label cannot be looked up, such as a list.
    """
    loop = compiled_loop("first_seen")
    try:
        if loop is None:
            return _twin(labels, seen)
        numbers = np.empty(len(labels), dtype=np.int32)
        loop.first_seen(tuple(labels), seen, numbers)
    except TypeError as error:
        raise DataError(f"labels must be text or numbers: {error}") from None
    return numbers


def _twin(labels: Sequence[Any], seen: dict[Any, int]) -> Int32:
    """The plain-Python twin: itemgetter walks the whole column without a step of Python for each label."""
    known = defaultdict(count(len(seen)).__next__, seen)
    numbers = itemgetter(*labels)(known) if len(labels) > 1 else [known[label] for label in labels]
    seen.update(known)
    if len(seen) <= 256:
        return np.frombuffer(bytes(numbers), dtype=np.uint8).astype(np.int32)  # quicker than an array of the same
    return np.array(numbers, dtype=np.int32)
