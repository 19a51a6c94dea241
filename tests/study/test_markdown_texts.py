"""Markdown as models write it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from small_study import write_small_study

from textassay.study.load import load_study
from textassay.study.markdown_texts import markdown_html, markdown_warnings


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("- a\n  - b\n", "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>\n"),
        ("`x = 1` ~~old~~", "<p><code>x = 1</code> <s>old</s></p>\n"),
        ("```python\nx = '<a>'\n```", "<pre><code class=\"language-python\">x = '&lt;a&gt;'\n</code></pre>\n"),
        ("costs $5*2* and $10", "<p>costs $5<em>2</em> and $10</p>\n"),  # no formula: a digit follows, or a space
        ("$a_1*b_1*c$ and *d*", "<p>$a_1*b_1*c$ and <em>d</em></p>\n"),
        (r"\(a*b*c\) \[d*e*f\]", "<p>\\(a*b*c\\) \\[d*e*f\\]</p>\n"),
        ("$$\na\n= b\n- c\n$$\nend", "<p>$$<br>a<br>= b<br>- c<br>$$</p>\n<p>end</p>\n"),  # no heading, no list
        ("\\[\na\n=\n\\]", "<p>\\[<br>a<br>=<br>\\]</p>\n"),
        ("$$ never closed\n\n*a*", "<p>$$ never closed</p>\n<p><em>a</em></p>\n"),
        ("`$x*y*z$`", "<p><code>$x*y*z$</code></p>\n"),
    ],
)
def test_markdown(text: str, html: str) -> None:
    assert markdown_html(text) == html


@pytest.mark.parametrize("text", ["\\[\n", "$$x\n", "\\(", "$a ", "[a](", "![", "> \\[\n", "|-", "*a_"])
def test_hostile_texts_take_no_longer_than_they_are(text: str) -> None:
    # Quadratic time would make the longer one a hundred times slower than the shorter.
    markdown_html("warm")
    seconds = []
    for length in (500, 5_000):
        many = text * (length // len(text))
        began = time.process_time()
        markdown_html.__wrapped__(many)
        seconds.append(time.process_time() - began)
    assert seconds[1] < 40 * seconds[0] + 0.02


def test_plain_texts_that_look_like_markdown_are_noted(tmp_path: Path) -> None:
    directory = write_small_study(tmp_path)
    assert list(markdown_warnings(load_study(directory))) == []
    table = directory / "texts.csv"
    lines = table.read_text(encoding="utf-8").splitlines()
    table.write_text("\n".join([*lines[:-1], lines[-1] + " **very** clear"]) + "\n", encoding="utf-8")
    (warning,) = markdown_warnings(load_study(directory))
    assert warning.startswith("1 of ")
    assert warning.endswith(
        " texts have Markdown marks such as '**very**', which are shown as they are; "
        "set 'texts_are: markdown' to show them formatted"
    )
