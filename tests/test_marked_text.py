"""Marked spans in HTML and in brackets: nested, crossing, empty, and safe whatever the text says."""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textassay.marked_text import MarkedParagraph, MarkedSpan, MarkedText


def marked(text: str, *spans: MarkedSpan) -> MarkedText:
    return MarkedText("t", "T", (MarkedParagraph(text, spans),))


@pytest.mark.parametrize(
    ("spans", "plain"),
    [
        ([(0, 4, "A"), (1, 3, "B")], "[a[bc | B]d | A]ef"),
        ([(1, 3, "B"), (0, 4, "A")], "[a[bc | B]d | A]ef"),
        ([(0, 4, "A"), (2, 6, "B")], "[ab[cd…] | A][ef | B]"),
        ([(0, 2, "A"), (2, 4, "B")], "[ab | A][cd | B]ef"),
        ([(0, 6, "A"), (0, 6, "B")], "[[abcdef | B] | A]"),
        ([(3, 3, "A")], "abc[ | A]def"),
        ([(6, 6, "A")], "abcdef[ | A]"),
        ([], "abcdef"),
    ],
)
def test_marks_nest_cross_and_may_be_empty(spans: list[tuple[int, int, str]], plain: str) -> None:
    assert marked("abcdef", *(MarkedSpan(*span) for span in spans)).plain == plain


def test_type_and_tone_are_in_the_page() -> None:
    found = marked("it fell", MarkedSpan(3, 7, "fall ×2", 3, 'a "kind" of trend'))
    mark = '<mark class="event tone-3" title="a &quot;kind&quot; of trend">fell<span class="of"> fall ×2</span></mark>'
    assert found.html == f"<p>it {mark}</p>"


_spans = st.builds(
    lambda one, other, label, tone, tip: MarkedSpan(min(one, other), max(one, other), label, tone, tip),
    *(st.integers(0, 12), st.integers(0, 12), st.text("<&\"'é", max_size=4), st.integers(0, 8), st.text("<&\"'>")),
)


@settings(deadline=None)
@given(st.text("ab <&>\"'", min_size=12, max_size=12), st.lists(_spans, max_size=6))
def test_any_text_is_shown_as_it_is(text: str, spans: list[MarkedSpan]) -> None:
    found = marked(text, *spans)
    root = ET.fromstring(f"<div>{found.html}</div>")
    assert {each.tag for each in root.iter()} <= {"div", "p", "mark", "span"}
    labels = [each.text for each in root.iter("span")]
    assert sorted(labels) == sorted(f" {span.label}" for span in spans)
    without = re.sub(r'<span class="of">.*?</span>', "", found.html)
    assert html.unescape(re.sub(r"<[^>]*>", "", without)) == text
