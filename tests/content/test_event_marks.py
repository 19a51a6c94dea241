"""Which events look alike, what is said of them, and relations in words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from annotations import TRENDS, annotated

from textassay.content.annotated_text import ALLEN, DISCOURSE, AnnotatedText, Event, Paragraph, Relation
from textassay.content.event_marks import EventTones, mark_events, relations_in_words
from textassay.content.ontology import Concept, Ontology
from textassay.marked_text import TONES

TEXT = annotated("fall fall rise*2 | calm", "CAUSE 0 2")


@pytest.mark.parametrize(
    ("ontology", "links", "legend"),
    [
        # breath has two events, heart one; calm is linked to nothing and comes last
        (TRENDS, ["concerns"], ((1, "breath"), (2, "heart"), (0, "no functional concept"))),
        # fall and rise are trends, which are events, as calm is
        (TRENDS, [], ((1, "trend"), (2, "calm"))),
        (None, [], ((1, "fall"), (2, "calm"), (3, "rise"))),
    ],
)
def test_events_share_a_tone_with_their_like(
    ontology: Ontology | None, links: list[str], legend: tuple[tuple[int, str], ...]
) -> None:
    assert mark_events(TEXT, EventTones.of([TEXT], ontology, links)).legend == legend


def test_of_several_functional_concepts_the_one_that_most_events_share_counts() -> None:
    text = annotated("both b")
    concepts = [Concept(name) for name in ("A", "B")]
    concepts += [Concept("both", links={"to": ("A", "B")}), Concept("b", links={"to": ("B",)})]
    assert EventTones.of([text], Ontology(concepts), ["to"]).groups == {"both": "B", "b": "B"}


def test_rare_groups_share_the_last_tone() -> None:
    types = [f"t{number:02}" for number in range(TONES + 2)]
    text = annotated(" ".join(types))
    legend = EventTones.of([text]).legend(text)
    assert legend == (*((n + 1, types[n]) for n in range(TONES - 1)), (TONES, "other"))
    few = annotated(" ".join(types[:TONES]))
    assert EventTones.of([few]).legend(few)[-1] == (TONES, types[TONES - 1])


def test_a_mark_says_in_words_what_it_is() -> None:
    labelled = Ontology(
        [each if each.id != "rise" else each._replace(label="going up") for each in TRENDS.concepts.values()]
    )
    tones = EventTones.of([TEXT], labelled, ["concerns"])
    rise = mark_events(TEXT, tones).paragraphs[0].spans[2]
    assert rise.label == "going up ×2"
    assert rise.tip == "going up; a kind of trend; concerns heart; 2 times"
    assert mark_events(TEXT, tones, numbered=True).paragraphs[1].spans[0].label == "4 calm"


def test_properties_are_in_the_tip() -> None:
    event = Event("e1", "fall", 0, 4, properties={"DIRECTION": "down"})
    text = AnnotatedText("1", "A", (Paragraph("fall", (event,)),))
    assert EventTones.of([text]).tip(event) == "fall; direction: down"


def test_every_relation_has_words_of_its_own() -> None:
    events = Event("e1", "fall", 0, 1), Event("e2", "rise", 2, 3)
    names = [*(("temporal", name) for name in ALLEN), *(("discourse", name) for name in (*DISCOURSE, "ELABORATION"))]
    said = [
        relations_in_words(
            AnnotatedText("1", "A", (Paragraph("a b", events, (Relation("r", kind, name, ("e1", "e2")),)),))
        )[0]
        for kind, name in names
    ]
    assert len(set(said)) == len(names)
    assert all("“a”" in each and "“b”" in each for each in said)
    assert said[-1] == "“a” – elaboration – “b”."


def test_a_relation_of_a_relation_is_told_in_full() -> None:
    text = annotated("fall rise", "CAUSE 0 1")
    more = Relation("r9", "temporal", "AFTER", ("r0", "14:15"))
    both = replace(text.paragraphs[0], relations=(*text.relations, more))
    assert relations_in_words(replace(text, paragraphs=(both,)))[1] == "(that “fall” causes “rise”) comes after 14:15."
