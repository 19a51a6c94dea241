"""What a study's texts say, where its tables name it: annotations, parses, an ontology, relevance to actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self

from pydantic import Field, ValidationError, model_validator

from textassay.content.annotated_text import AnnotatedText, squeezed
from textassay.content.annotation_files import read_annotations
from textassay.content.conditions import Condition, State, parse_condition, parse_state
from textassay.content.conllu import ParsedText, read_conllu, texts_by_name
from textassay.content.event_marks import EventTones
from textassay.content.expert_sets import Combining, combined_sets, sets_by_item
from textassay.content.ontology import Ontology
from textassay.content.relevance import Importance, Priors, RelevanceModel, priors_from_log
from textassay.errors import Problem, ProblemsError, TextassayError
from textassay.known_names import unknown
from textassay.study.model import Faults, FilePath, Model, Text
from textassay.study.validation_messages import validation_problems
from textassay.study.yaml_reader import Document, read_yaml
from textassay.tables.reader import Row, read_table
from textassay.tables.schema import TARGETS, Column, TableSchema
from textassay.tables.text_files import read_text

if TYPE_CHECKING:
    from textassay.study.load import Sources

LOG = TableSchema(
    "log of actions",
    "what was done in practice, for priors: one row per action taken",
    (Column("action", "text", "id of the action", required=True),),
)


class ImportanceSettings(Model):
    """How much events count."""

    usual: float = Field(default=1.0, gt=0)
    """The importance of most events."""
    drastic: float = Field(default=3.0, gt=0)
    """That of events that are kinds of a drastic superconcept."""
    superconcepts: list[Text] = Field(default_factory=list)
    """The drastic superconcepts."""


class RelevanceFile(Model):
    """What `tables.relevance` names: which events have to do with which actions."""

    links: list[Text] = Field(min_length=1)
    """Names of the ontology's links from events and actions to functional concepts."""
    actions: dict[str, Text] = Field(min_length=1)
    """Each action's concept in the ontology."""
    targets: FilePath
    """Table `item, appropriate, inappropriate`: the one that the decision block names too."""
    experts: Combining = "majority"
    """Where the targets are of several experts: what more than half, any of them, or `adjudicated` says."""
    priors: dict[str, float] | None = None
    """How likely each action is."""
    log: FilePath | None = None
    """Table `action`: what was done in practice, from which priors are estimated."""
    smoothing: float = Field(default=0.0, ge=0)
    """What is added to each action's count in the log."""
    importance: ImportanceSettings = ImportanceSettings()
    """How much events count."""
    rules: dict[str, Text] = Field(default_factory=dict)
    """When an action is possible, such as `not on(baby, CMV)`; an action without a rule always is."""
    state: Text | None = None
    """Column of the items table with the facts that hold in a case, separated by semicolons."""

    @model_validator(mode="after")
    def _one_source_of_priors(self) -> Self:
        if (self.priors is None) == (self.log is None):
            raise Faults(((), "priors come from 'priors' or from a 'log' of actions; give one of the two"))
        return self


@dataclass(frozen=True)
class CaseFacts:
    """What is known of an item as a case."""

    appropriate: frozenset[str]
    inappropriate: frozenset[str]
    state: State


@dataclass(frozen=True)
class StudyContent:
    """What is known of what the texts say."""

    ontology: Ontology | None = None
    annotations: Mapping[tuple[str, str], AnnotatedText] = field(default_factory=dict)
    """By item and system; those of the annotator that the study names, where there are several."""
    all_annotations: Sequence[AnnotatedText] = ()
    """Those of all annotators."""
    annotated_references: Mapping[str, Sequence[AnnotatedText]] = field(default_factory=dict)
    """By item."""
    parses: Mapping[tuple[str, str], ParsedText] = field(default_factory=dict)
    """By item and system."""
    parsed_references: Mapping[str, Sequence[ParsedText]] = field(default_factory=dict)
    """By item."""
    relevance: RelevanceModel | None = None
    cases: Mapping[str, CaseFacts] = field(default_factory=dict)
    """By item."""

    @cached_property
    def tones(self) -> EventTones:
        """Which events look alike where texts are shown."""
        links = self.relevance.links if self.relevance is not None else ()
        return EventTones.of(self.annotations.values(), self.ontology, links)


def read_content(
    sources: Sources, named: Mapping[str, Any], texts: Mapping[tuple[str, str], str], items: Mapping[str, Row]
) -> StudyContent:
    """What the tables of a study file say of the texts' content; whatever is wrong is left with the sources.

    Args:
        sources: Reads files, and collects what is wrong.
        named: The section `tables` as it was written.
        texts: The study's texts by item and system.
        items: The rows of the items table.
    """
    reader = _Reader(sources, named)
    ontology = reader.ontology()
    annotations, references = reader.annotations(texts, ontology)
    parses, parsed_references = reader.parses(texts)
    relevance, cases = reader.relevance(ontology, items)
    chosen = named.get("annotator")
    return StudyContent(
        ontology,
        {(each.item, each.system): each for each in annotations if chosen in (None, each.annotator)},
        annotations,
        references,
        parses,
        parsed_references,
        relevance,
        cases,
    )


class _Reader:
    def __init__(self, sources: Sources, named: Mapping[str, Any]) -> None:
        self._sources = sources
        self._named = named

    def ontology(self) -> Ontology | None:
        from textassay.content.ontology_files import read_ontology  # noqa: PLC0415

        found: Ontology | None = self._read("ontology", lambda path: read_ontology(self._sources.directory / path))
        return found

    def annotations(
        self, texts: Mapping[tuple[str, str], str], ontology: Ontology | None
    ) -> tuple[list[AnnotatedText], dict[str, list[AnnotatedText]]]:
        read: list[AnnotatedText] = self._read("annotations", partial(self._annotated, ontology=ontology)) or []
        systems = [each for each in read if each.role == "system"]
        references: dict[str, list[AnnotatedText]] = {}
        for each in read:
            if each.role == "reference":
                references.setdefault(each.item, []).append(each)
        for message in (*_doubled(systems, self._named.get("annotator")), *_unlike(systems, texts)):
            self._sources.problem(("tables", "annotations"), message)
        return systems, references

    def parses(
        self, texts: Mapping[tuple[str, str], str]
    ) -> tuple[Mapping[tuple[str, str], ParsedText], Mapping[str, Sequence[ParsedText]]]:
        found = self._read("parses", self._parsed)
        if found is None:
            return {}, {}
        parses, references = found
        for key in parses:
            if texts and key not in texts:
                self._sources.problem(
                    ("tables", "parses"), f"item {key[0]}, system {key[1]}: parsed, but not in the texts table"
                )
        return parses, references

    def relevance(
        self, ontology: Ontology | None, items: Mapping[str, Row]
    ) -> tuple[RelevanceModel | None, dict[str, CaseFacts]]:
        if self._named.get("relevance") is not None and self._named.get("ontology") is None:
            self._sources.problem(("tables", "relevance"), "relevance needs an ontology; name it in tables.ontology")
        read = self._read("relevance", lambda path: _RelevanceReader(self._sources, path).read())
        if read is None or ontology is None:
            return None, {}
        try:
            return read.model(ontology), read.cases(items)
        except TextassayError as error:
            self._sources.problem(("tables", "relevance"), f"{self._named['relevance']}: {error}")
            return None, {}

    def _read(self, key: str, read: Callable[[str], Any]) -> Any:
        path = self._named.get(key)
        if not self._sources.is_there(path, ("tables", key)):
            return None
        try:
            return read(str(path))
        except ProblemsError as error:
            here = str(self._sources.directory / str(path))
            self._sources.problems.extend(
                Problem(str(path) if each.file == here else each.file, each.line, each.column, each.where, each.message)
                for each in error.problems
            )
            return None

    def _annotated(self, path: str, ontology: Ontology | None) -> list[AnnotatedText]:
        return read_annotations(self._sources.directory / path, path, ontology)

    def _parsed(self, path: str) -> Any:
        return texts_by_name(read_conllu(read_text(self._sources.directory / path, path), path), path)


def _doubled(texts: Sequence[AnnotatedText], annotator: str | None) -> Iterator[str]:
    """Texts that several annotators annotated, or one annotator twice."""
    seen: dict[tuple[str, str, str], int] = {}
    for text in texts:
        key = (text.item, text.system, text.annotator)
        seen[key] = seen.get(key, 0) + 1
    for (item, system, who), count in seen.items():
        if count > 1:
            by = f" by {who}" if who else ""
            yield f"item {item}, system {system}: {count} annotations{by}; keep one, or name their annotators"
    annotators = list(dict.fromkeys(text.annotator for text in texts))
    if annotator is None and len(annotators) > 1:
        shown = ", ".join(each or "no name" for each in annotators)
        yield f"{len(annotators)} annotators ({shown}); say in tables.annotator whose annotation metrics use"
    if annotator is not None and annotator not in annotators:
        yield unknown("annotator", annotator, filter(None, annotators))


def _unlike(annotated: Sequence[AnnotatedText], texts: Mapping[tuple[str, str], str]) -> Iterator[str]:
    """Annotations of texts that the study does not have, or has in other words."""
    for each in annotated:
        key = (each.item, each.system)
        if not texts:
            return
        if key not in texts:
            yield f"item {each.item}, system {each.system}: annotated, but not in the texts table"
            continue
        ours, theirs = squeezed(texts[key])[0], squeezed(each.text)[0]
        if ours != theirs:
            place = next(
                (n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs))
            )
            there = theirs[max(0, place - 10) : place + 20]
            yield f"item {each.item}, system {each.system}: the annotated text differs from the text at {there!r}"


@dataclass(frozen=True)
class _RelevanceSources:
    """A relevance file and the tables that it names."""

    file: RelevanceFile
    rules: Mapping[str, Condition]
    log: Sequence[str]
    suitable: Sequence[Row]

    def model(self, ontology: Ontology) -> RelevanceModel:
        given = self.file
        if given.priors is not None:
            priors = Priors(given.priors)
        else:
            priors = priors_from_log(list(given.actions), self.log, given.smoothing)
        weights = given.importance
        importance = Importance(weights.usual, weights.drastic, tuple(weights.superconcepts))
        return RelevanceModel(ontology, tuple(given.links), given.actions, priors, importance, self.rules)

    def cases(self, items: Mapping[str, Row]) -> dict[str, CaseFacts]:
        column = self.file.state
        found = {}
        for item, of_item in sets_by_item(self.suitable).items():
            together = combined_sets(of_item, self.file.experts)
            facts = items[item].get(column) if column and item in items else None
            state = parse_state(str(facts)) if facts else frozenset()
            found[item] = CaseFacts(frozenset(together.appropriate), frozenset(together.inappropriate), state)
        return found


class _RelevanceReader:
    def __init__(self, sources: Sources, path: str) -> None:
        self._sources = sources
        self._document: Document = read_yaml(sources.directory / path, path)
        self._problems: list[Problem] = list(self._document.problems)

    def read(self) -> _RelevanceSources:
        try:
            file = RelevanceFile.model_validate(self._document.data)
        except ValidationError as error:
            found = validation_problems(error, self._document.data, RelevanceFile)
            raise ProblemsError([*self._problems, *(self._document.problem(*each) for each in found)]) from None
        rules = {action: self._rule(action, text) for action, text in file.rules.items()}
        log = [str(row["action"]) for row in self._table(file.log, LOG, "log")] if file.log else []
        suitable = self._table(file.targets, TARGETS, "targets")
        if self._problems:
            raise ProblemsError(self._problems)
        return _RelevanceSources(file, {name: rule for name, rule in rules.items() if rule}, log, suitable)

    def _rule(self, action: str, text: str) -> Condition | None:
        try:
            return parse_condition(text)
        except TextassayError as error:
            self._problems.append(self._document.problem(("rules", action), str(error)))
            return None

    def _table(self, path: str, schema: TableSchema, key: str) -> list[Row]:
        reason = self._sources.why_not(path)
        if reason is not None:
            self._problems.append(self._document.problem((key,), f"file '{path}' {reason}"))
            return []
        try:
            return list(read_table(self._sources.directory / path, schema, path))
        except ProblemsError as error:
            self._problems.extend(error.problems)
            return []
