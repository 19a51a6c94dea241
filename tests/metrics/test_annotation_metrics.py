"""Metrics of annotated content: counts, distances of trees, events with partial credit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from annotations import WARD_XML, annotated

from textassay.content.annotation_xml import read_annotation_xml
from textassay.errors import DataError, UsageError
from textassay.metrics import annotation_metrics, score, score_table
from textassay.metrics.annotation_metrics import AnnotationSegments

WARD = read_annotation_xml(WARD_XML.encode())[0]


def test_counts_need_no_reference() -> None:
    assert score("event-count", [WARD]).segments.tolist() == [4]  # two desaturations, suction, artefacts
    assert score("event-count", [WARD], cardinality=False).segments.tolist() == [3]
    assert [score("relation-count", [WARD], kind=kind).corpus for kind in ("all", "temporal", "discourse")] == [2, 1, 1]
    found = score("event-count", [WARD, annotated("")])
    assert found.signature.startswith("event-count|nrefs:0|cardinality:counted|corpus:mean|scale:0-inf|")
    assert found.warnings == ("event-count: 1 texts have no events",)


def test_a_metric_that_compares_says_that_references_are_missing() -> None:
    with pytest.raises(UsageError, match="references is NoneType None; give one list of references"):
        score("event-f", [WARD])
    with pytest.raises(UsageError, match=r"hypotheses\[0\] is str 'a'; it must be a annotation"):
        score("event-count", ["a"])
    with pytest.raises(UsageError, match="hypotheses is"):
        score("event-count", WARD)  # type: ignore[arg-type]


def test_tables_of_counts_need_no_references_but_others_do() -> None:
    table = score_table(["event-count"], ["1", "2"], ["A", "A"], [WARD, annotated("fall")], {}, kind=AnnotationSegments)
    assert [row["value"] for row in table.rows()] == [4, 1, 2.5]
    with pytest.raises(DataError, match="no reference for item 1"):
        score_table(["event-count", "event-f"], ["1"], ["A"], [WARD], {}, kind=AnnotationSegments)


def test_tree_distances() -> None:
    # TEXT P fall rise against TEXT P CAUSE fall rise: one node more. Below CAUSE or not is the same in preorder; as
    # trees, too, since children of an inserted node may be those of its parent.
    one, two = annotated("fall rise"), annotated("fall rise", "CAUSE 0 1")
    for name in ("tree-preorder-distance", "tree-edit-distance"):
        assert score(name, [one], [[two]]).corpus == 1
        assert score(name, [one], [[two]], form="normalised").corpus == pytest.approx(1 / 9)
    # Two paragraphs: P fall P rise against P fall rise.
    assert score("tree-preorder-distance", [annotated("fall | rise")], [[one]]).corpus == 1
    changed = annotated("fall calm")
    assert score("tree-edit-distance", [one], [[changed]]).corpus == 2
    assert score("tree-edit-distance", [one], [[changed]], substitution=1).corpus == 1
    with pytest.raises(UsageError, match="substitution is 3; it must be from 1 to 2"):
        score("tree-edit-distance", [one], [[changed]], substitution=3)


@pytest.mark.parametrize(
    ("text", "reference", "partial", "credit"),
    [
        ("fall rise", "fall calm", "none", 1),
        # steep-fall is a kind of fall: superconcepts {steep-fall, fall, trend, event} and {fall, trend, event}.
        ("steep-fall", "fall", "is-a", 3 / 4),
        ("steep-fall", "fall", "none", 0),
        # fall and rise share {trend, event} of {fall, rise, trend, event}, but neither is a kind of the other.
        ("fall", "rise", "is-a", 0),
        ("fall", "rise", "common", 2 / 4),
        # Equal types first: steep-fall with steep-fall, then fall with trend ({trend, event} of {fall, trend, event}).
        ("steep-fall fall", "steep-fall trend", "is-a", 1 + 2 / 3),
        # One to one: of two falls only one matches the trend.
        ("fall*2", "trend", "is-a", 2 / 3),
        # The best of trend-calm 1/3 with fall-rise 1/2, and trend-rise 2/3 with fall-calm 1/4.
        ("trend fall", "calm rise", "common", 2 / 3 + 1 / 4),
    ],
)
def test_credit_for_events(text: str, reference: str, partial: str, credit: float) -> None:
    found = score("event-f", [annotated(text)], [[annotated(reference)]], partial=partial)
    assert found.parts["credit"].tolist() == pytest.approx([credit])


def test_precision_recall_and_f() -> None:
    found = score("event-f", [annotated("fall*3 rise")], [[annotated("fall rise")]])
    assert [found.parts[name][0] for name in ("precision", "recall", "f")] == pytest.approx([0.5, 1, 2 / 3])
    assert score("event-f", [annotated("fall*3 rise")], [[annotated("fall rise")]], cardinality=False).corpus == 1
    assert score(
        "event-f", [annotated(""), annotated("")], [[annotated("")], [annotated("fall")]]
    ).segments.tolist() == [
        1,
        0,
    ]


def test_without_an_ontology_only_equal_types_match_and_that_is_said() -> None:
    text = replace(annotated("steep-fall"), ontology=None)
    found = score("event-f", [text], [[annotated("fall")]])
    assert found.corpus == 0
    assert found.warnings == ("event-f: 1 texts have no ontology, so that only equal types match",)


def test_too_many_events_to_match_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(annotation_metrics, "_MOST_EVENTS", 5)
    with pytest.raises(
        DataError, match="item 1, system A: 9 events to match; count each event once with cardinality=no"
    ):
        score("event-f", [annotated("fall*9")], [[annotated("trend")]])
    assert score("event-f", [annotated("fall*9")], [[annotated("fall*9")]]).corpus == 1
