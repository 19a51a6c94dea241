from __future__ import annotations

import html
import re

from hypothesis import given
from hypothesis import strategies as st

from textassay.study.markup import Span, compare_texts, marked, sanitised
from textassay.study.markup import find_spans as given_spans

LETTERS = st.text(alphabet='ab <>&"\n.,', max_size=40)


def marks(first: str, second: str) -> tuple[str, str]:
    spans = compare_texts(first, second)
    return marked(first, spans[0]), marked(second, spans[1])


def test_words_that_differ() -> None:
    assert marks("the small red ball", "the ball, please") == (
        '<p><mark class="same">the</mark> <mark class="different">small red</mark> <mark class="same">ball</mark></p>',
        '<p><mark class="same">the ball</mark><mark class="different">, please</mark></p>',
    )


def test_case_does_not_matter_and_twins_are_the_same_throughout() -> None:
    assert marks("The ball", "the ball")[0] == '<p><mark class="same">The ball</mark></p>'


def test_frequent_words_of_long_texts_count_like_others() -> None:
    text = "the cat and the dog " * 80
    assert {span.mark for span in compare_texts(text, text)[0]} == {"same"}


def test_nothing_in_common() -> None:
    assert marks("one two", "three")[1] == '<p><mark class="different">three</mark></p>'
    assert marks("", "three") == ("<p></p>", '<p><mark class="different">three</mark></p>')


def test_right_to_left_words() -> None:
    first, second = marks("الكرة الحمراء", "الكرة الزرقاء")
    assert first == '<p><mark class="same">الكرة</mark> <mark class="different">الحمراء</mark></p>'
    assert second == '<p><mark class="same">الكرة</mark> <mark class="different">الزرقاء</mark></p>'


def test_paragraphs_and_lines_are_kept_and_marks_end_with_them() -> None:
    assert marked("a\n\nb\nc", [Span(0, 6, "same")]) == (
        '<p><mark class="same">a</mark></p><p><mark class="same">b</mark><br><mark class="same">c</mark></p>'
    )


def test_spans_of_the_data() -> None:
    spans = given_spans("a red ball, a ball", same=["ball"], different=["red ball"])
    assert [("a red ball, a ball"[span.start : span.end], span.mark) for span in spans] == [
        ("red ball", "different"),
        ("ball", "same"),
    ]
    assert given_spans("a ball", same=[""], different=["cube"]) == []


def test_spans_that_overlap_do_not_repeat_text() -> None:
    assert marked("abc", [Span(0, 2, "same"), Span(1, 3, "different")]) == (
        '<p><mark class="same">ab</mark><mark class="different">c</mark></p>'
    )


@given(LETTERS, LETTERS)
def test_text_survives_and_is_safe(first: str, second: str) -> None:
    for text, shown in zip((first, second), marks(first, second), strict=True):
        assert sanitised(shown) == sanitised(sanitised(shown))
        plain = re.sub(r"</?(p|mark|br)( class=\"\w+\")?>", "", shown)
        assert html.unescape(plain) == text.replace("\n", "")
        assert "<" not in plain
