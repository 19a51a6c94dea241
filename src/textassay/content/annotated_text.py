"""Texts whose content is annotated: events, and the temporal and discourse relations between them (Gatt & Portet 2010).

An event is a stretch of text with a type from an ontology, how many occurrences it stands for, and any properties. A
relation has two arguments: events, other relations, or a timestamp for one of them. All positions are characters of the
paragraph's text, whose white space is single spaces.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from textassay.content.ontology import Ontology
from textassay.known_names import did_you_mean

ALLEN = (
    "BEFORE", "AFTER", "MEETS", "MET_BY", "OVERLAPS", "OVERLAPPED_BY", "STARTS", "STARTED_BY", "DURING", "CONTAINS",
    "FINISHES", "FINISHED_BY", "EQUALS",
)  # fmt: skip
"""The thirteen relations between two intervals of time (Allen 1983)."""
DISCOURSE = ("CAUSE", "CONTRAST")
"""The discourse relations that need no declaration."""
TIMESTAMP = re.compile(r"(\d{4}-\d{2}-\d{2}([T ]\d{1,2}:\d{2}(:\d{2})?)?|\d{1,2}:\d{2}(:\d{2})?)\Z")
INVISIBLE = re.compile("[\0-\x08\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What no text may contain, since XML cannot."""
RelationKind = Literal["temporal", "discourse"]


@dataclass(frozen=True)
class Event:
    """A stretch of text that tells of something."""

    id: str
    type: str
    """Its concept in the ontology."""
    start: int
    """Its first character in the paragraph, from 0."""
    end: int
    """The first character after it."""
    cardinality: int = 1
    """How many occurrences it stands for."""
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Relation:
    """What a text says explicitly of two events, or of an event and a time."""

    id: str
    kind: RelationKind
    name: str
    """One of Allen's relations, or a discourse relation."""
    arguments: tuple[str, str]
    """Ids of events or relations; one may be a timestamp."""
    start: int = 0
    """Where the words begin that express it; its place in the order of the paragraph."""
    end: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "arguments", tuple(self.arguments))


@dataclass(frozen=True)
class Paragraph:
    """A paragraph with what is annotated in it, in the order of the text."""

    text: str
    events: tuple[Event, ...] = ()
    relations: tuple[Relation, ...] = ()


@dataclass(frozen=True)
class AnnotatedText:
    """One text of a study as one annotator sees it."""

    item: str
    system: str = ""
    """Empty for a reference."""
    paragraphs: tuple[Paragraph, ...] = ()
    role: Literal["system", "reference"] = "system"
    annotator: str = ""
    ontology: Ontology | None = field(default=None, compare=False, repr=False)
    """Where the types of its events are concepts; nothing where they are only names."""

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, in the order of the text."""
        return tuple(event for paragraph in self.paragraphs for event in paragraph.events)

    @property
    def relations(self) -> tuple[Relation, ...]:
        """All relations, in the order of the text."""
        return tuple(relation for paragraph in self.paragraphs for relation in paragraph.relations)

    @property
    def text(self) -> str:
        """The plain text, one line per paragraph."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)

    def __len__(self) -> int:
        """How many events and relations there are."""
        return len(self.events) + len(self.relations)


def is_timestamp(argument: str) -> bool:
    """Whether an argument is a time of day, a date or both.

    >>> is_timestamp("14:15"), is_timestamp("2006-03-01T14:15"), is_timestamp("e11")
    (True, True, False)
    """
    return TIMESTAMP.match(argument) is not None


def relation_name(name: str) -> str:
    """A relation's name in the usual form.

    >>> relation_name("met-by")
    'MET_BY'
    """
    return name.strip().upper().replace("-", "_").replace(" ", "_")


def squeezed(text: str) -> tuple[str, list[int]]:
    """A text with single spaces only, and for each old position, that after the end among them, the new one.

    >>> squeezed(" a  b")
    ('a b', [0, 0, 1, 2, 2, 3])
    """
    characters: list[str] = []
    places: list[int] = []
    for character in text:
        if not character.isspace():
            places.append(len(characters))
            characters.append(character)
        elif characters and characters[-1] != " ":
            places.append(len(characters))
            characters.append(" ")
        else:
            places.append(len(characters))
    found = "".join(characters).rstrip()
    return found, [min(place, len(found)) for place in (*places, len(characters))]


def squeezed_span(text: str, places: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """A span of the old text in the new one, without white space at its ends."""
    covered = text[start:end]
    if not covered.strip():
        return places[start], places[start]
    start += len(covered) - len(covered.lstrip())
    end -= len(covered) - len(covered.rstrip())
    return places[start], places[end - 1] + 1


def annotation_problems(
    text: AnnotatedText, discourse: Sequence[str] = DISCOURSE, ontology: Ontology | None = None
) -> Iterator[tuple[str, str]]:
    """What is wrong with an annotated text: the id of the event or relation, and a message with the remedy.

    Args:
        text: The text.
        discourse: The names that discourse relations may have.
        ontology: Where types are looked up; any type is accepted without one.
    """
    ids = [*(event.id for event in text.events), *(relation.id for relation in text.relations)]
    counts = Counter(ids)
    yield from (
        (name, f"{count} elements have the id {name}; each needs its own")
        for name, count in counts.items()
        if count > 1
    )
    for paragraph in text.paragraphs:
        invisible = INVISIBLE.search(paragraph.text)
        if invisible:
            yield "", f"the text contains the invisible character U+{ord(invisible.group()):04X}; remove it"
        for event in paragraph.events:
            yield from ((event.id, message) for message in _event_problems(event, paragraph, ontology))
    known = set(ids)
    for relation in text.relations:
        yield from ((relation.id, message) for message in _relation_problems(relation, known, discourse))
    yield from _circles(text.relations)


def _event_problems(event: Event, paragraph: Paragraph, ontology: Ontology | None) -> Iterator[str]:
    if not event.id or is_timestamp(event.id):
        yield f"{event.id!r} is no id; use a name such as e1"
    if not event.type:
        yield f"event {event.id} has no type; give the name of a concept"
    elif ontology is not None and event.type not in ontology:
        yield f"event {event.id} has the type {event.type!r}, which is no concept of {ontology.name}"
    if event.cardinality < 1:
        yield f"event {event.id} has the cardinality {event.cardinality}; it must be at least 1"
    if not 0 <= event.start <= event.end <= len(paragraph.text):
        place = f"characters {event.start} to {event.end}"
        yield f"event {event.id} covers {place}, but its paragraph has {len(paragraph.text)}"


def _relation_problems(relation: Relation, known: set[str], discourse: Sequence[str]) -> Iterator[str]:
    names = ALLEN if relation.kind == "temporal" else tuple(discourse)
    if relation.name not in names:
        declare = "" if relation.kind == "temporal" else ", or declare it"
        near = did_you_mean(relation.name, names)
        yield f"{relation.name!r} is no {relation.kind} relation; use one of {', '.join(names)}{declare}{near}"
    if len(relation.arguments) != 2 or not all(relation.arguments):
        given = sum(map(bool, relation.arguments))
        yield f"relation {relation.id} has {given} argument{'s' if given != 1 else ''}; it needs two"
        return
    first, second = relation.arguments
    if first == second:
        yield f"relation {relation.id} relates {first} to itself"
    elif is_timestamp(first) and is_timestamp(second):
        yield f"relation {relation.id} relates two timestamps; one argument must be an event"
    for argument in relation.arguments:
        if argument not in known and not is_timestamp(argument):
            yield f"relation {relation.id} points to {argument}, which is neither an event nor a timestamp"


def _circles(relations: Sequence[Relation]) -> Iterator[tuple[str, str]]:
    """Relations that are, through others, arguments of themselves."""
    arguments = {relation.id: relation.arguments for relation in relations}
    safe: set[str] = set()
    for start in arguments:
        path: dict[str, None] = {}
        waiting: list[tuple[str, bool]] = [(start, False)]
        while waiting:
            name, leaving = waiting.pop()
            if leaving:
                path.pop(name)
                safe.add(name)
            elif name in path:
                around = [*list(path)[list(path).index(name) :], name]
                yield name, f"relation {name} is an argument of itself ({' → '.join(around)})"
                return
            elif name in arguments and name not in safe:
                path[name] = None
                waiting.append((name, True))
                waiting.extend((argument, False) for argument in arguments[name])
