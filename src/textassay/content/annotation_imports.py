"""Annotations made elsewhere: brat, INCEpTION (UIMA CAS JSON) and Label Studio.

A stretch of text with a label becomes an event of that type; its attribute or feature `cardinality`, if it has one, its
cardinality, and all others its properties. A relation becomes a temporal one if it has the name of one of Allen's
relations, else a discourse relation. A stretch labelled `TIMESTAMP` is no event but stands for its text, such as 14:15,
where it is an argument. Each line of the text is a paragraph.

Which text it is comes from the name of the document, `ITEM.SYSTEM.txt` or `ITEM.reference.txt`; in Label Studio from
the task's data, `item` and `system` (or `role: reference`) beside `text`.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import PurePath
from typing import Any, NoReturn

from textassay.content.annotated_text import (
    ALLEN,
    DISCOURSE,
    AnnotatedText,
    Event,
    Paragraph,
    Relation,
    RelationKind,
    annotation_problems,
    is_timestamp,
    relation_name,
    squeezed,
    squeezed_span,
)
from textassay.content.ontology import Ontology
from textassay.errors import Problem, ProblemsError

TIMESTAMP_LABEL = "TIMESTAMP"
_TYPE_FEATURES = ("type", "label", "value", "identifier")
"""Features of INCEpTION's layers that can name the type of an event, the first that is there."""
_DOCUMENT = "DocumentMetaData"
_OTHERS = ("uima.", "de.tudarmstadt.ukp.dkpro.core.api.segmentation", "de.tudarmstadt.ukp.dkpro.core.api.metadata")
"""Layers that hold no annotation of content."""


@dataclass(frozen=True)
class _Span:
    """A labelled stretch of the whole text."""

    id: str
    label: str
    start: int
    end: int
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Link:
    id: str
    label: str
    first: str
    second: str


class _Wrong(Exception):  # noqa: N818 -- becomes a `Problem`
    pass


def read_brat(text: str, annotations: str, name: str, ontology: Ontology | None = None) -> AnnotatedText:
    """A document of brat: its text, and the lines of its `.ann` file.

    Args:
        text: What the `.txt` file holds.
        annotations: What the `.ann` file holds.
        name: The document, such as `case1.expert.txt`.
        ontology: Where types of events are looked up; any type is accepted without one.

    Raises:
        ProblemsError: with everything that is wrong.
    """
    try:
        spans, links = _brat(annotations)
        return _made(text, spans, links, _named(name), ontology)
    except _Wrong as wrong:
        _refuse(name, str(wrong))


def read_inception(
    content: str, name: str = "", annotator: str = "", ontology: Ontology | None = None
) -> AnnotatedText:
    """A document of INCEpTION as UIMA CAS JSON 0.4.

    Args:
        content: What the `.json` file holds.
        name: The document, such as `case1.expert.txt`; its title by default.
        annotator: Who annotated it.
        ontology: Where types of events are looked up; any type is accepted without one.

    Raises:
        ProblemsError: with everything that is wrong.
    """
    try:
        found = _loaded(content)
        structures = found.get("%FEATURE_STRUCTURES") if isinstance(found, dict) else None
        if not isinstance(structures, list) or not all(isinstance(each, dict) for each in structures):
            raise _Wrong("no UIMA CAS JSON; export the document as 'UIMA CAS JSON 0.4.0'")
        text, spans, links, title = _inception(structures)
        item, system, role, _ = _named(name or title)
        return _made(text, spans, links, (item, system, role, annotator), ontology)
    except _Wrong as wrong:
        _refuse(name or "INCEpTION", str(wrong))


def read_label_studio(content: str, name: str = "export.json", ontology: Ontology | None = None) -> list[AnnotatedText]:
    """A project of Label Studio, exported as JSON: one text per annotation that was not cancelled.

    Args:
        content: What the `.json` file holds.
        name: What to call it in messages.
        ontology: Where types of events are looked up; any type is accepted without one.

    Raises:
        ProblemsError: with everything that is wrong.
    """
    try:
        tasks = _loaded(content)
        if not isinstance(tasks, list):
            raise _Wrong("no list of tasks; export the project as JSON, not as JSON-MIN")
        return [text for number, task in enumerate(tasks) for text in _label_studio(task, number, ontology)]
    except _Wrong as wrong:
        _refuse(name, str(wrong))


def _refuse(name: str, message: str) -> NoReturn:
    raise ProblemsError([Problem(name, 0, 0, "", message)]) from None


def _loaded(content: str) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise _Wrong("not JSON; export it again") from None


Name = tuple[str, str, str, str]
"""Item, system, role and annotator."""


def _named(document: str) -> Name:
    item, dot, system = PurePath(document).stem.rpartition(".")
    if not (item and dot and system):
        raise _Wrong(
            f"{document!r} does not say which text it is; name documents ITEM.SYSTEM.txt or ITEM.reference.txt"
        )
    return (item, "", "reference", "") if system == "reference" else (item, system, "system", "")


def _made(
    text: str, spans: Sequence[_Span], links: Sequence[_Link], name: Name, ontology: Ontology | None
) -> AnnotatedText:
    """The text with its annotations, if they fit together."""
    times = {span.id: _time(text, span) for span in spans if span.label.upper() == TIMESTAMP_LABEL}
    lines = text.split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
    squeezed_lines = [squeezed(line) for line in lines]
    events: list[list[Event]] = [[] for _ in lines]
    home: dict[str, tuple[int, int]] = {}
    for span in sorted(spans, key=lambda each: (each.start, -each.end)):
        if not 0 <= span.start <= span.end <= len(text):
            raise _Wrong(f"{span.id} covers characters {span.start} to {span.end}, but the text has {len(text)}")
        line = bisect_right(starts, span.start) - 1
        if span.end > starts[line] + len(lines[line]):
            raise _Wrong(f"{span.id} ({span.label}) goes over the end of a line; annotate within a paragraph")
        place = squeezed_span(lines[line], squeezed_lines[line][1], span.start - starts[line], span.end - starts[line])
        home[span.id] = line, place[0]
        if span.id not in times:
            events[line].append(_event(span, *place))
    relations: list[list[Relation]] = [[] for _ in lines]
    for link in links:
        label = relation_name(link.label)
        line, start = min((home[each] for each in (link.first, link.second) if each in home), default=(0, 0))
        kind: RelationKind = "temporal" if label in ALLEN else "discourse"
        arguments = times.get(link.first, link.first), times.get(link.second, link.second)
        relations[line].append(Relation(link.id, kind, label, arguments, start, start))
    kept = [row for row, (line, _) in enumerate(squeezed_lines) if line or events[row]]
    paragraphs = tuple(Paragraph(squeezed_lines[row][0], tuple(events[row]), tuple(relations[row])) for row in kept)
    item, system, role, annotator = name
    made = AnnotatedText(
        item, system, paragraphs, "reference" if role == "reference" else "system", annotator, ontology
    )
    declared = (*DISCOURSE, *(relation_name(link.label) for link in links))
    problems = [message for _, message in annotation_problems(made, declared, ontology)]
    if problems:
        raise _Wrong("; ".join(problems))
    return made


def _time(text: str, span: _Span) -> str:
    found = text[span.start : span.end].strip()
    if not is_timestamp(found):
        raise _Wrong(f"{span.id} is labelled {TIMESTAMP_LABEL} but is {found!r}; mark a time such as 14:15")
    return found


def _event(span: _Span, start: int, end: int) -> Event:
    properties = {key: value for key, value in span.attributes.items() if key.lower() != "cardinality"}
    given = next((value for key, value in span.attributes.items() if key.lower() == "cardinality"), "1")
    if not (given.isascii() and given.isdecimal() and len(given) < 10):
        raise _Wrong(f"the cardinality of {span.id} is {given!r}; give a whole number")
    return Event(span.id, span.label, start, end, int(given), properties)


def _brat(annotations: str) -> tuple[list[_Span], list[_Link]]:
    spans: dict[str, _Span] = {}
    links: list[_Link] = []
    attributes: dict[str, dict[str, str]] = {}
    for number, line in enumerate(annotations.splitlines(), 1):
        key, _, rest = line.partition("\t")
        words = rest.partition("\t")[0].split()
        if not line.strip() or key[:1] in ("#", "N", "*"):
            continue  # comments, links to databases, equivalences
        if key[:1] == "T" and len(words) >= 3 and ";" not in rest.partition("\t")[0]:
            if not (words[1].isdecimal() and words[2].isdecimal()):
                raise _Wrong(f"line {number}: {line!r} has no positions")
            spans[key] = _Span(key, words[0], int(words[1]), int(words[2]), attributes.setdefault(key, {}))
        elif key[:1] == "R" and len(words) == 3:
            links.append(_Link(key, words[0], words[1].partition(":")[2], words[2].partition(":")[2]))
        elif key[:1] in ("A", "M") and len(words) >= 2:
            attributes.setdefault(words[1], {})[words[0]] = words[2] if len(words) > 2 else "yes"
        else:
            what = "a text in several pieces" if key[:1] == "T" else "a line of an unknown kind"
            raise _Wrong(
                f"line {number}: {what}, {line!r}; use text-bound annotations (T), relations (R), attributes (A)"
            )
    return list(spans.values()), links


def _inception(structures: Sequence[Mapping[str, Any]]) -> tuple[str, list[_Span], list[_Link], str]:
    text = next((each["sofaString"] for each in structures if isinstance(each.get("sofaString"), str)), None)
    if text is None:
        raise _Wrong("no text in it (sofaString)")
    place = _utf16_places(text)
    title = next((str(each.get("documentTitle", "")) for each in structures if _layer(each).endswith(_DOCUMENT)), "")
    spans: list[_Span] = []
    links: list[_Link] = []
    for each in structures:
        features = {key.lstrip("@").lower(): value for key, value in each.items() if not key.startswith(("%", "@sofa"))}
        if _layer(each).startswith(_OTHERS) or not {"begin", "end"} <= features.keys():
            continue
        named = next((str(features[key]) for key in (*_TYPE_FEATURES, "relation") if features.get(key)), "")
        if not named:
            raise _Wrong(f"annotation {each.get('%ID')} of the layer {_layer(each)} has no feature 'type' or 'label'")
        if {"governor", "dependent"} <= features.keys():
            links.append(_Link(f"r{each.get('%ID')}", named, f"e{features['governor']}", f"e{features['dependent']}"))
            continue
        positions = features["begin"], features["end"]
        if not all(type(at) is int and 0 <= at < len(place) for at in positions):
            raise _Wrong(
                f"annotation {each.get('%ID')} covers characters {positions[0]} to {positions[1]}, outside the text"
            )
        more = {
            key: str(value)
            for key, value in features.items()
            if key not in ("begin", "end", *_TYPE_FEATURES) and isinstance(value, str | int | float)
        }
        spans.append(_Span(f"e{each.get('%ID')}", named, place[positions[0]], place[positions[1]], more))
    return text, spans, links, title


def _layer(structure: Mapping[str, Any]) -> str:
    return str(structure.get("%TYPE", ""))


def _utf16_places(text: str) -> list[int]:
    """For each position in UTF-16, in which Java counts, the position among Python's characters."""
    places: list[int] = []
    for number, character in enumerate(text):
        places += [number] * (2 if ord(character) > 0xFFFF else 1)
    return [*places, len(text)]


def _label_studio(task: Any, number: int, ontology: Ontology | None) -> Iterator[AnnotatedText]:
    data = task.get("data") if isinstance(task, dict) else None
    if not isinstance(data, dict) or not isinstance(data.get("text"), str):
        raise _Wrong(f"task {number + 1} has no data with a text")
    role = "reference" if data.get("role") == "reference" else "system"
    if not data.get("item") or (role == "system" and not data.get("system")):
        raise _Wrong(f"task {number + 1} does not say which text it is; import tasks with item, system and text")
    for done in task.get("annotations") or ():
        if not isinstance(done, dict) or done.get("was_cancelled"):
            continue
        spans, links = _label_studio_results(done.get("result"), number)
        who = done.get("completed_by")
        annotator = str(who.get("email") or who.get("id")) if isinstance(who, dict) else str(who or "")
        name = str(data["item"]), str(data.get("system", "")) if role == "system" else "", role, annotator
        try:
            yield _made(data["text"], spans, links, name, ontology)
        except _Wrong as wrong:
            raise _Wrong(f"task {number + 1}: {wrong}") from None


def _label_studio_results(results: Any, number: int) -> tuple[list[_Span], list[_Link]]:
    spans: list[_Span] = []
    links: list[_Link] = []
    attributes: dict[str, dict[str, str]] = {}
    for each in results if isinstance(results, list) else ():
        value = each.get("value") if isinstance(each, dict) else None
        if isinstance(each, dict) and each.get("type") == "relation":
            labels = each.get("labels") or [""]
            links.append(_Link(f"r{len(links) + 1}", str(labels[0]), str(each.get("from_id")), str(each.get("to_id"))))
        elif isinstance(value, dict) and isinstance(value.get("labels"), list) and value["labels"]:
            if not all(type(value.get(key)) is int for key in ("start", "end")):
                raise _Wrong(f"task {number + 1}: an annotation without start and end")
            own = attributes.setdefault(str(each.get("id")), {})
            spans.append(_Span(str(each.get("id")), str(value["labels"][0]), value["start"], value["end"], own))
        elif isinstance(value, dict):  # a choice, number or text about a stretch of text
            given = value.get("choices") or value.get("text") or [value.get("number", "")]
            own = attributes.setdefault(str(each.get("id")), {})
            own[str(each.get("from_name", "property"))] = str(given[0] if isinstance(given, list) else given)
    return spans, links
