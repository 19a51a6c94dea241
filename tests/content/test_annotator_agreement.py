"""Agreement of annotators: examples by hand, and what must always hold."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from annotations import annotated_texts
from hypothesis import given

from textassay.content.annotated_text import AnnotatedText, Event, Paragraph, Relation
from textassay.content.annotator_agreement import annotator_agreement
from textassay.errors import DataError

WORDS = "one two three four five six"


def text(annotator: str, *events: tuple[str, str], relations: tuple[Relation, ...] = ()) -> AnnotatedText:
    found = []
    for number, (words, name) in enumerate(events):
        start = WORDS.index(words)
        found.append(Event(f"{annotator}{number}", name, start, start + len(words)))
    return AnnotatedText("1", "A", (Paragraph(WORDS, tuple(found), relations),), annotator=annotator)


def test_by_hand() -> None:
    # Four and three events. Equal ends: "one" (same type) and "three" (another type). "four five" and "five" overlap.
    first = text(
        "a",
        ("one", "fall"),
        ("three", "rise"),
        ("four five", "fall"),
        ("six", "calm"),
        relations=(
            Relation("r1", "temporal", "BEFORE", ("a0", "a2")),
            Relation("r2", "temporal", "STARTS", ("14:15", "a0")),
            Relation("r3", "discourse", "CAUSE", ("a3", "a0")),
        ),
    )
    second = text(
        "b",
        ("one", "fall"),
        ("three", "fall"),
        ("five", "fall"),
        relations=(
            Relation("s1", "temporal", "BEFORE", ("b0", "b2")),
            Relation("s2", "temporal", "STARTS", ("14:15", "b0")),
        ),
    )
    [pair] = annotator_agreement([first, second]).pairs
    assert (pair.first, pair.second, pair.texts, pair.events, pair.matched) == ("a", "b", 1, (4, 3), 3)
    assert (pair.spans, pair.overlapping, pair.events_f) == pytest.approx((4 / 7, 6 / 7, 2 / 7))
    # Matched types: fall-fall, rise-fall, fall-fall: observed 2/3, expected (2/3)(3/3) = 2/3.
    assert pair.types_kappa == pytest.approx(0)
    assert pair.relations == pytest.approx(2 * 2 / 5)
    assert pair.tree_similarity <= pair.preorder_similarity < 1


def test_kappa_by_hand() -> None:
    # fall 2/5 and 3/5, rise 2/5 and 0, calm 1/5 and 2/5: expected (6 + 0 + 2)/25; observed 3/5.
    ours, theirs = ["fall", "rise", "fall", "calm", "rise"], ["fall", "fall", "fall", "calm", "calm"]
    words = WORDS.split()[:5]
    pair = annotator_agreement(
        [text("a", *zip(words, ours, strict=True)), text("b", *zip(words, theirs, strict=True))]
    ).pairs[0]
    assert pair.types_kappa == pytest.approx((15 - 8) / (25 - 8))


def test_best_overlap_is_matched_first() -> None:
    pair = annotator_agreement(
        [text("a", ("one two three", "fall"), ("three", "rise")), text("b", ("one two", "fall"), ("three", "rise"))]
    ).pairs[0]
    assert (pair.matched, pair.types_kappa) == (2, 1)


def test_only_texts_of_both_count_and_three_annotators_make_three_pairs() -> None:
    alone = replace(text("a", ("one", "fall")), item="2")
    found = annotator_agreement([text(name, ("one", "fall")) for name in "abc"] + [alone])
    assert [(pair.first, pair.second, pair.texts) for pair in found.pairs] == [
        ("a", "b", 1),
        ("a", "c", 1),
        ("b", "c", 1),
    ]
    assert len(found.records()) == 3 * 7
    with pytest.raises(DataError, match="no two annotators annotated the same text"):
        annotator_agreement([text("a"), replace(text("b"), item="2")])


def test_nothing_to_compare_is_undefined() -> None:
    pair = annotator_agreement([text("a"), text("b")]).pairs[0]
    assert all(map(math.isnan, (pair.spans, pair.events_f, pair.types_kappa, pair.relations)))
    assert pair.tree_similarity == 1


@given(annotated_texts())
def test_an_annotator_agrees_with_a_copy(one: AnnotatedText) -> None:
    pair = annotator_agreement([replace(one, annotator="a"), replace(one, annotator="b")]).pairs[0]
    visible = all(event.end > event.start for event in one.events)  # what covers nothing overlaps with nothing
    if one.events and visible:
        assert (pair.overlapping, pair.tree_similarity) == (1, 1)
