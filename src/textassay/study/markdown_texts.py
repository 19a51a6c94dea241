r"""Texts in Markdown, as models write them: code, tables, lists and formulas, as HTML that is not yet sanitised.

Raw HTML is shown as it is written, an image by its description, and formulas (`$…$`, `$$…$$`, `\(…\)`, `\[…\]`)
without any change.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, MutableMapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

if TYPE_CHECKING:
    from textassay.study.study import Study

LONGEST = 50_000
"""Characters of a text that is formatted; no participant reads a longer one, and hostile ones take seconds."""

_FORMULA = re.compile(
    r"\$\$[^$]{1,4000}\$\$|\$(?![\s$])[^$\n]{1,1000}(?<!\s)\$(?!\d)|\\\([^\n]{1,1000}?\\\)|\\\[.{1,4000}?\\\]"
)
_FORMULA_LINES = {"$$": "$$", "\\[": "\\]"}
_MOST_LINES = 30
"""Of a formula."""


@lru_cache(maxsize=512)  # the pages of a study show the same texts again and again
def markdown_html(text: str) -> str:
    r"""The text as HTML.

    >>> markdown_html("# Sum\n\n$a_1 * b_1 * c$ is **large**")
    '<h1>Sum</h1>\n<p>$a_1 * b_1 * c$ is <strong>large</strong></p>\n'
    """
    rendered: str = _markdown().render(text)
    return rendered


@cache
def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    markdown.inline.ruler.before("escape", "formula", _formula)
    markdown.block.ruler.before("fence", "formula_lines", _formula_lines, {"alt": ["paragraph"]})
    markdown.add_render_rule("image", _image)
    markdown.add_render_rule("formula_lines", _as_written)
    return markdown


def _formula(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 -- markdown-it calls it so
    if state.src[state.pos] not in "$\\":
        return False
    found = _FORMULA.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("text", "", 0).content = found[0]
    state.pos = found.end()
    return True


def _formula_lines(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 -- as above
    """A formula on lines of its own, which may look like lists, headings or code."""
    first = _line(state, start)
    closes = _FORMULA_LINES.get(first[:2])
    if closes is None or state.is_code_block(start):
        return False
    last = None
    for line in range(start, min(end, start + _MOST_LINES)):
        if _line(state, line)[2 * (line == start) :].endswith(closes):
            last = line
            break
    if last is None:
        return False
    if not silent:
        token = state.push("formula_lines", "", 0)
        token.content = "\n".join(_line(state, line) for line in range(start, last + 1))
        token.map = [start, last + 1]
    state.line = last + 1
    return True


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].strip()


def _as_written(_self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: MutableMapping[str, Any]) -> str:
    return "<p>" + html.escape(tokens[index].content).replace("\n", "<br>") + "</p>\n"


def _image(self: Any, tokens: Sequence[Token], index: int, options: Any, env: MutableMapping[str, Any]) -> str:
    """An image by its description: nothing is loaded from elsewhere."""
    return html.escape(self.renderInlineAsText(tokens[index].children or [], options, env))


_MARKS = re.compile(r"^ {0,3}(?:```|~~~|#{1,6} \S|\|?[ :]*-{3,}[ :]*\|)|\*\*\S[^*\n]*\*\*", re.MULTILINE)


def markdown_warnings(study: Study) -> Iterator[str]:
    """Blocks whose texts look like Markdown but are shown as plain text."""
    seen = [found for text in study.texts.values() if (found := _MARKS.search(text))]
    if not seen:
        return
    share = f"{len(seen)} of {len(study.texts)} texts have Markdown marks such as {_shortened(seen[0][0])!r}"
    for block in study.blocks:
        if block.settings.texts_are == "text":
            where = f"block {block.name!r}: " if len(study.blocks) > 1 else ""
            yield f"{where}{share}, which are shown as they are; set 'texts_are: markdown' to show them formatted"


def _shortened(mark: str, most: int = 20) -> str:
    mark = mark.strip()
    return mark if len(mark) <= most else mark[: most - 1] + "…"
