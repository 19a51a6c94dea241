"""Texts cut into sentences, for metrics that compare sentence by sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from textassay.metrics.tokens import Encoded

Splitter = Callable[[str], Sequence[str]]
"""Text to sentences."""


@dataclass(frozen=True, eq=False)
class EncodedSentences:
    """Texts as sentences as integers: all hypotheses, then all references."""

    texts: Encoded
    """The distinct sentences; its `rows` are the sentences that the texts are made of, text after text."""
    first_sentence: npt.NDArray[np.int64]
    """Where each text begins in those rows, and where the last one ends."""

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Words in each text."""
        words = np.zeros(len(self.texts.rows) + 1, dtype=np.int64)
        np.cumsum(self.texts.lengths[self.texts.rows], out=words[1:])
        return np.diff(words[self.first_sentence])


@cache
def sentence_splitter(how: str, language: str) -> Splitter:
    r"""`newline`: a sentence a line; `split`: sentences are found by the rules of a language (package sentencex).

    >>> sentence_splitter("newline", "en")("One. Two.\n\nThree.")
    ['One. Two.', 'Three.']
    """
    return _lines if how == "newline" else partial(_found, language)


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


def _found(language: str, text: str) -> list[str]:
    from sentencex import segment  # noqa: PLC0415 -- only those who ask for sentences wait for its models

    return [sentence for sentence in segment(language, text) if sentence.strip()]
