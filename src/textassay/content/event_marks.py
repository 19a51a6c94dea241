"""Annotated texts as people see them: events marked in the text, relations in words below it.

Events share a tone where they have to do with the same: with the same functional concept, where the links to those are
known; else with the same concept below the top of the ontology; else with the same type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from textassay.content.annotated_text import AnnotatedText, Event
from textassay.content.ontology import Ontology
from textassay.marked_text import TONES, MarkedParagraph, MarkedSpan, MarkedText

_OTHER, _NONE = "other", "no functional concept"
_IN_WORDS: Mapping[str, str] = {
    "BEFORE": "{} comes before {}",
    "AFTER": "{} comes after {}",
    "MEETS": "{} ends as {} begins",
    "MET_BY": "{} begins as {} ends",
    "OVERLAPS": "{} begins before {} and ends during it",
    "OVERLAPPED_BY": "{} begins during {} and ends after it",
    "STARTS": "{} is the start of {}",
    "STARTED_BY": "{} starts with {}",
    "DURING": "{} is during {}",
    "CONTAINS": "{} includes {}",
    "FINISHES": "{} is the end of {}",
    "FINISHED_BY": "{} ends with {}",
    "EQUALS": "{} is at the same time as {}",
    "CAUSE": "{} causes {}",
    "CONTRAST": "{} contrasts with {}",
}
_DEEPEST = 5
"""Relations of relations of relations that are told in full."""


@dataclass(frozen=True)
class EventTones:
    """The tone of each type of event, the same in all texts of a study."""

    groups: Mapping[str, str]
    """Type → what events of that type have to do with; empty for nothing."""
    names: tuple[str, ...]
    """Groups with a tone of their own, the most frequent first; all others share the last tone."""
    ontology: Ontology | None = None
    links: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, texts: Iterable[AnnotatedText], ontology: Ontology | None = None, links: Sequence[str] = ()
    ) -> EventTones:
        """Tones for the events of some texts.

        Args:
            texts: The texts.
            ontology: Where the types are concepts.
            links: Names of the links to functional concepts.
        """
        types = Counter(event.type for text in texts for event in text.events)
        several = {name: _candidates(name, ontology, links) for name in types}
        weights: Counter[str] = Counter()
        for name, found in several.items():
            weights.update(dict.fromkeys(found, types[name]))
        # an event that has to do with several has the tone of the one that most events share
        groups = {
            name: min(found, key=lambda each: (-weights[each], each), default="") for name, found in several.items()
        }
        used: Counter[str] = Counter()
        for name, group in groups.items():
            used[group] += types[name]
        order = sorted((name for name in used if name), key=lambda name: (-used[name], name))
        return cls(groups, tuple(order if len(order) <= TONES else order[: TONES - 1]), ontology, tuple(links))

    def tone(self, event_type: str) -> int:
        """The tone of a type of event."""
        group = self.groups.get(event_type, "")
        if not group:
            return 0
        return self.names.index(group) + 1 if group in self.names else TONES

    def legend(self, text: AnnotatedText) -> tuple[tuple[int, str], ...]:
        """The tones that a text has, and what they stand for."""
        used = sorted({self.tone(event.type) for event in text.events})
        return tuple(
            (tone, self._named(tone)) for tone in [*(one for one in used if one), *(one for one in used if not one)]
        )

    def _named(self, tone: int) -> str:
        if not tone:
            return _NONE
        return self.label(self.names[tone - 1]) if tone <= len(self.names) else _OTHER

    def label(self, concept: str) -> str:
        """A concept in the words of the ontology, where it has some."""
        known = self.ontology.find(concept) if self.ontology is not None else None
        found = self.ontology.concepts.get(known) if self.ontology is not None and known else None
        return (found.label if found is not None else "") or concept

    def tip(self, event: Event) -> str:
        """All that is known of an event, in a line."""
        parts = []
        if self.ontology is not None and event.type in self.ontology:
            concept = self.ontology.checked(event.type)
            own = self.ontology.concepts.get(concept)
            parts += [f"a kind of {', '.join(map(self.label, own.parents))}"] if own is not None and own.parents else []
            linked = self.ontology.linked(concept, self.links) if self.links else ()
            parts += [f"concerns {', '.join(sorted(map(self.label, linked)))}"] if linked else []
        parts += [f"{event.cardinality} times"] if event.cardinality > 1 else []
        parts += [f"{name.lower()}: {value}" for name, value in event.properties.items()]
        return "; ".join([self.label(event.type), *parts])


def _candidates(event_type: str, ontology: Ontology | None, links: Sequence[str]) -> list[str]:
    """What events of a type may have to do with."""
    if ontology is None or event_type not in ontology:
        return [event_type]
    if links:
        return sorted(ontology.linked(event_type, links))
    above = ontology.superconcepts(event_type)
    levels = {name: ontology.level(name) for name in above}
    # below the top, where there is something between it and the type
    second = sorted(name for name, level in levels.items() if level == min(1, max(levels.values())))
    return second[:1]


def mark_events(
    text: AnnotatedText, tones: EventTones, *, detail: bool = False, numbered: bool = False, tips: bool = True
) -> MarkedText:
    """A text with its events marked, and what it says of them below.

    Args:
        text: The text.
        tones: Which events look alike.
        detail: Whether a reader may pass over it at first.
        numbered: Whether the number of an event is before its type, in the order of the text and from 1.
        tips: Whether all that is known of an event is seen when pointing at it, in English.
    """
    numbers = {id(event): f"{place} " if numbered else "" for place, event in enumerate(text.events, 1)}
    paragraphs = tuple(
        MarkedParagraph(each.text, tuple(_span(event, tones, numbers[id(event)], tips=tips) for event in each.events))
        for each in text.paragraphs
    )
    whose = text.system or "reference"
    name = "-".join(filter(None, (text.item, whose, text.annotator)))
    title = f"{text.item}, {whose}" + (f", annotated by {text.annotator}" if text.annotator else "")
    return MarkedText(name, title, paragraphs, tones.legend(text), relations_in_words(text), detail)


def _span(event: Event, tones: EventTones, number: str, *, tips: bool) -> MarkedSpan:
    times = f" ×{event.cardinality}" if event.cardinality > 1 else ""
    label = f"{number}{tones.label(event.type)}{times}"
    return MarkedSpan(event.start, event.end, label, tones.tone(event.type), tones.tip(event) if tips else "")


def relations_in_words(text: AnnotatedText) -> tuple[str, ...]:
    """The relations of a text, a sentence each.

    >>> from textassay.content.annotated_text import Paragraph, Relation
    >>> events = Event("e1", "fall", 0, 6), Event("e2", "rise", 11, 17)
    >>> start = Relation("r1", "temporal", "STARTS", ("14:15", "e1"))
    >>> cause = Relation("r2", "discourse", "CAUSE", ("e1", "e2"))
    >>> relations_in_words(AnnotatedText("1", "A", (Paragraph("a fall and a rise", events, (start, cause)),)))
    ('14:15 is the start of “a fall”.', '“a fall” causes “a rise”.')
    """
    named = {event.id: _quoted(paragraph.text, event) for paragraph in text.paragraphs for event in paragraph.events}
    relations = {relation.id: relation for relation in text.relations}

    def words(argument: str, depth: int) -> str:
        relation = relations.get(argument)
        if argument in named or relation is None or depth > _DEEPEST:
            return named.get(argument, argument)
        return f"(that {sentence(relation.id, depth + 1)})"

    def sentence(name: str, depth: int = 0) -> str:
        relation = relations[name]
        form = _IN_WORDS.get(relation.name, "{}" + f" – {relation.name.lower().replace('_', ' ')} – " + "{}")
        return form.format(*(words(each, depth) for each in relation.arguments))

    return tuple(f"{sentence(name)}." for name in relations)


def _quoted(text: str, event: Event) -> str:
    covered = text[event.start : event.end]
    return f"“{covered}”" if covered else event.type
