"""Annotated texts as XML: what is read, what is written, and what each mistake is called."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from annotations import WARD_XML, annotated_texts, sound
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

import textassay.content
from textassay.content.annotated_text import AnnotatedText, Event, Paragraph, Relation
from textassay.content.annotation_xml import read_annotation_xml, write_annotation_xml
from textassay.content.ontology import Concept, Ontology
from textassay.errors import DataError, ProblemsError

SCHEMA = etree.RelaxNG(etree.parse(Path(textassay.content.__file__).parent / "annotation.rng"))


def test_events_relations_and_positions() -> None:
    text, reference = read_annotation_xml(WARD_XML.encode())
    first = text.paragraphs[0]
    assert first.text == "At 14:15 there were two desaturations, caused by suction."
    assert first.events[0] == Event("e1", "desaturation", 9, 37, 2, {"DIRECTION": "down"})
    assert [first.text[each.start : each.end] for each in first.events] == ["there were two desaturations", "suction"]
    assert [(each.id, each.kind, each.name, each.arguments) for each in first.relations] == [
        ("r2", "discourse", "CAUSE", ("e2", "e1")),
        ("r1", "temporal", "STARTS", ("14:15", "e1")),
    ]
    assert first.text[first.relations[0].start : first.relations[0].end] == "caused by"
    assert [event.id for event in text.events] == ["e1", "e2", "e3"]
    assert (reference.role, reference.system, reference.text) == ("reference", "", "All was calm.")


def test_the_schema_accepts_what_is_read() -> None:
    SCHEMA.assertValid(etree.fromstring(WARD_XML.encode()))


def text_with(content: str, attributes: str = 'ITEM="1" SYSTEM="A"') -> str:
    return f"<TEXTS>\n<TEXT {attributes}><PARAGRAPH>\n{content}\n</PARAGRAPH></TEXT></TEXTS>"


EVENT = '<EVENT ID="e1" TYPE="apnoea">apnoea</EVENT>'


@pytest.mark.parametrize(
    ("xml", "line", "message"),
    [
        ("", 1, "not XML: no element found"),
        ("<TEXTS>\n<TEXT>", 2, "not XML: no element found; close every element, and write &amp; for &"),
        (text_with("a & b"), 3, "not XML: not well-formed"),
        (text_with("&e;"), 3, "not XML: undefined entity"),
        ('<!DOCTYPE a [<!ENTITY e "x">]>\n' + text_with("&e;"), 1, "a document type (DOCTYPE); remove it"),
        ('<!DOCTYPE a SYSTEM "file:///etc/passwd">\n' + text_with(""), 1, "entities and external DTDs are not read"),
        ('<?xml version="1.0" encoding="nonsense"?>' + text_with(""), 1, "not XML"),
        ("<P>", 1, "unknown element; use TEXTS, TEXT, PARAGRAPH, EVENT, TREL, DREL"),
        ("<TEXTS>\n<PARAGRAPH/></TEXTS>", 2, "PARAGRAPH in TEXTS; it belongs in TEXT"),
        ("<EVENT/>", 1, "EVENT at the top; it belongs in PARAGRAPH or EVENT"),
        ('<TEXTS a="b"/>', 1, "unknown attribute a; it has: DISCOURSE"),
        ('<TEXT ITEM="1" SYSTEM="A">\nloose<PARAGRAPH/></TEXT>', 2, "text outside a PARAGRAPH: 'loose'"),
        (text_with("", 'ITEM="1"'), 2, "a TEXT without SYSTEM; say which text it is"),
        (text_with("", ""), 2, "a TEXT without ITEM and SYSTEM"),
        (text_with("", 'ITEM="1" ROLE="gold"'), 2, "the ROLE is 'gold'; it is system or reference"),
        ('<TEXT ITEM="1" SYSTEM="A"/>', 1, "a TEXT without a PARAGRAPH"),
        (text_with('<EVENT TYPE="a"/>'), 3, "an EVENT without ID"),
        (text_with('<EVENT ID="e1"/>'), 3, "event e1 has no type; give the name of a concept"),
        (text_with('<EVENT ID="12:30" TYPE="apnoea"/>'), 3, "'12:30' is no id"),
        (text_with('<EVENT ID="e1" TYPE="apnea"/>'), 3, "event e1 has the type 'apnea', which is no concept of ward"),
        (text_with('<EVENT ID="e1" TYPE="apnoea" CARDINALITY="two"/>'), 3, "the CARDINALITY is 'two'"),
        (text_with('<EVENT ID="e1" TYPE="apnoea" CARDINALITY="0"/>'), 3, "event e1 has the cardinality 0"),
        (text_with(EVENT + "\n" + EVENT), 3, "2 elements have the id e1; each needs its own"),
        (text_with(EVENT + '\n<TREL RELATION="CAUSE" ARG1="e1" ARG2="12:00"/>'), 4, "'CAUSE' is no temporal relation"),
        (text_with(EVENT + '\n<DREL RELATION="WHY" ARG1="e1" ARG2="12:00"/>'), 4, "or declare it"),
        (text_with(EVENT + '\n<TREL RELATION="STARTS" ARG1="e1"/>'), 4, "has 1 argument; it needs two"),
        (text_with(EVENT + '\n<TREL RELATION="STARTS" ARG1="e1" ARG2="e9"/>'), 4, "points to e9, which is neither"),
        (text_with(EVENT + '\n<TREL RELATION="STARTS" ARG1="e1" ARG2="e1"/>'), 4, "relates e1 to itself"),
        (text_with('<TREL RELATION="STARTS" ARG1="12:00" ARG2="12:30"/>'), 3, "relates two timestamps"),
        (
            text_with(
                EVENT + '<DREL ID="r1" RELATION="CAUSE" ARG1="r2" ARG2="e1"/>'
                '\n<DREL ID="r2" RELATION="CAUSE" ARG1="r1" ARG2="e1"/>'
            ),
            3,
            "relation r1 is an argument of itself (r1 → r2 → r1)",
        ),
    ],
)
def test_mistakes_are_named_with_their_line(xml: str, line: int, message: str) -> None:
    ward = Ontology([Concept("apnoea")], "ward")
    with pytest.raises(ProblemsError) as caught:
        read_annotation_xml(xml.encode(), "a.xml", ward)
    assert [(problem.line, message in problem.message) for problem in caught.value.problems][-1] == (line, True), str(
        caught.value
    )


def test_relations_may_be_arguments_and_be_declared() -> None:
    xml = text_with(
        EVENT + '<TREL ID="t" RELATION="starts" ARG1="12:00" ARG2="e1"/><DREL RELATION="WHY" ARG1="t" ARG2="e1"/>'
    )
    [text] = read_annotation_xml(xml.replace("<TEXTS>", '<TEXTS DISCOURSE="WHY">').encode())
    assert [(each.name, each.arguments) for each in text.relations] == [
        ("STARTS", ("12:00", "e1")),
        ("WHY", ("t", "e1")),
    ]


@given(st.lists(annotated_texts(), max_size=3))
def test_what_is_written_reads_back_the_same(texts: list[AnnotatedText]) -> None:
    xml = write_annotation_xml(texts)
    assert read_annotation_xml(xml.encode()) == texts
    SCHEMA.assertValid(etree.fromstring(xml.encode()))


def test_what_xml_cannot_say_is_refused() -> None:
    crossing = Paragraph("a b c", (Event("e1", "x", 0, 3), Event("e2", "x", 2, 5)))
    with pytest.raises(DataError, match="item 1, system A: e2 overlaps another annotation, which XML cannot say"):
        write_annotation_xml([AnnotatedText("1", "A", (crossing,))])
    odd = Paragraph("a", (Event("e1", "x", 0, 1, 1, {"two words": "x"}),))
    with pytest.raises(DataError, match="event e1 has the property 'two words', which is no name in XML"):
        write_annotation_xml([AnnotatedText("1", "A", (odd,))])


def test_words_of_a_relation_may_hold_an_event() -> None:
    paragraph = Paragraph(
        "because it fell",
        (Event("e2", "x", 0, 0), Event("e1", "fall", 11, 15)),
        (Relation("r1", "discourse", "CAUSE", ("e1", "e2"), 0, 15),),
    )
    text = AnnotatedText("1", "A", (paragraph,))
    [read] = read_annotation_xml(write_annotation_xml([text]).encode())
    assert read == text


@settings(max_examples=150)
@given(
    st.text(alphabet='<>/="TEXSPARGHVNIDML1e &;', max_size=80).map(str.encode)
    | st.binary(max_size=40)
    | st.integers(0, len(WARD_XML)).map(lambda cut: WARD_XML[:cut].encode())
    | st.tuples(st.integers(0, len(WARD_XML)), st.characters()).map(
        lambda at: (WARD_XML[: at[0]] + at[1] + WARD_XML[at[0] + 1 :]).encode("utf-8", "surrogatepass")
    )
)
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    with suppress(ProblemsError):
        assert all(map(sound, read_annotation_xml(content)))
