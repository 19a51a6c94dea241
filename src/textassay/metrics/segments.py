"""What a metric is given: hypotheses, each with its own list of references.

`Segments` is the frame that every kind shares. A kind of input is a subclass that says what one value looks like:
`TextSegments` here; orders, annotations, parses and cases join as files of their own, and a metric names its kind in
`takes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import Any, ClassVar, Generic, Self, TypeVar, cast

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.metrics.columns import picked
from textassay.metrics.segment_checks import Checker
from textassay.metrics.sentences import SentenceSplitter
from textassay.metrics.tokenisers import Tokeniser
from textassay.metrics.tokenisers.frozen_unicode import lower_case
from textassay.metrics.tokens import Cutter, DistinctTexts, EncodedTexts, Encoder
from textassay.text_block import OneEach, all_texts, as_list, flat, identical_texts

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class EncodedSentences:
    """Texts as sentences as integers: all hypotheses, then all references."""

    texts: EncodedTexts
    """The distinct sentences; its `rows` are the sentences that the texts are made of, text after text."""
    first_sentence: npt.NDArray[np.int64]
    """Where each text begins in those rows, and where the last one ends."""

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Words in each text."""
        words = np.zeros(len(self.texts.rows) + 1, dtype=np.int64)
        np.cumsum(self.texts.lengths[self.texts.rows], out=words[1:])
        return np.diff(words[self.first_sentence])

    def sentence_lists(self) -> Iterator[list[list[int]]]:
        """Each text as a list of sentences, each a list of words."""
        bounds = zip(self.texts.offsets[:-1].tolist(), self.texts.offsets[1:].tolist(), strict=True)
        tokens = self.texts.tokens.tolist()
        sentences = [tokens[start:end] for start, end in bounds]
        for start, end in pairwise(self.first_sentence.tolist()):
            yield [sentences[row] for row in self.texts.rows[start:end].tolist()]


@dataclass(frozen=True, eq=False)
class Segments(Generic[T]):
    """Hypotheses and, for each, its references: at least one each, or none at all where metrics need none."""

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

    @classmethod
    def alone(cls, hypotheses: Any, rows: Sequence[str] | None = None) -> Self:
        """Segments without references, for metrics that need none; checked like others."""
        listed = list(hypotheses) if isinstance(hypotheses, list | tuple) else hypotheses
        paired = cls.checked(listed, [[each] for each in listed] if isinstance(listed, list) else [], rows)
        return paired._part(paired.hypotheses, [()] * len(paired))  # noqa: SLF001 -- its own kind

    @classmethod
    def listed_references(cls, hypothesis: Any, references: Any) -> list[Any]:
        """The references of one hypothesis as a list; one alone need not be in one.

        Raises:
            UsageError: they or the hypothesis are of another kind.
            DataError: there is none, or one is missing.
        """
        del hypothesis
        if isinstance(references, cls.value_type | str):
            return [references]
        return Checker(cls.kind, cls.value_type, None).references(references)

    def with_sources(self, sources: Any, rows: Sequence[str] | None = None) -> Self:
        """The segments with what each hypothesis was made from: one source each.

        Raises:
            UsageError: values of this kind have no sources, or there is not one for each hypothesis.
            DataError: a source is missing; the message names the row.
        """
        del sources, rows
        raise UsageError(f"only texts have sources, not {self.kind}s; omit the sources")

    def named(self, rows: Sequence[str]) -> Self:
        """The segments with names for the hypotheses, shown in messages; kinds that check nothing later have none."""
        del rows
        return self

    def __len__(self) -> int:
        return len(self.hypotheses)

    @cached_property
    def first_reference(self) -> npt.NDArray[np.int64]:
        """Where each hypothesis's references begin in the flat list of all, and where the last ones end."""
        if isinstance(self.references, OneEach):
            return np.arange(len(self) + 1)
        first = np.zeros(len(self) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, self.references), np.int64, len(self)), out=first[1:])
        return first

    def identical(self) -> npt.NDArray[np.bool_] | None:
        """For each hypothesis whether it is one of its references; None for a kind where that is nothing unusual."""
        return None

    def take(self, rows: Sequence[int]) -> Self:
        """Some of the segments."""
        return self._part(picked(self.hypotheses, rows), picked(self.references, rows))

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

    texts: EncodedTexts
    """Equal words of hypotheses, references and sources have equal numbers."""
    hypotheses: npt.NDArray[np.int64]
    """Each hypothesis's number among the distinct texts."""
    references: npt.NDArray[np.int64]
    """The same for all references, flat."""
    first_reference: npt.NDArray[np.int64]
    sources: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    """The same for the sources, one per hypothesis; none unless they were asked for."""

    @property
    def paired_hypotheses(self) -> npt.NDArray[np.int64]:
        """For each reference, the number of its hypothesis among the distinct texts."""
        return np.repeat(self.hypotheses, np.diff(self.first_reference))

    def empty(self, hypotheses: str, references: str) -> dict[str, int]:
        """How many hypotheses and references have no words, under what a metric says of them."""
        without = self.texts.lengths == 0
        return {hypotheses: int(without[self.hypotheses].sum()), references: int(without[self.references].sum())}


@dataclass(frozen=True)
class Memory:
    """What chunks of text learn from each other."""

    encoders: dict[Tokeniser, Encoder] = field(default_factory=dict)

    @cached_property
    def cutter(self) -> Cutter:
        """Made when it is first asked for: metrics that read strings need none."""
        return Cutter()


@dataclass(frozen=True, eq=False)
class TextSegments(Segments[str]):
    """Segments of plain text."""

    kind: ClassVar[str] = "text"
    value_type: ClassVar[type] = str

    sources: Sequence[str] | None = None
    """What each hypothesis was made from, where a metric needs it."""
    _memory: Memory = field(default_factory=Memory, repr=False)
    """Shared with all chunks, so that what was learnt from one serves the next."""
    _encoded: dict[tuple[Tokeniser, bool], EncodedSegments] = field(default_factory=dict, init=False, repr=False)
    _made: dict[tuple[object, ...], object] = field(default_factory=dict, init=False, repr=False)
    _sentences: dict[tuple[Tokeniser, SentenceSplitter], EncodedSentences] = field(
        default_factory=dict, init=False, repr=False
    )

    @classmethod
    def listed_references(cls, hypothesis: Any, references: Any) -> list[str]:
        """See `Segments.listed_references`; both are checked, for a quick way looks at them without segments."""
        if type(hypothesis) is str and type(references) is str:
            return [references]
        return Checker(cls.kind, cls.value_type, None).one(hypothesis, references)

    def identical(self) -> npt.NDArray[np.bool_]:
        """See `Segments.identical`."""
        return identical_texts(self.hypotheses, self.references)

    def tokens(self, tokeniser: Tokeniser, *, sources: bool = False) -> EncodedSegments:
        """The segments as integers, on request with their sources; made once for all metrics that ask for the same."""
        if (tokeniser, sources) not in self._encoded:
            texts = self._encoder(tokeniser).encode(self._texts_and_sources if sources else self._texts)
            hypotheses, references, others = np.split(texts.rows, [len(self), len(self) + self.first_reference[-1]])
            self._encoded[tokeniser, sources] = EncodedSegments(
                texts, hypotheses, references, self.first_reference, others
            )
        return self._encoded[tokeniser, sources]

    def string_pairs(self, *, lower: bool) -> tuple[list[str], list[str]]:
        """Each reference and its hypothesis as they are, or in lower case, for kernels that read strings."""
        hypotheses, references = as_list(self.hypotheses), as_list(flat(self.references))
        if not isinstance(self.references, OneEach):
            counts = np.diff(self.first_reference)
            hypotheses = [text for text, count in zip(hypotheses, counts.tolist(), strict=True) for _ in range(count)]
        if lower:
            return list(map(lower_case, references)), list(map(lower_case, hypotheses))
        return references, hypotheses

    def once(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """What is made of these segments, made once for all who ask under the same key."""
        if key not in self._made:
            self._made[key] = make()
        return cast("T", self._made[key])

    @cached_property
    def _texts(self) -> DistinctTexts:
        """All texts, hypotheses first, cut once for all tokenisers."""
        return DistinctTexts(all_texts(self.hypotheses, self.references), self._memory.cutter)

    @cached_property
    def _texts_and_sources(self) -> DistinctTexts:
        """The same with the sources at the end; metrics that do not need those, often long, do not wait for them."""
        texts = [*self.hypotheses, *flat(self.references), *(self.sources or ())]
        return DistinctTexts(texts, self._memory.cutter)

    def with_sources(self, sources: Any, rows: Sequence[str] | None = None) -> Self:
        """The segments with what each was made from; see `Segments.with_sources`."""
        found = Checker(self.kind, self.value_type, rows).sources(sources, len(self))
        return type(self)(self.hypotheses, self.references, found, self._memory)

    def take(self, rows: Sequence[int]) -> Self:
        """Some of the segments."""
        part = super().take(rows)
        return part if self.sources is None else replace(part, sources=picked(self.sources, rows))

    def chunks(self, size: int) -> Iterator[Self]:
        """The segments in portions of at most `size`."""
        for start, part in zip(range(0, len(self), size), super().chunks(size), strict=True):
            yield part if self.sources is None else replace(part, sources=self.sources[start : start + size])

    def sentences(self, tokeniser: Tokeniser, split: SentenceSplitter) -> EncodedSentences:
        """The segments as sentences as integers; made once for all metrics that ask for the same."""
        if (tokeniser, split) not in self._sentences:
            texts = [split(text) for text in chain(self.hypotheses, flat(self.references))]
            sentences = DistinctTexts(list(chain.from_iterable(texts)), self._memory.cutter)
            encoded = self._encoder(tokeniser).encode(sentences)
            first = np.cumsum([0, *map(len, texts)], dtype=np.int64)
            self._sentences[tokeniser, split] = EncodedSentences(encoded, first)
        return self._sentences[tokeniser, split]

    def remembering(self, memory: dict[Any, Any]) -> Self:
        """The same segments, with the encoders of earlier ones."""
        return type(self)(self.hypotheses, self.references, self.sources, memory.setdefault(TextSegments, Memory()))

    def __reduce__(self) -> tuple[Any, ...]:
        # Encoders stay in their process: the one that gets the segments has some, or makes them.
        return type(self), (self.hypotheses, self.references, self.sources)

    def _encoder(self, tokeniser: Tokeniser) -> Encoder:
        if tokeniser not in self._memory.encoders:
            self._memory.encoders[tokeniser] = Encoder(tokeniser)
        return self._memory.encoders[tokeniser]

    def _part(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Self:
        return type(self)(hypotheses, references, None, self._memory)
