"""Text to integers, once for all metrics that share a tokeniser: more than half of a metric's time would go there.

Texts are cut at white space by a compiled loop that knows every piece it has met. The tokeniser, plain Python, sees
each distinct piece once; its words are kept as a run of numbers and copied from then on.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from textassay.kernels.pieces import PieceTable, expand
from textassay.metrics.tokenisers import Tokeniser

MOST_PIECES = 1 << 17
"""An encoder that has met more pieces than this begins anew, so that its memory has a bound."""

# Marks of a text's ends: control characters, which hardly any text has; one that has them is tokenised as a whole.
_FIRST, _LAST = "\x02", "\x03"

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Encoded:
    """Distinct texts as integers, one after the other: the form in which kernels take them."""

    tokens: Int32
    """The words of all texts; equal words have equal numbers."""
    offsets: Int64
    """Where each text begins in `tokens`, and where the last one ends."""
    rows: Int64
    """For each text that was given, its number among the distinct ones."""
    words: Sequence[str]
    """The word that each number stands for; other texts may have brought in words of their own."""

    @property
    def lengths(self) -> Int64:
        """Words in each distinct text."""
        return np.diff(self.offsets)


class Encoder:
    """Numbers for the words of one tokeniser, remembered from one chunk of texts to the next.

    >>> from textassay.metrics.tokenisers import tokeniser
    >>> encoded = Encoder(tokeniser("unicode-words")).encode(["a b", "B, c c", "a b"])
    >>> encoded.tokens.tolist(), encoded.offsets.tolist(), encoded.rows.tolist(), encoded.words
    ([0, 1, 1, 2, 2], [0, 2, 5], [0, 1, 0], ['a', 'b', 'c'])
    """

    def __init__(self, tokeniser: Tokeniser) -> None:
        self._tokeniser = tokeniser
        self._forget()

    def encode(self, texts: Sequence[str]) -> Encoded:
        """The texts as integers; one that is given twice, as the reference of several systems is, is encoded once."""
        if max(len(self._table), len(self._vocabulary)) > MOST_PIECES:
            self._forget()
        distinct, rows = _distinct(texts)
        splitter = self._tokeniser.splitter
        marked = splitter.edges and not any(_FIRST in text or _LAST in text for text in distinct)
        whole = splitter.whole or (splitter.edges and not marked)
        tokens, offsets = self._whole(distinct) if whole else self._by_pieces(distinct)
        return Encoded(tokens, offsets, rows, self._vocabulary.words)

    def _forget(self) -> None:
        tokeniser = self._tokeniser
        self._table = PieceTable()
        self._vocabulary = _Vocabulary(tokeniser.meant if tokeniser.stem or tokeniser.stop_words else None)
        self._run_tokens = array("i")
        self._run_offsets = array("q", [0])

    def _whole(self, texts: Iterable[str]) -> tuple[Int32, Int64]:
        number, tokeniser = self._vocabulary.__getitem__, self._tokeniser
        found = [[number(word) for word in tokeniser.cut(tokeniser.prepared(text))] for text in texts]
        kept = [[number for number in text if number >= 0] for text in found]
        offsets = np.cumsum([0, *map(len, kept)], dtype=np.int64)
        return np.fromiter(chain.from_iterable(kept), np.int32, int(offsets[-1])), offsets

    def _by_pieces(self, texts: Sequence[str]) -> tuple[Int32, Int64]:
        tokeniser, edges = self._tokeniser, self._tokeniser.splitter.edges
        if edges or tokeniser.has_glue("".join(texts)):
            texts = [tokeniser.prepared(text) for text in texts]
        if edges:
            texts = [_marked(text) for text in texts]
        pieces, offsets, new = self._table.number(texts)
        self._learn(tokeniser.cut_lines([_in_context(piece) for piece in new] if edges else new))
        return expand(pieces, offsets, np.array(self._run_tokens, np.int32), np.array(self._run_offsets, np.int64))

    def _learn(self, runs: Iterable[Sequence[str]]) -> None:
        """Keep the words of new pieces as numbers."""
        words: list[str] = []
        lengths: list[int] = []
        for run in runs:  # none of them is kept, for many small lists at once would rouse Python's garbage collector
            words.extend(run)
            lengths.append(len(run))
        numbers = self._vocabulary.numbers(words)
        ends = np.cumsum([0, *lengths])
        if self._tokeniser.stop_words:
            counts = np.array(numbers, np.int64) >= 0
            ends = np.concatenate([[0], np.cumsum(counts)])[ends]
            numbers = [number for number in numbers if number >= 0]
        self._run_offsets.extend((ends[1:] + len(self._run_tokens)).tolist())
        self._run_tokens.extend(numbers)


class _Vocabulary(dict[str, int]):
    """Word to number; words that count as the same have the same, one that does not count has -1.

    Without `meant` every word counts as itself.
    """

    def __init__(self, meant: Callable[[str], str] | None) -> None:
        super().__init__()
        self.words: list[str] = []
        self._meant = meant
        self._numbers: dict[str, int] = {"": -1}

    def numbers(self, words: list[str]) -> list[int]:
        """The numbers of many words."""
        if self._meant is None:
            new = [word for word in dict.fromkeys(words) if word not in self]
            self.update(zip(new, range(len(self), len(self) + len(new)), strict=True))
            self.words.extend(new)
        return list(map(self.__getitem__, words))

    def __missing__(self, word: str) -> int:
        meant = word if self._meant is None else self._meant(word)
        number = self._numbers.get(meant)
        if number is None:
            number = self._numbers[meant] = len(self.words)
            self.words.append(meant)
        self[word] = number
        return number


def _distinct(texts: Sequence[str]) -> tuple[Sequence[str], Int64]:
    """The texts without those given again, and for each text its number among them.

    By identity, which costs less than a look at every text; an equal text of another origin is just encoded too.
    """
    found = dict(zip(map(id, texts), texts, strict=True))
    if len(found) == len(texts):
        return texts, np.arange(len(texts))
    numbers = dict(zip(found, range(len(found)), strict=True))
    return list(found.values()), np.fromiter((numbers[id(text)] for text in texts), np.int64, len(texts))


def _marked(text: str) -> str:
    """The text with marks at its ends, so that pieces there differ from equal ones between spaces."""
    if not text:
        return text
    return (text if text[0].isspace() else _FIRST + text) + _LAST


def _in_context(piece: str) -> str:
    """The piece with a space on each side but where the text ends."""
    before, after = ("" if piece.startswith(_FIRST) else " "), ("" if piece.endswith(_LAST) else " ")
    return before + piece.removeprefix(_FIRST).removesuffix(_LAST) + after
