"""Annotated texts as XML, in the form of Gatt & Portet (2010), written and read with the line of whatever is wrong.

    <TEXTS>
      <TEXT ITEM="1" SYSTEM="expert">
        <PARAGRAPH>At 14:15 <EVENT ID="e1" TYPE="desaturation" CARDINALITY="2">there were two desaturations</EVENT>
          <TREL RELATION="STARTS" ARG1="14:15" ARG2="e1"/></PARAGRAPH>
      </TEXT>
    </TEXTS>

A TEXT may have ROLE="reference" and an ANNOTATOR; TEXTS may declare further discourse relations (DISCOURSE="ELABORATION
CONDITION"). An EVENT has any further attributes as properties. A TREL or DREL may hold the words that express it. The
schema is `annotation.rng` beside this file. A document type, and with it any entity of its own, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, TypeVar
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from textassay.content.annotated_text import (
    DISCOURSE,
    AnnotatedText,
    Event,
    Paragraph,
    Relation,
    RelationKind,
    annotation_problems,
    relation_name,
)
from textassay.content.ontology import Ontology
from textassay.errors import DataError, Problem, ProblemsError
from textassay.known_names import did_you_mean

_PARENTS = {
    "TEXTS": (None,),
    "TEXT": ("TEXTS", None),
    "PARAGRAPH": ("TEXT",),
    "EVENT": ("PARAGRAPH", "EVENT", "TREL", "DREL"),
    "TREL": ("PARAGRAPH", "EVENT", "TREL", "DREL"),
    "DREL": ("PARAGRAPH", "EVENT", "TREL", "DREL"),
}
"""Element → where it may be; None is the top of the file."""
_ATTRIBUTES = {
    "TEXTS": ("DISCOURSE",),
    "TEXT": ("ITEM", "SYSTEM", "ROLE", "ANNOTATOR"),
    "PARAGRAPH": (),
    "TREL": ("ID", "RELATION", "ARG1", "ARG2"),
    "DREL": ("ID", "RELATION", "ARG1", "ARG2"),
}
"""Element → its attributes; an EVENT may have any."""
_KINDS: dict[str, RelationKind] = {"TREL": "temporal", "DREL": "discourse"}
_SPACE = " "
_NAME = re.compile(r"[A-Za-z_][\w.-]*\Z", re.ASCII)
_OWN = ("ID", "TYPE", "CARDINALITY")
Span = TypeVar("Span", Event, Relation)


def read_annotation_xml(
    content: bytes, name: str = "annotations.xml", ontology: Ontology | None = None
) -> list[AnnotatedText]:
    """All texts of a file.

    Args:
        content: What the file holds.
        name: What to call it in messages.
        ontology: Where types of events are looked up; any type is accepted without one.

    Raises:
        ProblemsError: with the line of everything that is wrong.
    """
    reader = _Reader(name, ontology)
    texts = reader.read(content)
    if reader.problems:
        raise ProblemsError(reader.problems)
    return texts


@dataclass
class _OpenText:
    """A text that is being read."""

    attributes: Mapping[str, str]
    line: int
    paragraphs: list[Paragraph] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)
    """The line of each event and relation."""


@dataclass
class _OpenSpan:
    """An event or a relation that is being read."""

    element: str
    attributes: dict[str, str]
    start: int
    number: int
    """Its place in the order of opening tags."""


class _Reader:
    def __init__(self, name: str, ontology: Ontology | None) -> None:
        self.problems: list[Problem] = []
        self._name = name
        self._ontology = ontology
        self._texts: list[AnnotatedText] = []
        self._open: list[str] = []
        self._text: _OpenText | None = None
        self._spans: list[_OpenSpan] = []
        self._characters = ""
        self._events: dict[int, Event] = {}
        self._relations: dict[int, Relation] = {}
        self._opened = 0
        self._discourse: tuple[str, ...] = DISCOURSE
        self._numbered = 0
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._add_characters
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._parser.buffer_text = True

    def read(self, content: bytes) -> list[AnnotatedText]:
        try:
            self._parser.Parse(content, True)  # noqa: FBT003 -- expat's own order of arguments
        except expat.ExpatError as error:
            why = expat.ErrorString(error.code)
            self._problem(f"not XML: {why}; close every element, and write &amp; for &", error.lineno, error.offset + 1)
        except _Refused:
            pass
        except (LookupError, ValueError) as error:  # an encoding that Python does not know
            self._problem(f"not XML: {error}; save the file as UTF-8", 1)
        return self._texts

    def _problem(self, message: str, line: int = 0, column: int = 0, element: str = "") -> None:
        line = line or self._parser.CurrentLineNumber
        self.problems.append(Problem(self._name, line, column, element, message))

    def _refuse_doctype(self, *_: Any) -> NoReturn:
        self._problem("a document type (DOCTYPE); remove it: entities and external DTDs are not read")
        raise _Refused

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        parent = self._open[-1] if self._open else None
        if element not in _PARENTS:
            near = did_you_mean(element, _PARENTS)
            self._problem(f"unknown element; use {', '.join(_PARENTS)}{near}", element=element)
            raise _Refused
        if parent not in _PARENTS[element]:
            where = f"in {parent}" if parent else "at the top"
            wanted = " or ".join(each or "the top" for each in _PARENTS[element])
            self._problem(f"{element} {where}; it belongs in {wanted}", element=element)
            raise _Refused
        self._open.append(element)
        for attribute in attributes.keys() - set(_ATTRIBUTES.get(element, attributes)):
            known = ", ".join(_ATTRIBUTES[element]) or "none"
            near = did_you_mean(attribute, _ATTRIBUTES[element])
            self._problem(f"unknown attribute {attribute}; it has: {known}{near}", element=element)
        if element == "TEXTS":
            self._discourse = (*DISCOURSE, *map(relation_name, attributes.get("DISCOURSE", "").split()))
        elif element == "TEXT":
            self._text = _OpenText(attributes, self._parser.CurrentLineNumber)
        elif element == "PARAGRAPH":
            self._characters, self._events, self._relations = "", {}, {}
        else:
            self._opened += 1
            self._spans.append(_OpenSpan(element, dict(attributes), len(self._characters), self._opened))
            self._note_line(element, attributes)

    def _note_line(self, element: str, attributes: Mapping[str, str]) -> None:
        """Give an element without an id one, and remember its line."""
        given = attributes.get("ID", "")
        if element == "EVENT" and not given:
            self._problem("an EVENT without ID; give it one, so that relations can point to it", element=element)
        if not given:
            self._numbered += 1
            given = f"{element.lower()}{self._numbered}"
            self._spans[-1].attributes["ID"] = given
        if self._text is not None:
            self._text.lines.setdefault(given, self._parser.CurrentLineNumber)

    def _add_characters(self, data: str) -> None:
        if "PARAGRAPH" not in self._open:
            if not data.isspace():
                self._problem(f"text outside a PARAGRAPH: {data.strip()[:30]!r}; put it in one")
            return
        words = data.split()
        if data[:1].isspace() and self._characters and not self._characters.endswith(_SPACE):
            self._characters += _SPACE
        self._characters += _SPACE.join(words)
        if words and data[-1:].isspace():
            self._characters += _SPACE

    def _end(self, element: str) -> None:
        self._open.pop()
        if element == "PARAGRAPH" and self._text is not None:
            self._text.paragraphs.append(self._paragraph())
        elif element == "TEXT" and self._text is not None:
            self._finish(self._text)
        elif element in ("EVENT", *_KINDS):
            self._close(self._spans.pop())

    def _paragraph(self) -> Paragraph:
        text = self._characters.rstrip()
        return Paragraph(text, tuple(_in_order(self._events, text)), tuple(_in_order(self._relations, text)))

    def _close(self, span: _OpenSpan) -> None:
        covered = self._characters[span.start :]
        start = span.start + len(covered) - len(covered.lstrip())
        end = max(start, span.start + len(covered.rstrip()))
        given = span.attributes
        if span.element == "EVENT":
            properties = {key: value for key, value in given.items() if key not in _OWN}
            number = self._cardinality(given)
            self._events[span.number] = Event(given["ID"], given.get("TYPE", ""), start, end, number, properties)
        else:
            arguments = (given.get("ARG1", ""), given.get("ARG2", ""))
            name = relation_name(given.get("RELATION", ""))
            self._relations[span.number] = Relation(given["ID"], _KINDS[span.element], name, arguments, start, end)

    def _cardinality(self, attributes: Mapping[str, str]) -> int:
        given = attributes.get("CARDINALITY", "1")
        if given.isascii() and given.isdecimal() and len(given) < 10:
            return int(given)
        self._problem(f"the CARDINALITY is {given!r}; give a whole number from 1 on", element="EVENT")
        return 1

    def _finish(self, opened: _OpenText) -> None:
        given, line = opened.attributes, opened.line
        role = given.get("ROLE", "system")
        if role not in ("system", "reference"):
            self._problem(f"the ROLE is {role!r}; it is system or reference", line, element="TEXT")
        missing = [
            name for name in ("ITEM", "SYSTEM") if not given.get(name) and (name, role) != ("SYSTEM", "reference")
        ]
        if missing:
            self._problem(f"a TEXT without {' and '.join(missing)}; say which text it is", line, element="TEXT")
        if not opened.paragraphs:
            self._problem("a TEXT without a PARAGRAPH", line, element="TEXT")
        text = AnnotatedText(
            given.get("ITEM", ""),
            given.get("SYSTEM", "") if role == "system" else "",
            tuple(opened.paragraphs),
            "reference" if role == "reference" else "system",
            given.get("ANNOTATOR", ""),
            self._ontology,
        )
        for name, message in annotation_problems(text, self._discourse, self._ontology):
            self._problem(message, opened.lines.get(name, line))
        self._texts.append(text)
        self._text = None


class _Refused(Exception):  # noqa: N818 -- ends the parser; what is wrong is among the problems
    pass


def _in_order(spans: Mapping[int, Span], text: str) -> list[Span]:
    """In the order in which they were opened, with ends that are in the text, whose last white space is gone."""
    return [
        replace(spans[number], start=min(spans[number].start, len(text)), end=min(spans[number].end, len(text)))
        for number in sorted(spans)
    ]


def write_annotation_xml(texts: Sequence[AnnotatedText]) -> str:
    """Texts as a file that reads back as the same texts.

    Raises:
        DataError: events overlap without one being inside the other, which XML cannot say; use JSON lines.
    """
    declared = sorted(
        {each.name for text in texts for each in text.relations if each.kind == "discourse"} - set(DISCOURSE)
    )
    lines = [f"<TEXTS{_attributes({'DISCOURSE': ' '.join(declared)})}>"]
    for text in texts:
        role = text.role if text.role == "reference" else ""
        given = {"ITEM": text.item, "SYSTEM": text.system, "ROLE": role, "ANNOTATOR": text.annotator}
        lines.append(f"  <TEXT{_attributes(given)}>")
        lines += [f"    <PARAGRAPH>{''.join(_marked(paragraph, text))}</PARAGRAPH>" for paragraph in text.paragraphs]
        lines.append("  </TEXT>")
    return "\n".join(('<?xml version="1.0" encoding="UTF-8"?>', *lines, "</TEXTS>", ""))


def _attributes(given: Mapping[str, str]) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in given.items() if value)


def _marked(paragraph: Paragraph, text: AnnotatedText) -> Iterator[str]:
    """The paragraph with its elements: what begins first comes first, and of those the longest."""
    spans: list[Event | Relation] = sorted(
        [*paragraph.events, *paragraph.relations], key=lambda each: (each.start, -each.end)
    )
    open_spans: list[tuple[int, str]] = []
    at = 0
    for span in spans:
        while open_spans and open_spans[-1][0] <= span.start and span.end > open_spans[-1][0]:
            end, tag = open_spans.pop()
            yield escape(paragraph.text[at:end]) + f"</{tag}>"
            at = end
        if open_spans and span.end > open_spans[-1][0]:
            raise DataError(
                f"item {text.item}, system {text.system}: {span.id} overlaps another annotation, which XML cannot say; "
                "write JSON lines"
            )
        yield escape(paragraph.text[at : span.start])
        at = span.start
        tag, given = _element(span)
        if isinstance(span, Relation) and span.start == span.end:
            yield f"<{tag}{given}/>"
        else:
            yield f"<{tag}{given}>"
            open_spans.append((span.end, tag))
    for end, tag in reversed(open_spans):
        yield escape(paragraph.text[at:end]) + f"</{tag}>"
        at = end
    yield escape(paragraph.text[at:])


def _element(span: Event | Relation) -> tuple[str, str]:
    """The tag, and the attributes as they are written."""
    if isinstance(span, Event):
        number = str(span.cardinality) if span.cardinality != 1 else ""
        wrong = [name for name in span.properties if not _NAME.match(name) or name in _OWN]
        if wrong:
            raise DataError(f"event {span.id} has the property {wrong[0]!r}, which is no name in XML; write JSON lines")
        properties = "".join(f" {name}={quoteattr(value)}" for name, value in span.properties.items())
        return "EVENT", _attributes({"ID": span.id, "TYPE": span.type, "CARDINALITY": number}) + properties
    tag = "TREL" if span.kind == "temporal" else "DREL"
    first, second = span.arguments
    return tag, _attributes({"ID": span.id, "RELATION": span.name, "ARG1": first, "ARG2": second})
