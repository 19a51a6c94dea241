"""Annotated texts as JSON lines: round trip, positions, mistakes."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from annotations import WARD_XML, annotated_texts, sound
from hypothesis import given, settings
from hypothesis import strategies as st

from textassay.content.annotated_text import AnnotatedText
from textassay.content.annotation_json import read_annotation_json, write_annotation_json
from textassay.content.annotation_xml import read_annotation_xml
from textassay.errors import ProblemsError

EVENT = {"id": "e1", "type": "fall", "start": 5, "end": 9}


def line(**changes: Any) -> str:
    paragraph = {"text": "Then  rain  fell.", "events": [EVENT], **changes.pop("paragraph", {})}
    return json.dumps({"item": "1", "system": "A", "paragraphs": [paragraph], **changes})


@given(st.lists(annotated_texts(), max_size=3))
def test_what_is_written_reads_back_the_same(texts: list[AnnotatedText]) -> None:
    assert read_annotation_json(write_annotation_json(texts)) == texts


def test_xml_and_json_say_the_same() -> None:
    texts = read_annotation_xml(WARD_XML.encode())
    assert read_annotation_json(write_annotation_json(texts)) == texts


def test_positions_follow_the_single_spaces() -> None:
    [text] = read_annotation_json(line(paragraph={"events": [{**EVENT, "start": 4, "end": 12}]}))
    [event] = text.events
    assert text.text == "Then rain fell."
    assert text.text[event.start : event.end] == "rain"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "a:1: not JSON at character 2; write one object per line"),
        ("[" * 100_000, "a:1: not JSON"),
        ("3", "a:1: the text is 3; give an object"),
        ("{}", "a:1: the text has no item; add it"),
        (line(itm="1"), "the text has the unknown key 'itm'; use item, system"),
        (line(item=1), "the text.item is 1; give a string"),
        (line(system=""), "a text without item or system; say which text it is"),
        (line(role="gold"), "the role is 'gold'; it is system or reference"),
        (line(discourse=[1]), "discourse is a list of names of relations"),
        (line(paragraphs=[3]), "paragraphs[0] is 3; give an object"),
        (line(paragraph={"events": [{}]}), "paragraphs[0].events[0] has no id; add it"),
        (
            line(paragraph={"events": [{**EVENT, "end": 99}]}),
            "events[0] covers characters 5 to 99, but the text has 17",
        ),
        (line(paragraph={"events": [{**EVENT, "start": True}]}), "events[0].start is true; give a whole number"),
        (line(paragraph={"events": [{**EVENT, "properties": {"a": 1}}]}), "a property of event e1 is no string"),
        (line(paragraph={"events": [{**EVENT, "cardinality": 0}]}), "event e1 has the cardinality 0"),
        (line(paragraph={"text": "a\0b" * 5}), "the text contains the invisible character U+0000; remove it"),
        (
            line(paragraph={"relations": [{"id": "r", "kind": "temporal", "name": "STARTS", "arguments": ["e1"]}]}),
            'relation r has the arguments ["e1"]; it needs two ids',
        ),
        (
            line(paragraph={"relations": [{"id": "r", "kind": "TREL", "name": "STARTS", "arguments": ["e1", "1:00"]}]}),
            "relation r is 'TREL'; it is temporal or discourse",
        ),
    ],
)
def test_mistakes_are_named_with_their_line(text: str, message: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        read_annotation_json(text, "a")
    assert message in str(caught.value)


def test_every_line_with_a_mistake_is_named() -> None:
    with pytest.raises(ProblemsError) as caught:
        read_annotation_json("\n".join(["{", line(), "", "3"]), "a")
    assert [problem.line for problem in caught.value.problems] == [1, 4]


@settings(max_examples=100)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["item", "system", "paragraphs", "text", "events", "relations", "id", "type", "start", "end"]
                ),
                inner,
                max_size=5,
            )
        ),
        max_leaves=8,
    ).map(json.dumps)
    | st.text(max_size=40)
)
def test_anything_is_read_or_refused(text: str) -> None:
    with suppress(ProblemsError):
        assert all(map(sound, read_annotation_json(text)))
