"""Text to integers, once for all metrics that share a tokeniser: more than half of a metric's time goes there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from textassay.metrics.tokenisers import Tokeniser


@dataclass(frozen=True, eq=False)
class Encoded:
    """Distinct texts as integers, one after the other: the form in which kernels take them."""

    tokens: npt.NDArray[np.int32]
    """The words of all texts; equal words have equal numbers."""
    offsets: npt.NDArray[np.int64]
    """Where each text begins in `tokens`, and where the last one ends."""
    rows: npt.NDArray[np.int64]
    """For each text that was given, its number among the distinct ones."""

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Words in each distinct text."""
        return np.diff(self.offsets)


class _Vocabulary(dict[str, int]):
    """Word to number; a new word gets the next number, or that of the word it stands for."""

    def __init__(self, word: Callable[[str], str] | None) -> None:
        super().__init__()
        self._word = word
        self._numbers: dict[str, int] = {}

    def __missing__(self, word: str) -> int:
        meant = word if self._word is None else self._word(word)
        number = self._numbers.setdefault(meant, len(self._numbers))
        self[word] = number
        return number


def encode(texts: Sequence[str], tokeniser: Tokeniser) -> Encoded:
    """The texts as integers; a text that occurs twice (a reference of several systems) is tokenised once.

    >>> from textassay.metrics.tokenisers import tokeniser
    >>> encoded = encode(["a b", "b c c", "a b"], tokeniser("unicode-words"))
    >>> encoded.tokens.tolist(), encoded.offsets.tolist(), encoded.rows.tolist()
    ([0, 1, 1, 2, 2], [0, 2, 5], [0, 1, 0])
    """
    numbers: dict[str, int] = {}
    rows = np.fromiter((numbers.setdefault(text, len(numbers)) for text in texts), np.int64, len(texts))
    lengths: list[int] = []

    def words() -> Iterator[list[str]]:
        # One text at a time, so that its words are still in the processor's cache when they are looked up.
        for text in numbers:
            found = tokeniser.split(text)
            lengths.append(len(found))
            yield found

    number = _Vocabulary(tokeniser.word).__getitem__
    tokens = np.fromiter(map(number, chain.from_iterable(words())), np.int32)
    return Encoded(tokens, np.cumsum([0, *lengths], dtype=np.int64), rows)
