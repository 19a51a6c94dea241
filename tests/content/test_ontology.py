"""Ontologies: names, IS-A and links, closed over circles too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.content import ontology
from textassay.content.ontology import Concept, Ontology
from textassay.errors import DataError, UsageError

WARD = Ontology(
    [
        Concept("event"),
        Concept("breathing", "Breathing event", "http://x.org/o#breathing", ("event",), {"concerns": ("oxygen",)}),
        Concept("apnoea", "apnoea", parents=("breathing",), links={"concerns": ("airway",), "treated_by": ("tube",)}),
        Concept("oxygen"),
        Concept("airway"),
        Concept("tube", "tube"),
        Concept("other", "Tube"),
    ],
    "ward",
)


def test_is_a_is_closed_and_holds_for_the_concept_itself() -> None:
    assert WARD.superconcepts("apnoea") == {"apnoea", "breathing", "event"}
    assert WARD.is_a("apnoea", "event")
    assert WARD.is_a("event", "event")
    assert not WARD.is_a("event", "apnoea")
    assert WARD.common_superconcepts("apnoea", "breathing") == {"breathing", "event"}
    assert (WARD.level("apnoea"), WARD.depth, WARD.roots[0], WARD.closed()) == (2, 2, "event", 10)


def test_links_are_inherited() -> None:
    assert WARD.linked("apnoea", ["concerns"]) == {"oxygen", "airway"}
    assert WARD.linked("breathing", ["concerns"]) == {"oxygen"}
    assert WARD.linked("apnoea", ["concerns", "treated_by"]) == {"oxygen", "airway", "tube"}
    assert WARD.link_names == ("concerns", "treated_by")


@pytest.mark.parametrize("name", ["breathing", "http://x.org/o#breathing", "breathing EVENT", "Breathing_event"])
def test_a_concept_is_found_by_id_iri_or_label(name: str) -> None:
    assert WARD.find(name) == "breathing"
    assert name in WARD


def test_unknown_names_have_a_near_one() -> None:
    with pytest.raises(UsageError, match=r"^ward has no concept 'apnea'; did you mean 'apnoea'"):
        WARD.checked("apnea")
    with pytest.raises(UsageError, match=r"^ward has no concept 'zzz'; it has 7 concepts$"):
        WARD.is_a("zzz", "event")
    with pytest.raises(UsageError, match=r"^ward: several concepts have the label 'TUBE'; use an id$"):
        WARD.checked("TUBE")
    with pytest.raises(UsageError, match=r"^ward has no link 'causes'; it has: concerns, treated_by$"):
        WARD.linked("apnoea", ["causes"])


def test_circles_mean_the_same_and_are_reported() -> None:
    round_about = Ontology(
        [
            Concept("a", parents=("b",), links={"l": ("x",)}),
            Concept("b", parents=("c",)),
            Concept("c", parents=("a", "top")),
            Concept("top"),
            Concept("below", parents=("a",)),
            Concept("self", parents=("self",)),
            Concept("x"),
        ]
    )
    assert round_about.circles == (("a", "b", "c"), ("self",))
    assert round_about.superconcepts("b") == {"a", "b", "c", "top"}
    assert round_about.superconcepts("below") == {"a", "b", "c", "top", "below"}
    assert round_about.linked("c", ["l"]) == {"x"}
    assert round_about.problems == ("a and b and c are kinds of each other", "self is a kind of itself")
    assert (round_about.level("below"), round_about.level("top")) == (2, 0)


def test_undeclared_concepts_are_reported_and_still_count() -> None:
    odd = Ontology([Concept("a", parents=("ghost",), links={"l": ("spirit",)})])
    assert odd.superconcepts("a") == {"a", "ghost"}
    assert odd.problems == (
        "ghost is used as superconcept but not declared",
        "spirit is used as target of a link but not declared",
    )


def test_an_empty_ontology_has_nothing() -> None:
    empty = Ontology([])
    assert (len(empty), empty.depth, empty.closed(), empty.circles, empty.problems) == (0, 0, 0, (), ())


def test_more_pairs_than_can_be_kept_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ontology, "_MOST_PAIRS", 50)
    chain = Ontology([Concept("0"), *(Concept(str(n), parents=(str(n - 1),)) for n in range(1, 20))])
    with pytest.raises(DataError, match="20 concepts on 20 levels"):
        chain.closed()


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=16))
def test_closure_is_what_can_be_reached(edges: list[tuple[int, int]]) -> None:
    parents = {n: tuple(dict.fromkeys(str(b) for a, b in edges if a == n)) for n in range(8)}
    made = Ontology(Concept(str(n), parents=parents[n]) for n in range(8))
    for start in range(8):
        reached, waiting = {str(start)}, [start]
        while waiting:
            for parent in parents[waiting.pop()]:
                if parent not in reached:
                    reached.add(parent)
                    waiting.append(int(parent))
        assert made.superconcepts(str(start)) == reached
