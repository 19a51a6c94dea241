"""Texts with marked spans, as reports, study pages and terminals show them.

A span has a label in words and a tone, which stands for a colour and a kind of underline; the label says what the tone
says, so that nothing is told by colour alone. Spans may nest, and may overlap: a mark is then closed and opened again.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

TONES = 8
"""How many tones there are; the last is for everything that has none of its own. 0 is for what belongs to nothing."""


@dataclass(frozen=True)
class MarkedSpan:
    """A part of a paragraph: the characters from `start` up to, not including, `end`."""

    start: int
    end: int
    label: str
    """What it is, in a word or two, shown after it."""
    tone: int = 0
    """From 0 to `TONES`."""
    tip: str = ""
    """What a reader sees when pointing at it."""


@dataclass(frozen=True)
class MarkedParagraph:
    """A paragraph with its spans, in any order."""

    text: str
    spans: tuple[MarkedSpan, ...] = ()


@dataclass(frozen=True)
class MarkedText:
    """A text with marked spans.

    >>> spans = MarkedSpan(0, 9, "a part", 1), MarkedSpan(4, 9, "a name", 2)
    >>> MarkedText("t", "T", (MarkedParagraph("The <cat> sat.", spans),)).plain
    '[The [<cat> | a name] | a part] sat.'
    """

    name: str
    """Unique among the texts of a page: lower case, words joined by hyphens."""
    title: str
    paragraphs: tuple[MarkedParagraph, ...]
    legend: tuple[tuple[int, str], ...] = ()
    """Tones and what they stand for."""
    notes: tuple[str, ...] = ()
    """Sentences that belong under the text."""
    detail: bool = False
    """Whether a reader may pass over it at first: reports show it folded."""

    @property
    def html(self) -> str:
        """The paragraphs as safe HTML, without title, legend and notes."""
        return "".join(f"<p>{''.join(_in_html(paragraph))}</p>" for paragraph in self.paragraphs)

    @property
    def plain(self) -> str:
        """The text with brackets around its spans, one line per paragraph."""
        return "\n".join("".join(_in_brackets(paragraph)) for paragraph in self.paragraphs)


_Step = tuple[Literal["open", "part", "end"], MarkedSpan] | str
"""A mark opens, stops for a while, or ends; or a stretch of text."""


def _in_html(paragraph: MarkedParagraph) -> Iterator[str]:
    for step in _steps(paragraph):
        if isinstance(step, str):
            yield html.escape(step)
            continue
        what, span = step
        tip = f' title="{html.escape(span.tip)}"' if span.tip else ""
        label = f'<span class="of"> {html.escape(span.label)}</span>' if what == "end" else ""
        yield f'<mark class="event tone-{span.tone:d}"{tip}>' if what == "open" else f"{label}</mark>"


def _in_brackets(paragraph: MarkedParagraph) -> Iterator[str]:
    for step in _steps(paragraph):
        if isinstance(step, str):
            yield step
        else:
            what, span = step
            yield {"open": "[", "part": "…]", "end": f" | {span.label}]"}[what]


def _steps(paragraph: MarkedParagraph) -> Iterator[_Step]:
    """The paragraph from left to right; what is opened last is always closed first."""
    text, spans = paragraph.text, sorted(paragraph.spans, key=lambda span: (span.start, -span.end))
    places = sorted({0, len(text), *(end for span in spans for end in (span.start, span.end))})
    opened: list[MarkedSpan] = []
    for place, following in zip(places, [*places[1:], len(text)], strict=True):
        ending = [span for span in opened if span.end <= place]
        again: list[MarkedSpan] = []
        while ending:
            span = opened.pop()
            if span in ending:
                ending.remove(span)
                yield "end", span
            else:
                again.insert(0, span)
                yield "part", span
        for span in (span for span in spans if span.start == span.end == place):
            yield from (("open", span), ("end", span))
        for span in (*again, *(span for span in spans if span.start == place < span.end)):
            opened.append(span)
            yield "open", span
        yield text[place:following]
