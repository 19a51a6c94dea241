"""Ontologies from files: OWL or RDF in Turtle, RDF/XML or N-Triples, and a small form in YAML.

From RDF come the classes, `rdfs:subClassOf` between them, and links: triples between two classes by any property that
is not of RDF, RDFS or OWL itself, and restrictions (`A subClassOf [onProperty p; someValuesFrom B]`, alone or in the
intersection that defines a class). Nothing is fetched: what a file imports is named as a problem. In YAML:

    name: ward
    links: [concerns]
    concepts:
      event:
      desaturation: {is_a: event, label: fall in oxygen saturation, concerns: [oxygenation]}
      oxygenation:
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from textassay.content.ontology import NO_LINKS, Concept, Ontology, circle_message, collector_paused
from textassay.errors import Problem, ProblemsError
from textassay.known_names import did_you_mean
from textassay.study.yaml_reader import Document, Path_, read_yaml

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"
_TYPE, _FIRST, _REST, _NIL = (_RDF + name for name in ("type", "first", "rest", "nil"))
_SUBCLASS, _LABEL = _RDFS + "subClassOf", _RDFS + "label"
_CLASSES = (_OWL + "Class", _RDFS + "Class")
_THING = _OWL + "Thing"
_DEPRECATED, _IMPORTS = _OWL + "deprecated", _OWL + "imports"
_ON, _SOME, _ALSO = _OWL + "onProperty", _OWL + "someValuesFrom", _OWL + "intersectionOf"
_EQUIVALENT = _OWL + "equivalentClass"
_STRUCTURAL = (
    _TYPE, _FIRST, _REST, _SUBCLASS, _LABEL, _DEPRECATED, _IMPORTS, _ON, _SOME, _ALSO, _EQUIVALENT,
)  # fmt: skip
_VOCABULARIES = (_RDF, _RDFS, _OWL)
_ENDINGS = {".ttl": "TURTLE", ".owl": "RDF_XML", ".rdf": "RDF_XML", ".xml": "RDF_XML", ".nt": "N_TRIPLES"}
_YAML = (".yaml", ".yml")
Pair = tuple[str, str]
"""Subject and object of a triple."""
_TOP_KEYS = ("name", "links", "concepts")
_OWN_KEYS = ("is_a", "label")


def read_ontology(path: Path) -> Ontology:
    """The ontology in a file.

    Raises:
        ProblemsError: the file cannot be read, or is not what its ending says; with the place.
    """
    if path.suffix.lower() in _YAML:
        return _from_yaml(path)
    if path.suffix.lower() not in _ENDINGS:
        known = ", ".join((*_ENDINGS, *_YAML))
        raise _problem(path, f"an ontology in {path.suffix or 'a file without ending'}; use one of {known}")
    with collector_paused():
        return _from_rdf(path, _ENDINGS[path.suffix.lower()])


def _problem(path: Path, message: str, line: int = 0, column: int = 0) -> ProblemsError:
    return ProblemsError([Problem(str(path), line, column, "", message)])


class _Triples:
    """What the triples of a file say, by IRI or blank node (whose name has no colon)."""

    def __init__(self, structural: Mapping[str, list[Pair]], own: Mapping[str, list[Pair]]) -> None:
        deprecated = {subject for subject, value in structural[_DEPRECATED] if value in ("true", "1")}
        declared = [subject for subject, value in structural[_TYPE] if value in _CLASSES and ":" in subject]
        self.classes = dict.fromkeys(iri for iri in declared if iri not in deprecated)
        self.deprecated = len(deprecated.intersection(declared))
        self.labels = dict(reversed(structural[_LABEL]))  # the first of several
        self.imports = [value for _, value in structural[_IMPORTS]]
        self._first, self._rest = dict(structural[_FIRST]), dict(structural[_REST])
        self._on, self._some = dict(structural[_ON]), dict(structural[_SOME])
        self._members = dict(structural[_ALSO])
        above = [*structural[_SUBCLASS], *structural[_EQUIVALENT]]
        self.parents = [pair for pair in above if ":" in pair[1] and pair[1] != _THING]
        """Class and superclass."""
        self.links = [(subject, name, value) for name, pairs in own.items() for subject, value in pairs]
        """Class, property, class."""
        for subject, node in above:
            if ":" not in node:
                self._add_node(subject, node)

    def _add_node(self, subject: str, node: str) -> None:
        """A restriction, or an intersection of classes and restrictions."""
        for part in self._parts(node):
            if ":" in part:
                self.parents.append((subject, part))
            elif part in self._on and ":" in self._some.get(part, ""):
                self.links.append((subject, self._on[part], self._some[part]))

    def _parts(self, node: str) -> Iterator[str]:
        """What a blank node stands for: itself, or the members of an intersection."""
        rest = self._members.get(node)
        if rest is None:
            yield node
        seen: set[str] = set()
        while rest is not None and rest != _NIL and rest not in seen:
            seen.add(rest)
            if rest in self._first:
                yield self._first[rest]
            rest = self._rest.get(rest)


def _from_rdf(path: Path, form: str) -> Ontology:
    try:
        triples = _triples(path, form)
    except OSError as error:
        raise _problem(path, f"it cannot be read ({error.strerror or error})") from None
    except SyntaxError as error:
        ending = {"TURTLE": "Turtle", "RDF_XML": "RDF/XML", "N_TRIPLES": "N-Triples"}[form]
        raise _problem(path, f"no valid {ending}: {error.msg}", error.lineno or 0, error.offset or 0) from None
    problems = [f"imports {iri}, which is not fetched; merge it into the file" for iri in triples.imports]
    if not triples.classes:
        problems.append("no classes (owl:Class)")
    if triples.deprecated:
        problems.append(f"{triples.deprecated} deprecated concepts are left out")
    return Ontology(_concepts(triples), path.name, problems)


def _triples(path: Path, form: str) -> _Triples:
    import pyoxigraph  # noqa: PLC0415 -- only those who have an ontology wait for it

    structural: dict[str, list[Pair]] = {name: [] for name in _STRUCTURAL}
    own: dict[str, list[Pair]] = {}
    node = pyoxigraph.NamedNode
    with path.open("rb") as file:
        for quad in pyoxigraph.parse(file, getattr(pyoxigraph.RdfFormat, form), base_iri=path.absolute().as_uri()):
            predicate = quad.predicate.value
            if predicate in structural:
                structural[predicate].append((quad.subject.value, quad.object.value))
            elif isinstance(quad.object, node) and not predicate.startswith(_VOCABULARIES):
                own.setdefault(predicate, []).append((quad.subject.value, quad.object.value))
    return _Triples(structural, own)


def _concepts(triples: _Triples) -> Iterator[Concept]:
    classes = triples.classes
    links = [link for link in triples.links if link[0] in classes]
    # A property is a link where it leads from class to class; a class that only a restriction names is not declared.
    own = {name for _, name, value in links if value in classes}
    links = [link for link in links if link[1] in own]
    used = dict.fromkeys(classes)
    used.update(dict.fromkeys([parent for _, parent in triples.parents]))
    used.update(dict.fromkeys([iri for _, name, value in links for iri in (name, value)]))
    names = _short_names(used)
    parents: dict[str, tuple[str, ...]] = {}
    for subject, parent in triples.parents:
        name = names[parent]
        known = parents.get(subject)
        if known is None:
            parents[subject] = (name,)
        elif name not in known:
            parents[subject] = (*known, name)
    targets: dict[str, dict[str, dict[str, None]]] = {}
    for subject, name, value in links:
        targets.setdefault(subject, {}).setdefault(names[name], {})[names[value]] = None
    labels = triples.labels
    for iri in classes:
        of_it = {name: tuple(values) for name, values in targets[iri].items()} if iri in targets else NO_LINKS
        yield Concept(names[iri], labels.get(iri, ""), iri, parents.get(iri, ()), of_it)


def _short_names(iris: Iterable[str]) -> dict[str, str]:
    """For each IRI its last part, or the whole of it where two have the same.

    >>> list(_short_names(["http://a.org/x#dog", "http://a.org/x/cat", "http://b.org/cat"]).values())
    ['dog', 'http://a.org/x/cat', 'http://b.org/cat']
    """
    short = {iri: iri[max(iri.rfind("#"), iri.rfind("/")) + 1 :] or iri for iri in iris}
    first: dict[str, str] = {}
    doubled = {name for iri, name in short.items() if first.setdefault(name, iri) != iri}
    return {iri: iri if name in doubled else name for iri, name in short.items()} if doubled else short


def _from_yaml(path: Path) -> Ontology:
    document = read_yaml(path, str(path))
    found = _YamlOntology(document)
    ontology = found.ontology(path.stem)
    problems = [*document.problems, *found.problems]
    problems += [document.problem(("concepts", circle[0]), circle_message(circle)) for circle in ontology.circles]
    if problems:
        raise ProblemsError(problems)
    return ontology


class _YamlOntology:
    """A YAML file as an ontology, with what is wrong in it."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self.problems: list[Problem] = []
        data = document.data if isinstance(document.data, dict) else {}
        if not data or not isinstance(data.get("concepts"), dict):
            self._refuse((), "no concepts; write 'concepts:' and one key per concept below it")
        for key in data.keys() - set(_TOP_KEYS):
            near = did_you_mean(key, _TOP_KEYS)
            self._refuse((key,), f"unknown key {key!r}; use name, links and concepts{near}")
        concepts = data.get("concepts")
        self._concepts: dict[str, Any] = (
            {str(key): value for key, value in concepts.items()} if isinstance(concepts, dict) else {}
        )
        self._links = self._names(data.get("links", []), ("links",))
        self._name = data.get("name")

    def ontology(self, usual_name: str) -> Ontology:
        return Ontology(list(self._all()), str(self._name or usual_name))

    def _all(self) -> Iterator[Concept]:
        for name, value in self._concepts.items():
            path = ("concepts", name)
            said = {} if value is None else value
            if not isinstance(said, dict):
                self._refuse(path, f"{name} has a value that is no mapping; write {name}: {{is_a: …}}")
                said = {}
            for key in said.keys() - {*_OWN_KEYS, *self._links}:
                known = (*_OWN_KEYS, *self._links)
                hint = f"use one of {', '.join(known)}, or add it to links{did_you_mean(key, known)}"
                self._refuse((*path, key), f"unknown key {key!r}; {hint}")
            links = {link: self._targets(said[link], (*path, link)) for link in self._links if link in said}
            label = said.get("label", "")
            if not isinstance(label, str):
                self._refuse((*path, "label"), f"the label is {label!r}; put it in quotation marks")
            yield Concept(name, str(label), "", self._targets(said.get("is_a", []), (*path, "is_a")), links)

    def _targets(self, value: Any, path: Path_) -> tuple[str, ...]:
        names = self._names(value, path)
        for name in names:
            if name not in self._concepts:
                hint = did_you_mean(name, self._concepts) or "; add it"
                self._refuse(path, f"{name} is no concept of this file{hint}")
        return tuple(name for name in names if name in self._concepts)

    def _names(self, value: Any, path: Path_) -> tuple[str, ...]:
        values = value if isinstance(value, list) else [value]
        if any(not isinstance(each, str | int) or isinstance(each, bool) for each in values):
            self._refuse(path, "give the name of a concept, or a list of names")
            return ()
        return tuple(map(str, values))

    def _refuse(self, path: Path_, message: str) -> None:
        self.problems.append(self._document.problem(path, message))
