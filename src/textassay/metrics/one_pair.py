"""One hypothesis at a time: words without an encoder, for `Metric.one`.

A reward loop or a column of a data frame asks for one score per call, where the arrays of a batch cost more than the
counting. Words stay strings here; the kernels' functions for one pair compare them as they are or number them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from textassay.metrics.tokenisers import Tokeniser
from textassay.metrics.tokenisers.frozen_unicode import lower_case
from textassay.metrics.tokenisers.words import rouge_score, white_space

MOST_PIECES = 1 << 16
"""A reader that remembers more pieces than this starts over, so that its memory has a bound."""
FEW = 2
"""New pieces of a text that are sooner cut one by one than together."""
LONGEST_PIECE = 64
"""Characters; a longer piece, as in text without spaces, hardly comes again and is not remembered."""


class WordReader:
    """The words of one text at a time, as the encoder of its tokeniser finds them.

    What each piece between white space becomes is remembered, up to a bound. Several threads may share a reader: what
    one forgets another looks up again.

    >>> from textassay.metrics.tokenisers import tokeniser
    >>> word_reader(tokeniser("13a"))("It's late, no?")
    ["It's", 'late', ',', 'no', '?']
    """

    def __init__(self, tokeniser: Tokeniser) -> None:
        self._tokeniser = tokeniser
        self._known = _Pieces(tokeniser)
        splitter = tokeniser.splitter
        as_it_is = not (tokeniser.stem or tokeniser.stop_words)
        self.read: Callable[[str], Sequence[str]]
        """Text to words; characters may come as one string."""
        if as_it_is and splitter.words in (white_space, str.split):
            self.read = _lowered_words if tokeniser.lower else str.split
        elif as_it_is and splitter.characters:
            self.read = self._cut
        elif splitter.whole or splitter.characters or splitter.edges:
            self.read = tokeniser.words
        elif splitter.words is rouge_score and as_it_is and not tokeniser.lower:
            self.read = rouge_score  # quick with any text as it is
        elif as_it_is and splitter.quick is not None:
            self.read = self._quickly
        else:
            self.read = self._by_pieces

    def __call__(self, text: str) -> Sequence[str]:
        """The words of the text."""
        return self.read(text)

    def __reduce__(self) -> tuple[Any, ...]:
        # What is remembered stays in its process.
        return word_reader, (self._tokeniser,)

    def _cut(self, text: str) -> Sequence[str]:
        return self._tokeniser.cut(self._tokeniser.prepared(text))

    def _quickly(self, text: str) -> Sequence[str]:
        tokeniser = self._tokeniser
        splitter = tokeniser.splitter
        whole = tokeniser.prepared(text) if splitter.glue else text
        if tokeniser.lower:
            whole = lower_case(whole)
        cut = None if splitter.quick is None else splitter.quick(whole.encode("utf-8", "surrogatepass"))
        return self._by_pieces(text) if cut is None else cut.decode("utf-8", "surrogatepass").split()

    def _by_pieces(self, text: str) -> list[str]:
        known = self._known
        if self._tokeniser.splitter.glue:
            text = self._tokeniser.prepared(text)
        pieces = text.split()
        new = [piece for piece in pieces if piece not in known]
        if len(new) > FEW:
            known.learn(new)
        return [word for piece in pieces for word in known[piece]]


def _lowered_words(text: str) -> list[str]:
    return lower_case(text).split()


class _Pieces(dict[str, Sequence[str]]):
    """Piece to words."""

    def __init__(self, tokeniser: Tokeniser) -> None:
        super().__init__()
        self._tokeniser = tokeniser

    def learn(self, pieces: Sequence[str]) -> None:
        """Many at once, if the tokeniser can."""
        lines = self._tokeniser.cut_lines("\n".join(pieces))
        if lines is not None:
            for piece, line in zip(pieces, lines.split("\n"), strict=True):
                self._keep(piece, line.split())

    def __missing__(self, piece: str) -> Sequence[str]:
        return self._keep(piece, self._tokeniser.cut(piece))

    def _keep(self, piece: str, cut: Sequence[str]) -> Sequence[str]:
        words = [word for word in map(self._tokeniser.meant, cut) if word]
        if len(piece) <= LONGEST_PIECE:
            if len(self) >= MOST_PIECES:
                self.clear()
            self[piece] = words
        return words


@lru_cache(maxsize=16)
def word_reader(tokeniser: Tokeniser) -> WordReader:
    """The reader of that tokeniser, one for all metrics that share it."""
    return WordReader(tokeniser)
