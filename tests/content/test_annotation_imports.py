"""Annotations of brat, INCEpTION and Label Studio: one text, three ways; and what each mistake is called."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from annotations import sound
from hypothesis import given, settings
from hypothesis import strategies as st

from textassay.content.annotated_text import AnnotatedText
from textassay.content.annotation_imports import read_brat, read_inception, read_label_studio
from textassay.content.ontology import Concept, Ontology
from textassay.errors import ProblemsError

TEXT = "At 14:15  two desaturations 😀 after suction.\n\nThen calm."
#       0  3      10  14            28        36
FALL, SUCTION, TIME, CALM = ("two desaturations", "suction", "14:15", "calm")


def at(words: str) -> tuple[int, int]:
    return TEXT.index(words), TEXT.index(words) + len(words)


def brat() -> AnnotatedText:
    lines = [
        "T1\tdesaturation {} {}\ttwo desaturations".format(*at(FALL)),
        "T2\tsuction {} {}\tsuction".format(*at(SUCTION)),
        "T3\tTIMESTAMP {} {}\t14:15".format(*at(TIME)),
        "T4\tcalm {} {}\tcalm".format(*at(CALM)),
        "R1\tCause Arg1:T2 Arg2:T1",
        "R2\tStarts Arg1:T3 Arg2:T1",
        "A1\tCardinality T1 2",
        "A2\tDirection T1 down",
        "#1\tAnnotatorNotes T1\tsure?",
    ]
    return read_brat(TEXT, "\n".join(lines), "ward/case1.expert.txt")


def utf16(position: int) -> int:
    return len(TEXT[:position].encode("utf-16-le")) // 2


def inception() -> AnnotatedText:
    def span(number: int, words: str, label: str, **features: Any) -> dict[str, Any]:
        begin, end = map(utf16, at(words))
        layer = "webanno.custom.Event"
        return {"%ID": number, "%TYPE": layer, "@sofa": 1, "begin": begin, "end": end, "label": label, **features}

    def relation(number: int, label: str, first: int, second: int) -> dict[str, Any]:
        ends = {"@Governor": first, "@Dependent": second}
        return {
            "%ID": number,
            "%TYPE": "webanno.custom.Relation",
            "@sofa": 1,
            "begin": 0,
            "end": 2,
            "label": label,
            **ends,
        }

    token = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token"
    title = "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData"
    structures = [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": TEXT},
        {"%ID": 2, "%TYPE": title, "documentTitle": "case1.expert.txt", "begin": 0, "end": 3},
        {"%ID": 3, "%TYPE": token, "@sofa": 1, "begin": 0, "end": 2},
        span(11, FALL, "desaturation", cardinality=2, direction="down"),
        span(12, SUCTION, "suction"),
        span(13, TIME, "TIMESTAMP"),
        span(14, CALM, "calm"),
        relation(21, "CAUSE", 12, 11),
        relation(22, "STARTS", 13, 11),
    ]
    return read_inception(json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": structures}), annotator="Ann")


def task(**changes: Any) -> dict[str, Any]:
    def span(name: str, words: str, label: str) -> dict[str, Any]:
        start, end = at(words)
        return {"id": name, "type": "labels", "value": {"start": start, "end": end, "labels": [label]}}

    result = [
        span("a", FALL, "desaturation"),
        span("b", SUCTION, "suction"),
        span("c", TIME, "TIMESTAMP"),
        span("d", CALM, "calm"),
        {"id": "a", "type": "number", "from_name": "cardinality", "value": {"number": 2}},
        {"id": "a", "type": "choices", "from_name": "direction", "value": {"choices": ["down"]}},
        {"type": "relation", "from_id": "b", "to_id": "a", "labels": ["cause"]},
        {"type": "relation", "from_id": "c", "to_id": "a", "labels": ["starts"]},
    ]
    cancelled = {"was_cancelled": True, "result": []}
    done = [{"completed_by": {"email": "ann@example.org"}, "result": result}, cancelled]
    return {"data": {"item": "case1", "system": "expert", "text": TEXT}, "annotations": done, **changes}


def label_studio() -> AnnotatedText:
    [text] = read_label_studio(json.dumps([task()]))
    return text


@pytest.mark.parametrize("read", [brat, inception, label_studio])
def test_the_same_annotation_from_three_programs(read: Any) -> None:
    text = read()
    assert (text.item, text.system, text.role) == ("case1", "expert", "system")
    first, second = text.paragraphs  # the empty line is none
    assert (first.text, second.text) == ("At 14:15 two desaturations 😀 after suction.", "Then calm.")
    covered = [[part.text[event.start : event.end] for event in part.events] for part in text.paragraphs]
    assert covered == [[FALL, SUCTION], [CALM]]
    fall, suction = first.events
    assert (fall.type, fall.cardinality, list(fall.properties.values())) == ("desaturation", 2, ["down"])
    assert [(each.kind, each.name, each.arguments) for each in first.relations] == [
        ("discourse", "CAUSE", (suction.id, fall.id)),
        ("temporal", "STARTS", ("14:15", fall.id)),
    ]


def test_annotators_and_references_are_kept() -> None:
    assert (inception().annotator, label_studio().annotator) == ("Ann", "ann@example.org")
    assert read_brat("a", "", "case1.reference.txt").role == "reference"
    [text] = read_label_studio(json.dumps([task(data={"item": "1", "role": "reference", "text": TEXT})]))
    assert (text.role, text.system) == ("reference", "")


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (
            lambda: read_brat("a", "", "case1.txt"),
            "'case1.txt' does not say which text it is; name documents ITEM.SYSTEM",
        ),
        (lambda: read_brat("a", "T1\tx 0 9\ta", "1.A.txt"), "T1 covers characters 0 to 9, but the text has 1"),
        (lambda: read_brat("a", "T1\tx 0 a\ta", "1.A.txt"), "line 1: 'T1\\tx 0 a\\ta' has no positions"),
        (lambda: read_brat("a\nb", "T1\tx 0 3\ta", "1.A.txt"), "T1 (x) goes over the end of a line"),
        (lambda: read_brat("a b", "T1\tx 0 1;2 3\ta b", "1.A.txt"), "line 1: a text in several pieces"),
        (lambda: read_brat("a", "E1\tx:T1", "1.A.txt"), "line 1: a line of an unknown kind"),
        (lambda: read_brat("a", "R1\tx Arg1:T1 Arg2:T2", "1.A.txt"), "relation R1 points to T1, which is neither"),
        (lambda: read_brat("a", "T1\tTIMESTAMP 0 1\ta", "1.A.txt"), "T1 is labelled TIMESTAMP but is 'a'"),
        (lambda: read_brat("a", "T1\tx 0 1\ta\nA1\tCardinality T1 two", "1.A.txt"), "the cardinality of T1 is 'two'"),
        (
            lambda: read_brat("a", "T1\tx 0 1\ta", "1.A.txt", Ontology([Concept("y")], "o")),
            "event T1 has the type 'x', which is no concept of o",
        ),
        (lambda: read_inception("{"), "not JSON; export it again"),
        (lambda: read_inception("{}"), "no UIMA CAS JSON; export the document as"),
        (lambda: read_inception('{"%FEATURE_STRUCTURES": []}', "1.A.txt"), "no text in it (sofaString)"),
        (
            lambda: read_inception(
                '{"%FEATURE_STRUCTURES": [{"sofaString": "a"}, {"%ID": 5, "begin": 0, "end": 7, "type": "t"}]}',
                "1.A.txt",
            ),
            "annotation 5 covers characters 0 to 7, outside the text",
        ),
        (
            lambda: read_inception(
                '{"%FEATURE_STRUCTURES": [{"sofaString": "a"}, {"%ID": 5, "%TYPE": "x", "begin": 0, "end": 1}]}',
                "1.A.txt",
            ),
            "annotation 5 of the layer x has no feature 'type' or 'label'",
        ),
        (lambda: read_label_studio("{}"), "no list of tasks; export the project as JSON, not as JSON-MIN"),
        (lambda: read_label_studio("[{}]"), "task 1 has no data with a text"),
        (lambda: read_label_studio('[{"data": {"text": "a"}}]'), "task 1 does not say which text it is"),
    ],
)
def test_mistakes_are_named(read: Any, message: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        read()
    assert message in str(caught.value)


@settings(max_examples=80)
@given(st.text(alphabet="TRA1\t 02xy:;\n#", max_size=40))
def test_any_lines_of_brat_are_read_or_refused(annotations: str) -> None:
    with suppress(ProblemsError):
        assert sound(read_brat("a b\nc d", annotations, "1.A.txt"))


@settings(max_examples=60)
@given(
    st.recursive(
        st.none() | st.integers(-1, 9) | st.text(max_size=4),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "%FEATURE_STRUCTURES",
                        "sofaString",
                        "begin",
                        "end",
                        "label",
                        "data",
                        "annotations",
                        "result",
                        "value",
                    ]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=10,
    ).map(json.dumps)
)
def test_any_json_is_read_or_refused(content: str) -> None:
    with suppress(ProblemsError):
        assert sound(read_inception(content, "1.A.txt"))
    with suppress(ProblemsError):
        assert all(map(sound, read_label_studio(content)))
