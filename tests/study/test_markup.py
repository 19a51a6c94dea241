from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.study.markdown_texts import LONGEST
from textassay.study.markup import as_html, is_long, markdown, sanitised


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("One.\nTwo.\n\nThree.", "<p>One.<br>Two.</p><p>Three.</p>"),
        ("One.\r\n\r\nTwo.\rThree.\n", "<p>One.</p><p>Two.<br>Three.</p>"),
        ("One.\n \n\nTwo.", "<p>One.</p><p>Two.</p>"),
        ("1 < 2 & *x*", "<p>1 &lt; 2 &amp; *x*</p>"),
        ("<b onclick=x>", "<p>&lt;b onclick=x&gt;</p>"),
    ],
)
def test_plain_text_is_shown_as_it_is(text: str, html: str) -> None:
    assert as_html(text, "text") == html


def test_markdown_is_formatted_and_its_html_is_not() -> None:
    assert as_html("*x* <b>y</b>", "markdown") == "<p><em>x</em> &lt;b&gt;y&lt;/b&gt;</p>\n"
    assert "<table>" in markdown("|a|b|\n|-|-|\n|1|2|\n")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ('<p onclick="x()" class="note" lang="de">a</p>', '<p lang="de">a</p>'),  # a class may tell who wrote it
        ('<mark class="same by-us">a</mark>', '<mark class="same">a</mark>'),
        ('<a href="https://system.example" title="By us">a</a>', "a"),
        ("<h1>a</h1><h5>b</h5>", "<h3>a</h3><h6>b</h6>"),  # below the headings of the page
        ("<table><tr><td>1", '<div class="scrolls"><table><tbody><tr><td>1</td></tr></tbody></table></div>'),
        ("a<script>x()</script>b", "ab"),
        ("<style>p{}</style>a", "a"),
        ('<iframe src="https://example.org"></iframe>a', "a"),
        ('<img src="x" onerror="x()">a', "a"),
        ('<span style="position:fixed">a</span>', "<span>a</span>"),
        ("<form><input name=x></form>a", "a"),
    ],
)
def test_html_keeps_only_what_formats(text: str, html: str) -> None:
    assert as_html(text, "html") == html


@pytest.mark.parametrize("link", ["javascript:x()", "JavaScript:x()", "data:text/html,x", "vbscript:x"])
def test_links_lead_only_to_pages_and_mail(link: str) -> None:
    assert "href" not in sanitised(f'<a href="{link}">a</a>')
    assert "href" not in markdown(f"[a](<{link}>)")
    assert 'href="https://example.org"' in markdown("[a](https://example.org)")


HOSTILE = """<script>x()</script> <b onclick=x()>b</b> <p style="position:fixed">p</p> [a](javascript:x())
[b](data:text/html,x) ![c](https://example.org/c.png "t") ![](x) <https://example.org> <img src=x onerror=x()>
[d](https://example.org "t' onclick='x()")

| <i>e</i> |
|-|
| [f](vbscript:x) |

````html
```
<script>y()</script>
```
````
"""


def test_hostile_markdown_keeps_its_words_and_nothing_else() -> None:
    shown = as_html(HOSTILE, "markdown")
    tags = set(re.findall(r"<(\w+)", shown))
    assert tags == {"p", "pre", "code", "div", "table", "thead", "tbody", "tr", "th", "td"}
    assert re.findall(r"<\w+ [^>]*>", shown) == ['<div class="scrolls">']  # the only attribute
    assert "&lt;script&gt;y()&lt;/script&gt;\n```" in shown  # a fence within a fence is code
    assert "[b](data:text/html,x) c  https://example.org &lt;img" in shown  # an image is its description


def test_a_text_that_nobody_reads_is_not_formatted() -> None:
    text = "[" * 1_000_000  # a second for every 50,000 of them
    assert as_html(text, "markdown") == f"<p>{text}</p>"
    assert as_html("*a* " + "b" * LONGEST, "markdown").startswith("<p>*a* b")


@given(st.text())
def test_no_text_makes_a_script(text: str) -> None:
    for kind in ("text", "markdown", "html"):
        assert "<script" not in as_html(text + "<script>x</script>", kind).casefold()


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>" + "word " * 200 + "</p>", False),  # 1,000 characters: 17 lines
        ("<p>" + "word " * 300 + "</p>", True),  # 25 lines
        ("<p>" + "字" * 600 + "</p>", False),  # 20 lines of 30 characters
        ("<p>" + "字" * 900 + "</p>", True),
        ("<p>one<br>two</p>" * 10, False),
        ("<p>one<br>two<br>three</p>" * 10, True),
        ('<p lang="' + "x" * 2000 + '">one</p>', False),  # tags are not seen
        ("<pre>" + "line\n" * 30 + "</pre>", True),
        ("<table>" + "<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n" * 9 + "</table>", False),  # a row is one line
    ],
)
def test_length_is_measured_in_lines(html: str, expected: bool) -> None:
    assert is_long(html) is expected
