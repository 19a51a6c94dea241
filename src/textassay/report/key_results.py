"""The headlines of all sections, each with the figure that shows it.

What they say is written by the recipes; nothing is computed or worded here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textassay.headline import Headline, Sentence
from textassay.report.summary import Section

_MOST_ROWS = 12
"""A figure with more systems is too tall for the key results."""


@dataclass(frozen=True)
class KeyResult:
    """A headline in its place."""

    subject: str
    sentences: tuple[Sentence, ...]
    section: int
    """Which section it comes from, counted from 0."""
    figure: int | None = None
    """Which figure of the section shows it, counted from 0."""


def key_results(sections: Sequence[Section]) -> list[KeyResult]:
    """All headlines, in the order of the report."""
    return [
        KeyResult(headline.subject, headline.sentences, place, _figure(headline, section))
        for place, section in enumerate(sections)
        for headline in section.analysis.headlines
    ]


def _figure(headline: Headline, section: Section) -> int | None:
    for index, figure in enumerate(section.analysis.figures):
        if figure.name == headline.figure:
            return index if len(figure.data.get("groups", ())) <= _MOST_ROWS else None
    return None
