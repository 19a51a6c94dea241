"""Parsed and annotated texts that `score` takes as files of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textassay.content.annotation_files import read_annotations
from textassay.content.conllu import ParsedSentence, ParsedText, read_conllu, texts_by_name
from textassay.content.ontology_files import read_ontology
from textassay.errors import UsageError
from textassay.metrics import Segments
from textassay.metrics.annotation_metrics import AnnotationSegments
from textassay.metrics.parse_segments import ParseSegments
from textassay.tables.text_files import read_text


@dataclass(frozen=True)
class ContentTexts:
    """Texts of one kind, and what they are compared with."""

    kind: type[Segments[Any]]
    values: Mapping[tuple[str, str], Any]
    """By item and system."""
    references: Mapping[str, Sequence[Any]]
    """By item."""


def is_annotation(source: Path) -> bool:
    """Whether JSON lines hold annotated texts and not a table."""
    if source.suffix.lower() != ".jsonl" or not source.is_file():
        return False
    with source.open(encoding="utf-8", errors="replace") as file:
        return '"paragraphs"' in next((line for line in file if line.strip()), "")


def named_texts(where: Path, ontology: Path | None) -> ContentTexts:
    """The texts of a file that says itself of which item and system they are.

    Args:
        where: A file in CoNLL-U, or annotated texts as XML or JSON lines.
        ontology: For annotated texts: what the types of their events are kinds of.

    Raises:
        UsageError: there is no text of a system, or one is there twice.
        ProblemsError: a file is wrong, with the line.
    """
    if where.suffix.lower() == ".conllu":
        sentences = read_conllu(read_text(where, str(where)), str(where))
        found = ContentTexts(ParseSegments, *texts_by_name(sentences, str(where)))
    else:
        found = _annotated(where, ontology)
    if not found.values:
        raise UsageError(f"{where} has no texts of systems; mark only the references as such")
    return found


def _annotated(where: Path, ontology: Path | None) -> ContentTexts:
    known = read_ontology(ontology) if ontology is not None else None
    read = read_annotations(where, str(where), known)
    values: dict[tuple[str, str], Any] = {}
    references: dict[str, list[Any]] = {}
    for text in read:
        if text.role == "reference":
            references.setdefault(text.item, []).append(text)
        elif values.setdefault((text.item, text.system), text) is not text:
            raise UsageError(f"{where}: item {text.item}, system {text.system} is annotated twice; keep one of the two")
    return ContentTexts(AnnotationSegments, values, references)


def parsed_lines(inputs: Sequence[Path], references: Sequence[Path], names: Sequence[str]) -> ContentTexts:
    """Files in CoNLL-U that match sentence by sentence; a sentence is called by its number, from 1.

    Args:
        inputs: One per system.
        references: One per set of references.
        names: What to call the systems.

    Raises:
        UsageError: no references, files of another kind, or of unequal length.
        ProblemsError: a file is wrong, with the line.
    """
    others = [path for path in (*inputs, *references) if path.suffix.lower() != ".conllu"]
    if others:
        raise UsageError(f"{others[0]} is no .conllu file, but others are; give parses of all texts")
    if not references:
        raise UsageError("parsed files need references; give one or more files with -r")
    read = {path: [ParsedText((each,)) for each in _sentences(path)] for path in (*inputs, *references)}
    counts = {path: len(texts) for path, texts in read.items()}
    if len(set(counts.values())) > 1:
        seen = ", ".join(f"{path} has {n} sentence{'s' if n != 1 else ''}" for path, n in counts.items())
        raise UsageError(f"the files must match sentence by sentence: {seen}")
    items = [str(number + 1) for number in range(next(iter(counts.values())))]
    values = {
        (item, name): read[path][row]
        for path, name in zip(inputs, names, strict=True)
        for row, item in enumerate(items)
    }
    return ContentTexts(
        ParseSegments, values, {item: [read[path][row] for path in references] for row, item in enumerate(items)}
    )


def _sentences(path: Path) -> Sequence[ParsedSentence]:
    found = read_conllu(read_text(path, str(path)), str(path))
    if not found:
        raise UsageError(f"{path} is empty; give the parses of a text")
    return found
