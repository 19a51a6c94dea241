"""Markdown, HTML and marked spans of a study as safe HTML.

`<mark class="same">` is what two texts have in common, `<mark class="different">` what only one of them has.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from math import ceil
from typing import Literal
from unicodedata import east_asian_width

import nh3
from markdown_it import MarkdownIt

from textassay.study.markdown_texts import LONGEST, markdown_html

_TAGS = {
    "abbr", "b", "blockquote", "br", "caption", "code", "dd", "div", "dl", "dt", "em", "h1", "h2", "h3", "h4",
    "h5", "h6", "hr", "i", "li", "mark", "ol", "p", "pre", "q", "s", "small", "span", "strong", "sub", "sup", "table",
    "tbody", "td", "th", "thead", "tr", "u", "ul",
}  # fmt: skip
_ATTRIBUTES = {"*": {"lang", "dir"}, "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"}}
_OF_LINKS = {"a": {"href", "title"}}
_HEADING = re.compile(r"<(/?)h([1-6])\b")
_ABOVE = 2
"""Levels of headings that the page has above a text: its place in the study, and the name of the text."""
_CLASSES = {"mark": {"same", "different"}}
"""Marked spans where two texts agree and where they differ; any other class could reveal the author of a text."""


def markdown(text: str) -> str:
    r"""Markdown that the researcher wrote, such as instructions, as safe HTML.

    >>> markdown("*Hello* <script>alert(1)</script>")
    '<p><em>Hello</em> &lt;script&gt;alert(1)&lt;/script&gt;</p>\n'
    """
    return sanitised(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))


def sanitised(text: str, *, links: bool = True) -> str:
    """HTML with only the tags and attributes that format text; links only if allowed, else their words alone."""
    tags, attributes = (_TAGS | {"a"}, {**_ATTRIBUTES, **_OF_LINKS}) if links else (_TAGS, _ATTRIBUTES)
    schemes = {"http", "https", "mailto"}
    return nh3.clean(text, tags=tags, attributes=attributes, allowed_classes=_CLASSES, url_schemes=schemes)


def as_html(text: str, written_as: Literal["text", "markdown", "html"]) -> str:
    """A text under study as safe HTML, whatever its format; no link or class in it may reveal its author.

    Headings are below those of the page, and a table can scroll within its box. A Markdown text that is longer than
    anybody reads is shown as it is written.
    """
    if written_as == "markdown" and len(text) <= LONGEST:
        return _within_page(sanitised(markdown_html(text), links=False))
    if written_as == "html":
        return _within_page(sanitised(text, links=False))
    paragraphs = re.split(r"\n(?:[ \t]*\n)+", text.replace("\r\n", "\n").replace("\r", "\n").strip("\n"))
    return "".join("<p>" + html.escape(part).replace("\n", "<br>") + "</p>" for part in paragraphs)


def _within_page(text: str) -> str:
    """Sanitised HTML, in which every angle bracket belongs to a tag, made to fit into a page."""
    text = _HEADING.sub(lambda tag: f"<{tag[1]}h{min(6, int(tag[2]) + _ABOVE)}", text)
    return text.replace("<table", '<div class="scrolls"><table').replace("</table>", "</table></div>")


_LINE_ENDS = re.compile(r"<br>|</(?:p|li|tr|h[1-6])>|\n")
_CODE = re.compile(r"(<pre\b.*?</pre>)", re.DOTALL)
_TAG = re.compile("<[^>]*>")
_CHARACTERS_A_LINE = 60
_LONG = 22
"""Lines of a passage that has a scroll area of its own where there is room beside it, and can be closed elsewhere."""


def is_long(text: str) -> bool:
    """Whether a passage, as HTML, is so long that the rest of the page would scroll away."""
    flowing = _CODE.split(text)
    flowing[::2] = [part.replace("\n", " ") for part in flowing[::2]]  # lines end as written in code only
    lines = [_TAG.sub("", line) for line in _LINE_ENDS.split("".join(flowing))]
    return sum(ceil(_width(line) / _CHARACTERS_A_LINE) for line in lines) > _LONG


def _width(line: str) -> int:
    """The width of a line in characters; Chinese, Japanese and Korean ones are twice as wide."""
    return len(line) + (0 if line.isascii() else sum(east_asian_width(character) in "WF" for character in line))


Mark = Literal["same", "different"]
_PIECE = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True)
class Span:
    """A part of a text: the characters from `start` up to, not including, `end`."""

    start: int
    end: int
    mark: Mark


def compare_texts(first: str, second: str) -> tuple[list[Span], list[Span]]:
    """The spans of both texts in which their words are the same or different.

    The words are aligned so that the longest run of common words stays together, then the next to its left and right
    (Ratcliff and Obershelp), without regard to case; punctuation counts as a word of its own.

    >>> spans, _ = compare_texts("the red ball", "the ball")
    >>> [("the red ball"[span.start : span.end], span.mark) for span in spans]
    [('the', 'same'), ('red', 'different'), ('ball', 'same')]
    """
    one, other = _words(first), _words(second)
    mine, theirs = ([word.casefold() for _, word in words] for words in (one, other))
    # Without autojunk, which would ignore the most frequent words of long texts.
    blocks = SequenceMatcher(None, mine, theirs, autojunk=False).get_matching_blocks()
    same_in_first = {place for block in blocks for place in range(block.a, block.a + block.size)}
    same_in_second = {place for block in blocks for place in range(block.b, block.b + block.size)}
    return _spans(first, one, same_in_first), _spans(second, other, same_in_second)


def marked(text: str, spans: Sequence[Span]) -> str:
    """The text as HTML with its spans marked; paragraphs and lines are kept.

    >>> marked("a < b", [Span(0, 1, "same")])
    '<p><mark class="same">a</mark> &lt; b</p>'
    """
    return "<p>" + "".join(_pieces(text, spans)).replace("\n\n", "</p><p>").replace("\n", "<br>") + "</p>"


def find_spans(text: str, same: Sequence[str], different: Sequence[str]) -> list[Span]:
    """Spans with the given words: every occurrence in the text, longer ones first; later ones do not overlap them."""
    found: list[Span] = []
    parts: list[tuple[str, Mark]] = [*((part, "same") for part in same), *((part, "different") for part in different)]
    for part, mark in sorted(parts, key=lambda each: -len(each[0])):
        for match in re.finditer(re.escape(part), text) if part else ():
            if not any(match.start() < span.end and span.start < match.end() for span in found):
                found.append(Span(match.start(), match.end(), mark))
    return sorted(found, key=lambda span: span.start)


def _words(text: str) -> list[tuple[int, str]]:
    """The words with their places."""
    return [(match.start(), match[0]) for match in _PIECE.finditer(text) if not match[0].isspace()]


def _spans(text: str, words: Sequence[tuple[int, str]], same: set[int]) -> list[Span]:
    """Neighbouring words of one kind as one span; none reaches over the end of a line."""
    spans: list[Span] = []
    for place, (start, word) in enumerate(words):
        mark: Mark = "same" if place in same else "different"
        before = spans[-1] if spans else None
        if before is not None and before.mark == mark and "\n" not in text[before.end : start]:
            spans[-1] = Span(before.start, start + len(word), mark)
        else:
            spans.append(Span(start, start + len(word), mark))
    return spans


def _pieces(text: str, spans: Sequence[Span]) -> Iterator[str]:
    done = 0
    for span in sorted(spans, key=lambda span: span.start):
        start = max(done, span.start)
        if start >= span.end:
            continue
        yield html.escape(text[done:start])
        # A mark inside a paragraph only: it is closed and opened again where a line ends.
        lines = html.escape(text[start : span.end]).split("\n")
        yield "\n".join(f'<mark class="{span.mark}">{line}</mark>' if line else "" for line in lines)
        done = span.end
    yield html.escape(text[done:])
