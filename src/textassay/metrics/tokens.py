"""Text to integers, once for all metrics that share a tokeniser: more than half of a metric's time would go there.

Texts are cut at white space, once for all tokenisers that begin so, by a compiled loop that knows every piece it has
met. The tokeniser, plain Python, sees each distinct piece once; its words are kept as a run of numbers and copied from
then on. Where the pieces are the words, or a tokeniser makes them so by a quick look at all texts at once, their
numbers are those of the words, and no piece becomes a string.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple, overload

import numpy as np
import numpy.typing as npt

from textassay.kernels.arguments import Int32, Int64
from textassay.kernels.numbering import PADDING, PieceTable, by_identity, expand
from textassay.metrics.tokenisers import Tokeniser
from textassay.metrics.tokenisers.frozen_unicode import lower_case
from textassay.text_block import TextBlock

MOST_PIECES = 1 << 18
"""A cutter that has met more pieces than this starts over, so that its memory has a bound."""


class TextPieces(NamedTuple):
    """Texts as numbers of pieces."""

    pieces: Int32
    """Those of all texts, one text after the other."""
    offsets: Int64
    """Where each text begins, and where the last one ends."""
    known: KnownPieces
    """The piece that each number stands for; another object after a new beginning."""


class KnownPieces(Sequence[str]):
    """All pieces that a table has met; it grows with the table. They become strings when one is first asked for."""

    def __init__(self, table: PieceTable) -> None:
        self._table = table
        self._read: list[str] = []

    def __len__(self) -> int:
        return len(self._table)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        return self._all()[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def _all(self) -> list[str]:
        if len(self._read) < len(self._table):
            self._read.extend(self._table.pieces(len(self._read)))
        return self._read


class Cutter:
    """Cuts texts, and remembers the pieces from one chunk of texts to the next.

    >>> cut = Cutter().cut(["a rose is", "a rose"])
    >>> cut.pieces.tolist(), cut.offsets.tolist(), list(cut.known)
    ([0, 1, 2, 0, 1], [0, 3, 5], ['a', 'rose', 'is'])
    """

    def __init__(self) -> None:
        self._begin()

    def cut(self, texts: Sequence[str]) -> TextPieces:
        """The pieces of the texts."""
        if len(self._table) > MOST_PIECES:
            self._begin()
        return TextPieces(*self._table.number(texts), self._known)

    def _begin(self) -> None:
        self._table = PieceTable()
        self._known = KnownPieces(self._table)


class DistinctTexts:
    """Texts without duplicates: one that is given twice, as the reference of several systems is, counts once."""

    def __init__(self, texts: Sequence[str], cutter: Cutter) -> None:
        self.distinct, self.rows = _distinct(texts)
        """The distinct texts, and for each text that was given its number among them."""
        self.cutter = cutter

    @cached_property
    def cut(self) -> TextPieces:
        """The distinct texts in pieces, for all who ask."""
        return self.cutter.cut(self.distinct)


def _distinct(texts: Sequence[str]) -> tuple[Sequence[str], Int64]:
    """The texts without those given again, and for each text its number among them.

    By identity, which costs less than a look at every text; an equal text of another origin is just encoded too.
    """
    if isinstance(texts, TextBlock):
        return texts, np.arange(len(texts))
    rows, count = by_identity(list(texts))
    if count == len(texts):
        return texts, rows
    return [texts[place] for place in np.unique(rows, return_index=True)[1].tolist()], rows


# Marks of a text's ends: control characters, which hardly any text has; one that has them is tokenised as a whole.
_FIRST, _LAST = "\x02", "\x03"


@dataclass(frozen=True, eq=False)
class EncodedTexts:
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
    >>> encoded.tokens.tolist(), encoded.offsets.tolist(), encoded.rows.tolist(), list(encoded.words)
    ([0, 1, 1, 2, 2], [0, 2, 5], [0, 1, 0], ['a', 'b', 'c'])
    """

    def __init__(self, tokeniser: Tokeniser) -> None:
        self._tokeniser = tokeniser
        self._cutter = Cutter()
        self._forget([])

    def encode(self, texts: Sequence[str] | DistinctTexts) -> EncodedTexts:
        """The texts as integers; what several encoders are to encode is cut only once if given as `DistinctTexts`."""
        given = texts if isinstance(texts, DistinctTexts) else DistinctTexts(texts, self._cutter)
        tokeniser, splitter = self._tokeniser, self._tokeniser.splitter
        as_it_is = not (tokeniser.stem or tokeniser.stop_words)
        if as_it_is and splitter.characters:
            return EncodedTexts(*code_points(tokeniser.strings(given.distinct)), given.rows, CHARACTERS)
        cut = self._cut_into_words(given) if as_it_is else None
        if cut is not None:
            return EncodedTexts(cut.pieces, cut.offsets, given.rows, cut.known)
        marked = splitter.edges and not any(_FIRST in text or _LAST in text for text in given.distinct)
        whole = splitter.whole or splitter.characters or (splitter.edges and not marked)
        tokens, offsets = self._whole(given.distinct) if whole else self._by_pieces(given)
        return EncodedTexts(tokens, offsets, given.rows, self._vocabulary.words)

    def _cut_into_words(self, texts: DistinctTexts) -> TextPieces | None:
        """The texts in pieces that are words, if they can be had so."""
        splitter = self._tokeniser.splitter
        if splitter.pieces and not self._tokeniser.lower:
            return texts.cut
        if splitter.quick is None or "cut" in vars(texts) or not len(texts.distinct):  # what is cut is sooner copied
            return None
        lines = _lines(self._tokeniser, texts.distinct)
        cut = None if lines is None else splitter.quick(lines)
        return None if cut is None else self._cutter.cut(_block(cut))

    def _forget(self, known: Sequence[str]) -> None:
        """Start over, with other pieces."""
        tokeniser = self._tokeniser
        self._known = known
        self._vocabulary = _Vocabulary(tokeniser.meant if tokeniser.stem or tokeniser.stop_words else None)
        self._run_tokens = array("i")
        self._run_offsets = array("q", [0])

    def _whole(self, texts: Iterable[str]) -> tuple[Int32, Int64]:
        if len(self._vocabulary) > MOST_PIECES:
            self._forget([])
        number, tokeniser = self._vocabulary.__getitem__, self._tokeniser
        found = [[number(word) for word in tokeniser.cut(tokeniser.prepared(text))] for text in texts]
        kept = [[number for number in text if number >= 0] for text in found]
        offsets = np.cumsum([0, *map(len, kept)], dtype=np.int64)
        return np.fromiter(chain.from_iterable(kept), np.int32, int(offsets[-1])), offsets

    def _by_pieces(self, texts: DistinctTexts) -> tuple[Int32, Int64]:
        pieces, offsets, known = self._cut(texts)
        if known is not self._known:
            self._forget(known)
        new = known[len(self._run_offsets) - 1 :]
        if new:
            self._learn([_in_context(piece) for piece in new] if self._tokeniser.splitter.edges else new)
        return expand(pieces, offsets, np.array(self._run_tokens, np.int32), np.array(self._run_offsets, np.int64))

    def _cut(self, texts: DistinctTexts) -> TextPieces:
        tokeniser = self._tokeniser
        if tokeniser.splitter.edges:  # its pieces are of no use to others
            return self._cutter.cut([_marked(tokeniser.prepared(text)) for text in texts.distinct])
        if _has_glue(tokeniser, texts.distinct):
            return texts.cutter.cut([tokeniser.prepared(text) for text in texts.distinct])
        return texts.cut

    def _learn(self, pieces: Sequence[str]) -> None:
        """Keep the words of new pieces as numbers."""
        words, ends = self._words(pieces)
        numbers = self._vocabulary.numbers(words)
        if self._tokeniser.stop_words:
            counts = numbers >= 0
            ends = np.concatenate([[0], np.cumsum(counts)])[ends]
            numbers = numbers[counts]
        self._run_offsets.frombytes((ends[1:] + len(self._run_tokens)).tobytes())
        self._run_tokens.frombytes(numbers.tobytes())

    def _words(self, pieces: Sequence[str]) -> tuple[list[str], Int64]:
        """The words of all pieces, and where each piece's begin and the last one's end."""
        lines = self._tokeniser.cut_lines("\n".join(pieces))
        if lines is not None:
            return lines.split(), _line_ends(lines)
        words: list[str] = []
        ends = [0]
        for piece in pieces:  # no run is kept, for many small lists at once would rouse Python's garbage collector
            words.extend(self._tokeniser.cut(piece))
            ends.append(len(words))
        return words, np.array(ends, np.int64)


def _lines(tokeniser: Tokeniser, texts: Sequence[str]) -> bytes | None:
    """One text per line in UTF-8, where line ends in a text are spaces; None if anything in a text must be joined."""
    glue = tokeniser.splitter.glue
    if isinstance(texts, TextBlock):
        data = lower_case(texts.data.decode("utf-8")).encode() if tokeniser.lower else texts.data
    else:
        lines = "\n".join((*texts, PADDING))
        data = (lower_case(lines) if tokeniser.lower else lines).encode("utf-8", "surrogatepass")
        if data.count(b"\n") > len(texts):
            if any(joint in text for joint in glue for text in texts):
                return None
            return _lines(tokeniser, [text.replace("\n", " ") for text in texts])
    joints = [joint.encode() for joint in glue if "\n" not in joint]
    # One byte is found many times as fast as several, and is mostly not there.
    return None if any(joint[:1] in data and joint in data for joint in joints) else data


def _block(lines: bytes) -> TextBlock:
    line_ends = np.flatnonzero(np.frombuffer(lines, np.uint8) == ord("\n"))
    return TextBlock(lines, np.concatenate([[0], line_ends + 1]))


def _has_glue(tokeniser: Tokeniser, texts: Sequence[str]) -> bool:
    """Whether anything has to be joined."""
    if not isinstance(texts, TextBlock):
        return tokeniser.has_glue("".join(texts))
    if tokeniser.lower:
        return tokeniser.has_glue(texts.one_line)
    # No line has a line feed in it, and bytes can be searched as they are.
    return any(joint.encode() in texts.data for joint in tokeniser.splitter.glue if "\n" not in joint)


class _Vocabulary(dict[str, int]):
    """Word to number; words that count as the same have the same, one that does not count has -1.

    Without `meant` every word counts as itself.
    """

    def __init__(self, meant: Callable[[str], str] | None) -> None:
        super().__init__()
        self.words: list[str] = []
        self._meant = meant
        self._numbers: dict[str, int] = {"": -1}

    def numbers(self, words: list[str]) -> Int32:
        """The numbers of many words."""
        if self._meant is None:
            new = [word for word in dict.fromkeys(words) if word not in self]
            self.update(zip(new, range(len(self), len(self) + len(new)), strict=True))
            self.words.extend(new)
        return np.fromiter(map(self.__getitem__, words), np.int32, len(words))

    def __missing__(self, word: str) -> int:
        meant = word if self._meant is None else self._meant(word)
        number = self._numbers.get(meant)
        if number is None:
            number = self._numbers[meant] = len(self.words)
            self.words.append(meant)
        self[word] = number
        return number


def _line_ends(lines: str) -> Int64:
    """0, and how many words there are up to the end of each line; only spaces and line ends are between words."""
    data = np.frombuffer(f"\n{lines}\n".encode("utf-8", "surrogatepass"), np.uint8)
    line_end = data == ord("\n")
    between = line_end | (data == ord(" "))
    begins = np.flatnonzero(between[:-1] & ~between[1:])
    return np.searchsorted(begins, np.flatnonzero(line_end)).astype(np.int64)


def _marked(text: str) -> str:
    """The text with marks at its ends, so that pieces there differ from equal ones between spaces."""
    if not text:
        return text
    return (text if text[0].isspace() else _FIRST + text) + _LAST


def _in_context(piece: str) -> str:
    """The piece with a space on each side but where the text ends."""
    before, after = ("" if piece.startswith(_FIRST) else " "), ("" if piece.endswith(_LAST) else " ")
    return before + piece.removeprefix(_FIRST).removesuffix(_LAST) + after


class _Characters(Sequence[str]):
    """Every character at its number in Unicode."""

    def __len__(self) -> int:
        return sys.maxunicode + 1

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        numbers = range(len(self))[index]
        return chr(numbers) if isinstance(numbers, int) else list(map(chr, numbers))


CHARACTERS = _Characters()


def code_points(texts: Sequence[str]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """The characters of all texts as numbers, one text after the other, and where each text begins.

    >>> numbers, offsets = code_points(["ab", "", "é"])
    >>> numbers.tolist(), offsets.tolist()
    ([97, 98, 233], [0, 2, 2, 3])
    """
    offsets = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)), out=offsets[1:])
    joined = "".join(texts)
    if joined.isascii():
        return np.frombuffer(joined.encode("ascii"), np.uint8).astype(np.int32), offsets
    pairs = joined.encode("utf-16-le", "surrogatepass")  # half a character counts like any other
    if len(pairs) == 2 * len(joined):  # several times as fast, but only where every character is one of 65,536
        return np.frombuffer(pairs, "<u2").astype(np.int32), offsets
    return np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.int32), offsets
