"""Ontologies from files: OWL in three forms, YAML, and what is wrong in them."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pyoxigraph
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from textassay.content.ontology_files import read_ontology
from textassay.errors import ProblemsError

TURTLE = """
@prefix : <http://x.org/ward#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<http://x.org/ward> a owl:Ontology ; owl:imports <http://x.org/other> .
:event a owl:Class ; rdfs:label "event"@en , "Ereignis"@de .
:desaturation a owl:Class ; rdfs:subClassOf :event ,
    [ a owl:Restriction ; owl:onProperty :concerns ; owl:someValuesFrom :oxygen ] ,
    [ a owl:Restriction ; owl:onProperty :concerns ; owl:allValuesFrom :event ] .
:severe a owl:Class ; owl:equivalentClass [ owl:intersectionOf ( :desaturation
    [ a owl:Restriction ; owl:onProperty :concerns ; owl:someValuesFrom :brain ] ) ] .
:oxygen a owl:Class ; :seen_in :brain ; :weight 3 .
:brain a owl:Class ; rdfs:subClassOf owl:Thing .
:old a owl:Class ; owl:deprecated true ; rdfs:subClassOf :event .
:concerns a owl:ObjectProperty .
"""


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_turtle(tmp_path: Path) -> None:
    ward = read_ontology(write(tmp_path, "ward.ttl", TURTLE))
    assert list(ward.concepts) == ["event", "desaturation", "severe", "oxygen", "brain"]
    assert ward.superconcepts("severe") == {"severe", "desaturation", "event"}
    assert ward.linked("severe", ["concerns"]) == {"oxygen", "brain"}
    assert ward.linked("oxygen", ["seen_in"]) == {"brain"}
    assert ward.link_names == ("concerns", "seen_in")
    assert ward.concepts["event"].label == "event"
    assert ward.find("http://x.org/ward#event") == "event"
    assert ward.roots == ("event", "oxygen", "brain")
    assert ward.problems == (
        "imports http://x.org/other, which is not fetched; merge it into the file",
        "1 deprecated concepts are left out",
    )


def test_the_same_in_all_forms(tmp_path: Path) -> None:
    triples = list(pyoxigraph.parse(TURTLE, pyoxigraph.RdfFormat.TURTLE))
    turtle = read_ontology(write(tmp_path, "ward.ttl", TURTLE))
    for name, form in (("ward.nt", pyoxigraph.RdfFormat.N_TRIPLES), ("ward.owl", pyoxigraph.RdfFormat.RDF_XML)):
        (tmp_path / name).write_bytes(pyoxigraph.serialize((quad.triple for quad in triples), format=form))
        other = read_ontology(tmp_path / name)
        assert other.concepts == turtle.concepts
        assert other.problems == turtle.problems


def test_equal_last_parts_are_called_by_their_whole_iris(tmp_path: Path) -> None:
    text = "@prefix o: <http://www.w3.org/2002/07/owl#> . <http://a/cat> a o:Class . <http://b/cat> a o:Class ."
    assert list(read_ontology(write(tmp_path, "a.ttl", text)).concepts) == ["http://a/cat", "http://b/cat"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.ttl", "<a> <b> .", "a.ttl:1"),
        ("a.ttl", "no turtle", "no valid Turtle"),
        ("a.owl", "<rdf", "no valid RDF/XML"),
        ("a.nt", "<a>", "no valid N-Triples"),
        ("a.json", "{}", "an ontology in .json; use one of .ttl"),
        ("a", "", "an ontology in a file without ending; use one of .ttl"),
        ("a.yaml", "", "no concepts; write 'concepts:' and one key per concept below it"),
        ("a.yaml", "concepts: [a]", "no concepts; write"),
        ("a.yaml", "concepts: {a: b}", "concepts.a: a has a value that is no mapping"),
        ("a.yaml", "concepts: {a: {is_a: b}}", "concepts.a.is_a: b is no concept of this file; add it"),
        ("a.yaml", "concepts: {event: , b: {is_a: evnt}}", "evnt is no concept of this file; did you mean 'event'?"),
        ("a.yaml", "concepts: {a: {is_a: a}}", "a is a kind of itself"),
        ("a.yaml", "concepts: {a: {is_a: b}, b: {is_a: a}}", "a and b are kinds of each other"),
        (
            "a.yaml",
            "concepts: {a: {concerns: a}}",
            "unknown key 'concerns'; use one of is_a, label, or add it to links",
        ),
        ("a.yaml", "concept: {a: }", "unknown key 'concept'; use name, links and concepts"),
        ("a.yaml", "concepts: {a: {label: 3}}", "the label is 3; put it in quotation marks"),
        ("a.yaml", "concepts: {a: {is_a: [{}]}}", "give the name of a concept, or a list of names"),
        ("a.yaml", "concepts: {a: , a: }", "key 'a' is already in line 1"),
        ("a.yaml", "concepts: {a", "not YAML"),
    ],
)
def test_mistakes_are_named_with_their_place(name: str, text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ProblemsError) as caught:
        read_ontology(write(tmp_path, name, text))
    assert message in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError, match=r"none\.ttl: it cannot be read \(No such file"):
        read_ontology(tmp_path / "none.ttl")


def test_an_entity_is_no_way_to_another_file(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    text = f"""<!DOCTYPE x [<!ENTITY e SYSTEM "{(tmp_path / "secret").as_uri()}">]>
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
    <rdf:Description rdf:about="a"><rdfs:label>&e;</rdfs:label></rdf:Description></rdf:RDF>"""
    with pytest.raises(ProblemsError, match="no valid RDF/XML"):
        read_ontology(write(tmp_path, "a.owl", text))


def test_yaml(tmp_path: Path) -> None:
    text = """
name: ward
links: [concerns]
concepts:
  event:
  desaturation: {is_a: event, label: fall in oxygen saturation, concerns: [oxygen, brain]}
  oxygen:
  brain:
"""
    ward = read_ontology(write(tmp_path, "ward.yaml", text))
    assert ward.name == "ward"
    assert ward.linked("fall in oxygen saturation", ["concerns"]) == {"oxygen", "brain"}
    assert ward.is_a("desaturation", "event")
    assert ward.problems == ()


def test_real_ontologies(data_dir: Path) -> None:
    # Counted apart from the reader: classes by their opening tags (1,020 and 17; ogms has two more that are anonymous),
    # less the 125 classes of symp that are deprecated.
    symptoms = read_ontology(data_dir / "ontology" / "symp.owl")
    assert (len(symptoms), len(symptoms.circles)) == (1020 - 125, 0)
    assert symptoms.is_a("fever", "symptom")
    assert len(read_ontology(data_dir / "ontology" / "ogms.owl")) == 17


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["a.ttl", "a.owl", "a.nt", "a.yaml"]), st.binary(max_size=60) | st.text(max_size=60).map(str.encode)
)
def test_any_bytes_are_read_or_refused(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with suppress(ProblemsError):
        assert read_ontology(tmp_path / name).closed() >= 0
