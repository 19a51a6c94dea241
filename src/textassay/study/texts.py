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
_ATTRIBUTES = {
    "a": {"href", "title"},
    "*": {"lang", "dir", "class"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
}


def markdown(text: str) -> str:
    r"""Markdown as safe HTML.

    >>> markdown("*Hello* <script>alert(1)</script>")
    '<p><em>Hello</em> &lt;script&gt;alert(1)&lt;/script&gt;</p>\n'
    """
    return sanitised(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))


def sanitised(text: str) -> str:
    """HTML with only those tags and attributes left that format text."""
    return nh3.clean(text, tags=_TAGS, attributes=_ATTRIBUTES, url_schemes={"http", "https", "mailto"})


def as_html(text: str, written_as: Literal["text", "markdown", "html"]) -> str:
    """A text of the study as safe HTML, however it is written."""
    if written_as == "markdown":
        return markdown(text)
    if written_as == "html":
        return sanitised(text)
    paragraphs = re.split(r"\n(?:[ \t]*\n)+", text.replace("\r\n", "\n").replace("\r", "\n").strip("\n"))
    return "".join("<p>" + html.escape(part).replace("\n", "<br>") + "</p>" for part in paragraphs)
