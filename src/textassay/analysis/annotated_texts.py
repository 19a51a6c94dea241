"""Annotated texts with their events marked, and how much each system's texts say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean

from textassay.content.annotated_text import AnnotatedText
from textassay.content.event_marks import EventTones, mark_events
from textassay.content.ontology import Ontology
from textassay.results import Analysis, Place, Table

MOST = 60
"""The most texts that a report shows."""
_OPEN = 4
"""The most texts that are not folded, all about the first item."""


def annotated_texts(
    texts: Mapping[tuple[str, str], AnnotatedText],
    ontology: Ontology | None = None,
    links: Sequence[str] = (),
    *,
    place: Place = "metrics",
) -> Analysis:
    """The texts with their events marked; the first item's are open, the others folded.

    Args:
        texts: By item and system.
        ontology: Where the types of events are concepts.
        links: Names of the links to functional concepts, where these are known.
        place: Where a report shows them.
    """
    tones = EventTones.of(texts.values(), ontology, links)
    places = {item: place for place, item in enumerate(dict.fromkeys(item for item, _ in texts))}
    in_order = sorted(texts.values(), key=lambda text: places[text.item])
    opened = [text for text in in_order if text.item == in_order[0].item][:_OPEN] if in_order else []
    shown = tuple(mark_events(text, tones, detail=text not in opened) for text in in_order[:MOST])
    more = len(in_order) - len(shown)
    left = f"{more} more annotated texts are not shown here: a report shows {MOST}"
    return Analysis(
        name="annotated-texts",
        title="Annotated texts",
        tables=(_table(texts),),
        texts=shown,
        warnings=(left,) if more else (),
        place=place,
    )


def _table(texts: Mapping[tuple[str, str], AnnotatedText]) -> Table:
    systems = dict.fromkeys(system for _, system in texts)
    rows = tuple(
        (
            system,
            len(own := [text for text in texts.values() if text.system == system]),
            mean(len(text.text.split()) for text in own),
            mean(len(text.events) for text in own),
            *(
                mean(sum(each.kind == kind for each in text.relations) for text in own)
                for kind in ("temporal", "discourse")
            ),
        )
        for system in systems
    )
    columns = ("System", "Texts", "Words", "Events", "Temporal relations", "Discourse relations")
    note = "Means per text, but for the number of texts."
    return Table("annotated-texts", "How much the texts say", columns, rows, note)
