from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.study.markup import as_html, markdown, sanitised


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
        ('<a href="https://system.example" title="By us">a</a>', '<a rel="noopener noreferrer">a</a>'),
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


@given(st.text())
def test_no_text_makes_a_script(text: str) -> None:
    for kind in ("text", "markdown", "html"):
        assert "<script" not in as_html(text + "<script>x</script>", kind).casefold()
