"""`textassay ontology`: what is in an ontology."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from textassay.cli.options import Format
from textassay.cli.output import console, show_tables
from textassay.content.ontology import Ontology
from textassay.content.ontology_files import read_ontology
from textassay.results import Table

_SHOWN = 15
"""The most concepts of one kind that are listed."""


def ontology(file: Path, concept: str | None = None, *, format: Format = "text") -> int:  # noqa: A002 -- the flag's name
    """Show what is in an ontology: its size, links and problems, or one concept.

    Args:
        file: OWL or RDF (.ttl, .owl, .rdf, .nt), or a small ontology in .yaml.
        concept: Show this concept instead: its superconcepts, subconcepts and links, inherited ones too.
        format: How the result is printed.
    """
    found = read_ontology(file)
    show_tables(_concept(found, concept) if concept is not None else _whole(found), format)
    if format == "text" and concept is None:
        for problem in found.problems:
            console().print(f"Note: {problem}")
    return 0


def _whole(found: Ontology) -> list[Table]:
    facts = (
        ("concepts", len(found)),
        ("with a label", sum(bool(each.label) for each in found.concepts.values())),
        ("levels", found.depth + 1 if len(found) else 0),
        ("pairs of concept and superconcept", found.closed()),
        ("problems", len(found.problems)),
    )
    tables = [Table("ontology", found.name, ("what", "value"), facts)]
    if found.link_names:
        tables.append(Table("links", "Links", ("link", "from concepts", "to concepts"), tuple(_links(found))))
    below = Counter(above for name in found.concepts for above in found.superconcepts(name))
    rows = tuple((root, found.concepts[root].label, below[root] - 1) for root in found.roots[:_SHOWN])
    more = len(found.roots) - len(rows)
    note = f"{more} more concepts have no superconcept." if more else ""
    tables.append(Table("roots", "Concepts without a superconcept", ("concept", "label", "below it"), rows, note))
    return tables


def _links(found: Ontology) -> Iterator[tuple[str, int, int]]:
    for name in found.link_names:
        ends = [concept.links[name] for concept in found.concepts.values() if name in concept.links]
        yield name, len(ends), len({target for targets in ends for target in targets})


def _concept(found: Ontology, name: str) -> list[Table]:
    concept = found.concepts[found.checked(name)]
    above = sorted(found.superconcepts(concept.id) - {concept.id}, key=lambda each: (-found.level(each), each))
    below = [each for each in found.concepts.values() if concept.id in each.parents]
    rows: list[tuple[Any, ...]] = [("id", concept.id), ("label", concept.label), ("IRI", concept.iri)]
    rows += [("kind of", _named(found, each)) for each in above]
    rows += [("kinds of it", _named(found, each.id)) for each in below[:_SHOWN]]
    for link in found.link_names:
        rows += [
            (link, _target(found, each, concept.links.get(link, ())))
            for each in sorted(found.linked(concept.id, [link]))
        ]
    note = f"{len(below) - _SHOWN} more kinds of it." if len(below) > _SHOWN else ""
    return [
        Table("concept", concept.label or concept.id, ("what", "value"), tuple(row for row in rows if row[1]), note)
    ]


def _named(found: Ontology, name: str) -> str:
    label = found.concepts[name].label if name in found.concepts else ""
    return f"{name} ({label})" if label and label != name else name


def _target(found: Ontology, target: str, own: Sequence[str]) -> str:
    return _named(found, target) + ("" if target in own else ", inherited")
