"""How a text is cut into sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

SentenceSplitter = Callable[[str], Sequence[str]]
"""Text to sentences."""


@cache
def sentence_splitter(how: str, language: str) -> SentenceSplitter:
    r"""`newline`: one sentence per line; `split`: sentences are found by the rules of a language (package sentencex).

    >>> sentence_splitter("newline", "en")("One. Two.\n\nThree.")
    ['One. Two.', 'Three.']
    """
    return _lines if how == "newline" else partial(_found, language)


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


def _found(language: str, text: str) -> list[str]:
    from sentencex import segment  # noqa: PLC0415 -- only those who ask for sentences wait for its models

    return [sentence for sentence in segment(language, text) if sentence.strip()]
