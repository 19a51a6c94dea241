"""What a metric is given: hypotheses, each with its own list of references.

`Segments` is the frame that every kind shares. A kind of input is a subclass that says what one value looks like:
`TextSegments` here; orders, annotations, parses and cases join as files of their own, and a metric names its kind in
`takes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
import numpy.typing as npt

from textassay.metrics.checks import Checker
from textassay.metrics.cuts import Cutter, Texts
from textassay.metrics.sentences import EncodedSentences, Splitter
from textassay.metrics.tokenisers import Tokeniser
from textassay.metrics.tokens import Encoded, Encoder

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Segments(Generic[T]):
    """Hypotheses and, for each, its references; at least one each."""

    kind: ClassVar[str]
    """What one value is, as the docs and a study name it: `text`, `order`, `annotation`, `parse`, `case`."""
    value_type: ClassVar[type]
    """What one value must be an instance of."""

    hypotheses: Sequence[T]
    references: Sequence[Sequence[T]]

    @classmethod
    def checked(cls, hypotheses: Any, references: Any, rows: Sequence[str] | None = None) -> Self:
        """Segments from what a caller gave.

        Raises:
            UsageError: the lists do not have the form of one list of references for each hypothesis.
            DataError: a value or a reference is missing; the message names the row.
        """
        return cls(*Checker(cls.kind, cls.value_type, rows).segments(hypotheses, references))

    def __len__(self) -> int:
        return len(self.hypotheses)

    @cached_property
    def first_reference(self) -> npt.NDArray[np.int64]:
        """Where each hypothesis's references begin in the flat list of all, and where the last ones end."""
        first = np.zeros(len(self) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, self.references), np.int64, len(self)), out=first[1:])
        return first

    def take(self, rows: Sequence[int]) -> Self:
        """Some of the segments."""
        return self._part([self.hypotheses[row] for row in rows], [self.references[row] for row in rows])

    def chunks(self, size: int) -> Iterator[Self]:
        """The segments in portions of at most `size`."""
        for start in range(0, len(self), size):
            yield self._part(self.hypotheses[start : start + size], self.references[start : start + size])

    def remembering(self, memory: dict[Any, Any]) -> Self:
        """The same segments, with what was learnt from earlier ones."""
        del memory
        return self

    def _part(self, hypotheses: Sequence[T], references: Sequence[Sequence[T]]) -> Self:
        return type(self)(hypotheses, references)


@dataclass(frozen=True, eq=False)
class EncodedSegments:
    """Text segments as integers."""

    texts: Encoded
    hypotheses: npt.NDArray[np.int64]
    """Each hypothesis's number among the distinct texts."""
    references: npt.NDArray[np.int64]
    """The same for all references, flat."""
    first_reference: npt.NDArray[np.int64]

    @property
    def paired_hypotheses(self) -> npt.NDArray[np.int64]:
        """For each reference, the number of its hypothesis among the distinct texts."""
        return np.repeat(self.hypotheses, np.diff(self.first_reference))


@dataclass(frozen=True)
class Memory:
    """What chunks of text learn from each other."""

    encoders: dict[Tokeniser, Encoder] = field(default_factory=dict)
    cutter: Cutter = field(default_factory=Cutter)


@dataclass(frozen=True, eq=False)
class TextSegments(Segments[str]):
    """Segments of plain text."""

    kind: ClassVar[str] = "text"
    value_type: ClassVar[type] = str

    _memory: Memory = field(default_factory=Memory, repr=False)
    """Shared with all chunks, so that what was learnt from one serves the next."""
    _encoded: dict[Tokeniser, EncodedSegments] = field(default_factory=dict, init=False, repr=False)
    _sentences: dict[tuple[Tokeniser, Splitter], EncodedSentences] = field(default_factory=dict, init=False, repr=False)

    def tokens(self, tokeniser: Tokeniser) -> EncodedSegments:
        """The segments as integers; made once for all metrics that ask with an equal tokeniser."""
        if tokeniser not in self._encoded:
            texts = self._encoder(tokeniser).encode(self._texts)
            hypotheses, references = texts.rows[: len(self)], texts.rows[len(self) :]
            self._encoded[tokeniser] = EncodedSegments(texts, hypotheses, references, self.first_reference)
        return self._encoded[tokeniser]

    @cached_property
    def _texts(self) -> Texts:
        """All texts, hypotheses first, cut once for all tokenisers."""
        return Texts([*self.hypotheses, *chain.from_iterable(self.references)], self._memory.cutter)

    def sentences(self, tokeniser: Tokeniser, split: Splitter) -> EncodedSentences:
        """The segments as sentences as integers; made once for all metrics that ask for the same."""
        if (tokeniser, split) not in self._sentences:
            texts = [split(text) for text in chain(self.hypotheses, chain.from_iterable(self.references))]
            sentences = Texts(list(chain.from_iterable(texts)), self._memory.cutter)
            encoded = self._encoder(tokeniser).encode(sentences)
            first = np.cumsum([0, *map(len, texts)], dtype=np.int64)
            self._sentences[tokeniser, split] = EncodedSentences(encoded, first)
        return self._sentences[tokeniser, split]

    def remembering(self, memory: dict[Any, Any]) -> Self:
        """The same segments, with the encoders of earlier ones."""
        return type(self)(self.hypotheses, self.references, memory.setdefault(TextSegments, Memory()))

    def __reduce__(self) -> tuple[Any, ...]:
        # Encoders stay where they are: whoever gets the segments has some, or makes them.
        return type(self), (self.hypotheses, self.references)

    def _encoder(self, tokeniser: Tokeniser) -> Encoder:
        if tokeniser not in self._memory.encoders:
            self._memory.encoders[tokeniser] = Encoder(tokeniser)
        return self._memory.encoders[tokeniser]

    def _part(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Self:
        return type(self)(hypotheses, references, self._memory)
