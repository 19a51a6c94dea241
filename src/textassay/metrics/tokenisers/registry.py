"""Every tokeniser by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textassay.errors import UsageError
from textassay.metrics.tokenisers.porter import porter
from textassay.metrics.tokenisers.rouge_score import rouge_score
from textassay.metrics.tokenisers.unicode_words import unicode_words

TOKENISERS: dict[str, Callable[[str], list[str]]] = {
    "rouge-score": rouge_score,
    "unicode-words": unicode_words,
}
"""Every tokeniser by the name that signatures show."""


@dataclass(frozen=True)
class Tokeniser:
    """How a text becomes words. Metrics with equal tokenisers share one encoding of the text."""

    split: Callable[[str], list[str]]
    """Text to words."""
    word: Callable[[str], str] | None = None
    """What is done to each distinct word afterwards, once: stemming."""

    def words(self, text: str) -> list[str]:
        """The words of one text, as they are compared."""
        words = self.split(text)
        return words if self.word is None else [self.word(word) for word in words]


def tokeniser(name: str, *, stem: bool = False) -> Tokeniser:
    """The tokeniser of that name, with Porter's stemmer on its words if asked for.

    >>> tokeniser("unicode-words", stem=True).words("Running horses")
    ['run', 'hors']
    """
    if name not in TOKENISERS:
        raise UsageError(f"there is no tokeniser named {name!r}; known: {', '.join(sorted(TOKENISERS))}")
    return Tokeniser(TOKENISERS[name], porter if stem else None)
