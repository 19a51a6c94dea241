"""Annotated texts for tests, and a strategy that makes any that are sound."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from textassay.content.annotated_text import (
    ALLEN,
    DISCOURSE,
    AnnotatedText,
    Event,
    Paragraph,
    Relation,
    annotation_problems,
)
from textassay.content.conditions import parse_condition, parse_state
from textassay.content.ontology import Concept, Ontology
from textassay.content.relevance import Importance, Priors, RelevanceModel
from textassay.metrics.relevance_metrics import RelevanceCase

WARD_XML = """<?xml version="1.0" encoding="UTF-8"?>
<TEXTS>
  <TEXT ITEM="1" SYSTEM="expert">
    <PARAGRAPH>
      At 14:15 <EVENT ID="e1" TYPE="desaturation" CARDINALITY="2" DIRECTION="down">there were two
      desaturations</EVENT>,
      <DREL ID="r2" RELATION="CAUSE" ARG1="e2" ARG2="e1">caused by</DREL> <EVENT ID="e2" TYPE="suction">suction</EVENT>.
      <TREL ID="r1" RELATION="STARTS" ARG1="14:15" ARG2="e1"/>
    </PARAGRAPH>
    <PARAGRAPH><EVENT ID="e3" TYPE="artefact">Artefacts</EVENT> followed.</PARAGRAPH>
  </TEXT>
  <TEXT ITEM="1" ROLE="reference"><PARAGRAPH>All was <EVENT ID="e1" TYPE="calm">calm</EVENT>.</PARAGRAPH></TEXT>
</TEXTS>
"""

TRENDS = Ontology(
    [
        Concept("event"),
        Concept("trend", parents=("event",)),
        Concept("fall", parents=("trend",), links={"concerns": ("breath",)}),
        Concept("steep-fall", parents=("fall",)),
        Concept("rise", parents=("trend",), links={"concerns": ("heart",)}),
        Concept("calm", parents=("event",)),
        Concept("breath"),
        Concept("heart"),
        Concept("intubation", links={"concerns": ("breath",)}),
        Concept("massage", links={"concerns": ("breath", "heart")}),
    ],
    "trends",
)
TREATMENTS = RelevanceModel(
    TRENDS,
    ("concerns",),
    {"intubate": "intubation", "massage": "massage"},
    Priors({"intubate": 0.25, "massage": 0.75}),
    Importance(superconcepts=("steep-fall",)),
    {"intubate": parse_condition("not on(tube)")},
)


def case(events: str, state: str = "") -> RelevanceCase:
    """A text about a case in which to intubate is right and a massage is wrong; see `annotated`."""
    return RelevanceCase(
        annotated(events), TREATMENTS, frozenset(["intubate"]), frozenset(["massage"]), parse_state(state)
    )


def annotated(events: str, *relations: str) -> AnnotatedText:
    """`fall rise*2 | calm` and `STARTS 14:15 0`: types of events by paragraph, relations between events by number."""
    found: list[Paragraph] = []
    number = 0
    for words in events.split(" | "):
        its = []
        for word in words.split():
            name, _, times = word.partition("*")
            start = sum(len(each.type) + 1 for each in its)
            its.append(Event(f"e{number}", name, start, start + len(name), int(times or 1)))
            number += 1
        found.append(Paragraph(" ".join(event.type for event in its), tuple(its)))
    stated = [
        Relation(
            f"r{place}",
            "temporal" if name in ALLEN else "discourse",
            name,
            (first if ":" in first else f"e{first}", f"e{second}"),
        )
        for place, (name, first, second) in enumerate(relation.split() for relation in relations)
    ]
    found[0] = replace(found[0], relations=tuple(stated))
    return AnnotatedText("1", "A", tuple(found), ontology=TRENDS)


def sound(text: AnnotatedText) -> bool:
    """Whether events lie in their paragraphs and relations point somewhere, whatever discourse relations are called."""
    return not list(annotation_problems(text, [*DISCOURSE, *(relation.name for relation in text.relations)]))


_words = st.text(alphabet="abcäß&<>\"' é", min_size=1, max_size=6).filter(lambda text: text.strip() == text)


@st.composite
def paragraphs(draw: st.DrawFn, first: int) -> Paragraph:
    """A paragraph whose events nest, so that XML can say it; ids count from `first`."""
    words = draw(st.lists(_words, min_size=1, max_size=6))
    text = " ".join(" ".join(words).split())
    n = draw(st.integers(0, 3))
    events = []
    low, high = 0, len(text)
    for number in range(n):
        start = draw(st.integers(low, high))
        end = draw(st.integers(start, high))
        covered = text[start:end]
        start += len(covered) - len(covered.lstrip())
        end = max(start, end - (len(covered) - len(covered.rstrip())))
        if start < len(text) and text[start] == " " and start == end:
            start = end = low
        properties = draw(st.dictionaries(st.sampled_from(["DIRECTION", "SOURCE"]), st.text('ab\n\t"<& ', max_size=4)))
        events.append(Event(f"e{first + number}", draw(_words), start, end, draw(st.integers(1, 9)), properties))
        low, high = start, end
    relations = []
    if n >= 2:
        kind = draw(st.sampled_from(["temporal", "discourse"]))
        name = draw(st.sampled_from(ALLEN if kind == "temporal" else (*DISCOURSE, "ELABORATION")))
        arguments = draw(st.sampled_from([(events[0].id, events[1].id), (events[1].id, "14:15")]))
        relations.append(Relation(f"r{first}", kind, name, arguments, events[0].start, events[0].start))
    return Paragraph(text, tuple(events), tuple(relations))


@st.composite
def annotated_texts(draw: st.DrawFn) -> AnnotatedText:
    """A sound text."""
    its = tuple(draw(paragraphs(first=10 * number)) for number in range(draw(st.integers(1, 3))))
    if draw(st.booleans()):
        return AnnotatedText(draw(_words), "", its, "reference", draw(st.sampled_from(["", "Ann"])))
    return AnnotatedText(draw(_words), draw(_words), its)
