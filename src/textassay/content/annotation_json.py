"""Annotated texts as JSON lines, one text per line, with annotations apart from the text (stand-off).

    {"item": "1", "system": "expert", "paragraphs": [{"text": "There were two desaturations.",
     "events": [{"id": "e1", "type": "desaturation", "start": 0, "end": 28, "cardinality": 2}],
     "relations": [{"id": "r1", "kind": "temporal", "name": "STARTS", "arguments": ["14:15", "e1"]}]}]}

Runs of white space become one space, and positions follow.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from textassay.content.annotated_text import (
    DISCOURSE,
    AnnotatedText,
    Event,
    Paragraph,
    Relation,
    RelationKind,
    annotation_problems,
    relation_name,
    squeezed,
    squeezed_span,
)
from textassay.content.ontology import Ontology
from textassay.errors import Problem, ProblemsError
from textassay.known_names import did_you_mean

_KEYS: dict[str, dict[str, type]] = {
    "text": {"item": str, "system": str, "role": str, "annotator": str, "discourse": list, "paragraphs": list},
    "paragraph": {"text": str, "events": list, "relations": list},
    "event": {"id": str, "type": str, "start": int, "end": int, "cardinality": int, "properties": dict},
    "relation": {"id": str, "kind": str, "name": str, "arguments": list, "start": int, "end": int},
}
"""What each object may have, and of which type."""
_REQUIRED = {
    "text": ("item", "paragraphs"),
    "paragraph": ("text",),
    "event": ("id", "type", "start", "end"),
    "relation": ("id", "kind", "name", "arguments"),
}
_TYPES = {str: "a string", int: "a whole number", list: "a list", dict: "an object"}


def read_annotation_json(
    text: str, name: str = "annotations.jsonl", ontology: Ontology | None = None
) -> list[AnnotatedText]:
    """All texts of a file.

    Args:
        text: What the file holds.
        name: What to call it in messages.
        ontology: Where types of events are looked up; any type is accepted without one.

    Raises:
        ProblemsError: with the line of everything that is wrong.
    """
    found: list[AnnotatedText] = []
    problems: list[Problem] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if line.strip():
            try:
                read, discourse = _text(_loaded(line))
                read = replace(read, ontology=ontology)
                said = [message for _, message in annotation_problems(read, discourse, ontology)]
            except _WrongValue as wrong:
                said = [str(wrong)]
            else:
                found.append(read)
            problems += [Problem(name, number, 0, "", message) for message in said]
    if problems:
        raise ProblemsError(problems)
    return found


def write_annotation_json(texts: Sequence[AnnotatedText]) -> str:
    """Texts as a file that reads back as the same texts."""
    return "".join(json.dumps(_record(text), ensure_ascii=False) + "\n" for text in texts)


class _WrongValue(Exception):  # noqa: N818 -- becomes a `Problem`
    pass


def _loaded(line: str) -> Any:
    try:
        return json.loads(line)
    except RecursionError:
        raise _WrongValue("not JSON: nested too deeply") from None
    except ValueError as error:
        place = f" at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else ""
        raise _WrongValue(f"not JSON{place}; write one object per line") from None


def _checked(value: Any, kind: str, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _WrongValue(f"{where} is {_seen(value)}; give an object")
    known = _KEYS[kind]
    for key in value:
        if key not in known:
            raise _WrongValue(f"{where} has the unknown key {key!r}; use {', '.join(known)}{did_you_mean(key, known)}")
        if type(value[key]) is not known[key]:
            raise _WrongValue(f"{where}.{key} is {_seen(value[key])}; give {_TYPES[known[key]]}")
    missing = [key for key in _REQUIRED[kind] if key not in value]
    if missing:
        raise _WrongValue(f"{where} has no {missing[0]}; add it")
    return value


def _seen(value: Any) -> str:
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= 40 else shown[:39] + "…"


def _text(value: Any) -> tuple[AnnotatedText, Sequence[str]]:
    given = _checked(value, "text", "the text")
    role = given.get("role", "system")
    if role not in ("system", "reference"):
        raise _WrongValue(f"the role is {role!r}; it is system or reference")
    if not given["item"] or (role == "system" and not given.get("system")):
        raise _WrongValue("a text without item or system; say which text it is")
    if not all(isinstance(each, str) for each in given.get("discourse", [])):
        raise _WrongValue("discourse is a list of names of relations")
    paragraphs = tuple(_paragraph(each, f"paragraphs[{row}]") for row, each in enumerate(given["paragraphs"]))
    system = given.get("system", "") if role == "system" else ""
    read = AnnotatedText(given["item"], system, paragraphs, role, given.get("annotator", ""))
    return read, (*DISCOURSE, *map(relation_name, given.get("discourse", [])))


def _paragraph(value: Any, where: str) -> Paragraph:
    given = _checked(value, "paragraph", where)
    text, places = squeezed(given["text"])

    def spans(key: str, kind: str) -> Iterator[dict[str, Any]]:
        for row, each in enumerate(given.get(key, [])):
            checked = _checked(each, kind, f"{where}.{key}[{row}]")
            start, end = checked.get("start", 0), checked.get("end", checked.get("start", 0))
            if not 0 <= start <= end < len(places):
                length = len(given["text"])
                raise _WrongValue(f"{where}.{key}[{row}] covers characters {start} to {end}, but the text has {length}")
            start, end = squeezed_span(given["text"], places, start, end)
            yield {**checked, "start": start, "end": end}

    events = tuple(_event(each, where) for each in spans("events", "event"))
    return Paragraph(text, events, tuple(_relation(each, where) for each in spans("relations", "relation")))


def _event(given: dict[str, Any], where: str) -> Event:
    properties = given.get("properties", {})
    if not all(isinstance(value, str) for value in properties.values()):
        raise _WrongValue(f"{where}: a property of event {given['id']} is no string; put it in quotation marks")
    return Event(given["id"], given["type"], given["start"], given["end"], given.get("cardinality", 1), properties)


def _relation(given: dict[str, Any], where: str) -> Relation:
    arguments = given["arguments"]
    if len(arguments) != 2 or not all(isinstance(each, str) for each in arguments):
        raise _WrongValue(f"{where}: relation {given['id']} has the arguments {_seen(arguments)}; it needs two ids")
    if given["kind"] not in get_args(RelationKind):
        raise _WrongValue(f"{where}: relation {given['id']} is {given['kind']!r}; it is temporal or discourse")
    name = relation_name(given["name"])
    return Relation(given["id"], given["kind"], name, (arguments[0], arguments[1]), given["start"], given["end"])


def _record(text: AnnotatedText) -> dict[str, Any]:
    declared = sorted({each.name for each in text.relations if each.kind == "discourse"} - set(DISCOURSE))
    optional = {
        "system": text.system,
        "role": text.role if text.role == "reference" else "",
        "annotator": text.annotator,
        "discourse": declared,
    }
    return {
        "item": text.item,
        **{key: value for key, value in optional.items() if value},
        "paragraphs": [
            {
                "text": paragraph.text,
                "events": [
                    {
                        "id": event.id,
                        "type": event.type,
                        "start": event.start,
                        "end": event.end,
                        "cardinality": event.cardinality,
                        "properties": dict(event.properties),
                    }
                    for event in paragraph.events
                ],
                "relations": [
                    {
                        "id": relation.id,
                        "kind": relation.kind,
                        "name": relation.name,
                        "arguments": list(relation.arguments),
                        "start": relation.start,
                        "end": relation.end,
                    }
                    for relation in paragraph.relations
                ],
            }
            for paragraph in text.paragraphs
        ],
    }
