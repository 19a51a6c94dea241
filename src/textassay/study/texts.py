"""Markdown and HTML of a study, made safe to show."""

from __future__ import annotations

import html
import re
from typing import Literal

import nh3
from markdown_it import MarkdownIt

_TAGS = {
    "a", "abbr", "b", "blockquote", "br", "caption", "code", "dd", "div", "dl", "dt", "em", "h1", "h2", "h3", "h4",
    "hr", "i", "li", "mark", "ol", "p", "pre", "q", "s", "small", "span", "strong", "sub", "sup", "table", "tbody",
    "td", "th", "thead", "tr", "u", "ul",
}  # fmt: skip
_ATTRIBUTES = {"*": {"lang", "dir"}, "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"}}
_OF_LINKS = {"a": {"href", "title"}}
_CLASSES = {"mark": {"same", "different"}}
"""Marked spans where two texts agree and where they differ; any other class could tell who wrote a text."""


def markdown(text: str, *, links: bool = True) -> str:
    r"""Markdown as safe HTML.

    >>> markdown("*Hello* <script>alert(1)</script>")
    '<p><em>Hello</em> &lt;script&gt;alert(1)&lt;/script&gt;</p>\n'
    """
    return sanitised(MarkdownIt("commonmark", {"html": False}).enable("table").render(text), links=links)


def sanitised(text: str, *, links: bool = True) -> str:
    """HTML with only those tags and attributes left that format text; links lead elsewhere only if they may."""
    attributes = {**_ATTRIBUTES, **(_OF_LINKS if links else {})}
    schemes = {"http", "https", "mailto"}
    return nh3.clean(text, tags=_TAGS, attributes=attributes, allowed_classes=_CLASSES, url_schemes=schemes)


def as_html(text: str, written_as: Literal["text", "markdown", "html"]) -> str:
    """A text under study as safe HTML, however it is written; no link or class in it may tell who wrote it."""
    if written_as == "markdown":
        return markdown(text, links=False)
    if written_as == "html":
        return sanitised(text, links=False)
    paragraphs = re.split(r"\n(?:[ \t]*\n)+", text.replace("\r\n", "\n").replace("\r", "\n").strip("\n"))
    return "".join("<p>" + html.escape(part).replace("\n", "<br>") + "</p>" for part in paragraphs)
