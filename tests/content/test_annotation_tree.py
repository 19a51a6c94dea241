"""The normal form of annotated texts, and two distances of trees."""

from __future__ import annotations

import pytest
from annotations import WARD_XML, annotated_texts
from hypothesis import given
from hypothesis import strategies as st

from textassay.content import annotation_tree
from textassay.content.annotated_text import AnnotatedText, Event, Paragraph, Relation
from textassay.content.annotation_tree import LabelledTree, edit_distances, normal_form, preorder_distances
from textassay.content.annotation_xml import read_annotation_xml
from textassay.errors import DataError


def test_paragraphs_over_relations_over_events_and_copies() -> None:
    text, reference = read_annotation_xml(WARD_XML.encode())
    # e1 is an argument of both relations and is copied; r2 is stated before r1; e3 is an argument of none.
    assert str(normal_form(text)) == (
        "TEXT\n  P\n    CAUSE\n      suction\n      desaturation\n    STARTS\n      TIMESTAMP\n      desaturation\n"
        "  P\n    artefact"
    )
    assert str(normal_form(reference)) == "TEXT\n  P\n    calm"


def test_relations_of_relations_nest() -> None:
    events = (Event("e1", "a", 0, 1), Event("e2", "b", 2, 3))
    relations = (
        Relation("r1", "temporal", "BEFORE", ("e1", "e2"), 0, 0),
        Relation("r2", "discourse", "CAUSE", ("r1", "e2"), 1, 1),
    )
    tree = normal_form(AnnotatedText("1", "A", (Paragraph("x y", events, relations),)))
    assert (tree.labels, tree.depths) == (("TEXT", "P", "CAUSE", "BEFORE", "a", "b", "b"), (0, 1, 2, 3, 4, 4, 3))


def test_a_tree_that_grows_without_bounds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(annotation_tree, "_MOST_NODES", 100)
    events = (Event("e1", "a", 0, 1), Event("e2", "b", 0, 1))
    doubling = [
        Relation(f"r{number}", "discourse", "CAUSE", (f"r{number - 1}",) * 2 if number else ("e1", "e2"))
        for number in range(12)
    ]
    with pytest.raises(DataError, match="item 1, system A: relations of relations make too large a tree"):
        normal_form(AnnotatedText("1", "A", (Paragraph("x", events, tuple(doubling)),)))


@st.composite
def trees(draw: st.DrawFn) -> LabelledTree:
    n = draw(st.integers(1, 7))
    depths = [0]
    for _ in range(n - 1):
        depths.append(draw(st.integers(1, depths[-1] + 1)))
    return LabelledTree(tuple(draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n))), tuple(depths))


def test_postorder_of_a_tree() -> None:
    # a(b(c, d), e)
    assert LabelledTree(tuple("abcde"), (0, 1, 2, 2, 1)).postorder() == (["c", "d", "b", "e", "a"], [0, 1, 0, 3, 0])


def levenshtein(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    """The textbook's table with cost 2 for a substitution."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (0 if x == y else 2)))
    return row[-1]


@given(trees(), trees())
def test_preorder_distance_is_levenshtein_and_never_exceeds_the_tree_distance(a: LabelledTree, b: LabelledTree) -> None:
    [preorder], [edits], [cheaper] = preorder_distances([(a, b)]), edit_distances([(a, b)]), edit_distances([(a, b)], 1)
    assert preorder == levenshtein(a.labels, b.labels)
    assert preorder <= edits
    assert cheaper <= edits <= len(a) + len(b)
    assert edit_distances([(b, a)]) == [edits]


@given(annotated_texts())
def test_a_text_has_no_distance_from_itself(text: AnnotatedText) -> None:
    tree = normal_form(text)
    assert (preorder_distances([(tree, tree)]), edit_distances([(tree, tree)])) == ([0], [0])
    relations = {relation.id for relation in text.relations}
    arguments = {each for relation in text.relations for each in relation.arguments}
    copies = sum(2 for _ in relations) + sum(event.id not in arguments for event in text.events)
    assert len(tree) == 1 + len(text.paragraphs) + len(relations - arguments) + copies
