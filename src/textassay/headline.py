"""Headlines: what a reader takes home from an analysis, in sentences that the recipe itself writes.

Only a recipe knows what its numbers mean: that a low rank is a good one, that a preference has two sides, which test
may be believed. A report prints headlines as they are.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SystemName:
    """A system's name inside a sentence."""

    system: str


Sentence = tuple[str | SystemName, ...]


@dataclass(frozen=True)
class Headline:
    """What was found about one criterion or measure.

    >>> Headline("clarity", ((SystemName("a"), " was rated highest."), ("The systems differ.",))).text
    'a was rated highest. The systems differ.'
    """

    subject: str
    """The criterion or measure."""
    sentences: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        """All sentences as plain text."""
        return " ".join(
            "".join(piece.system if isinstance(piece, SystemName) else piece for piece in sentence)
            for sentence in self.sentences
        )
