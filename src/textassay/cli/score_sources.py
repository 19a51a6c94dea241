"""What `score` takes: a study, a table of texts, or plain files with one text per line.

Each kind of source imports what it needs where it is read: the model of a study takes three times as long to load as
plain files take to be scored.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from textassay.cli.options import Whole
from textassay.cli.score_files import STANDARD_INPUT, Files, aligned, system_names
from textassay.errors import TableError, UsageError
from textassay.known_names import did_you_mean
from textassay.metrics import Metric, ScoreTable, ScoringOptions, score_aligned, score_table

if TYPE_CHECKING:
    from textassay.cli.content_sources import ContentTexts
    from textassay.tables.reader import Row, Rows
    from textassay.tables.schema import TableSchema

_STUDY_FILES = (".yaml", ".yml")
_PLAIN_FILES = ("", ".txt", ".gz")
_CONTENT_FILES = (".conllu", ".json", ".xml", ".zip")


@dataclass(frozen=True)
class Texts:
    """Texts to score, and what to score them against."""

    systems: Sequence[str]
    """Each once."""
    score: Callable[[Mapping[str, Metric], ScoringOptions], ScoreTable]
    """Scores them all."""
    metrics: Mapping[str, Metric]
    """Those that the source itself asks for."""
    seed: Whole = 0
    """That of the study."""
    notes: tuple[str, ...] = ()
    """What a reader must know of the files."""


def find_texts(source: Path | None, files: Files, *, orders: bool = False) -> Texts:
    """The texts that a command names; orders, if the metrics are about those.

    Raises:
        UsageError: two sources, none, or flags of another one.
        TableError: a table is wrong.
        ProblemsError: a file cannot be read.
    """
    if source is None and files.input is None and files.reference and _is_piped():
        files = replace(files, input=[STANDARD_INPUT])
    if (source is None) == (files.input is None):
        raise UsageError("give either a study or a table of texts, or plain files with -i and -r")
    _check_flags_of_references(files)
    study = source is not None and (source.is_dir() or source.suffix in _STUDY_FILES)
    plain = source is not None and source.is_file() and source.suffix.lower() in _PLAIN_FILES
    if orders and not (study or plain):
        from textassay.cli.order_sources import find_orders  # noqa: PLC0415 -- see above

        return find_orders(source, files)
    if files.input is not None:
        return _from_lines(files)
    if plain:
        raise UsageError(f"{source} is a plain file; score it with -i {source} and its references with -r")
    if source is None or study:
        return _from_study(source or Path(), files)
    from textassay.cli.content_sources import is_annotation, named_texts  # noqa: PLC0415 -- see above

    if source.suffix.lower() in _CONTENT_FILES or is_annotation(source):
        refuse_documents(files, str(source))
        if files.reference or files.references:
            raise UsageError(f"{source} has its references in itself, marked as such; omit -r and --references")
        return _from_content(named_texts(source, files.ontology))
    return _from_tables(source, files)


def _check_flags_of_references(files: Files) -> None:
    for flag, value in (("--num-refs", files.num_refs), ("--empty-references", files.empty_references)):
        if value is not None and not files.reference:
            raise UsageError(f"{flag} applies to a plain file of references; give one with -r")


def _is_piped() -> bool:
    """Whether anything but a person at a terminal writes to the standard input."""
    return sys.stdin is not None and not sys.stdin.isatty()


def _from_study(where: Path, files: Files) -> Texts:
    from textassay import pipeline  # noqa: PLC0415
    from textassay.analysis.study_scores import score_study  # noqa: PLC0415

    if files.reference or files.references:
        raise UsageError(f"{where} is a study, which names its own references; omit -r and --references")
    if files.sources:
        raise UsageError(f"{where} is a study, whose items table has the sources in a column 'source'; omit --sources")
    study = pipeline.load(where)

    documents = None
    if files.documents is not None:
        rows = [(item, study.items[item].get(files.documents)) for item in study.items_in_order if item in study.items]
        documents = {item: str(name) for item, name in rows if name not in (None, "")}
        lacking = [item for item in study.items_in_order if item not in documents]
        if lacking:
            given = f"{where}: its items table names no document of item {lacking[0]} in a column {files.documents!r}"
            raise UsageError(f"{given}; give the name of a column of that table which has one for each item")

    def scored(metrics: Mapping[str, Metric], options: ScoringOptions) -> ScoreTable:
        return score_study(study, metrics, pipeline.references(study), options, documents)

    systems = list(dict.fromkeys(system for _, system in study.texts))
    return Texts(systems, scored, pipeline.metrics(study), study.file.seed)


def _from_tables(where: Path, files: Files) -> Texts:
    from textassay.study.units import join_unit_rows, rows_of_references  # noqa: PLC0415
    from textassay.tables.schema import REFERENCES, TEXTS  # noqa: PLC0415

    if files.reference:
        raise UsageError(f"{where} is a table, but -r is for plain files; give a table item, text with --references")
    table = _read(where, TEXTS)
    units: dict[tuple[str, str], list[Row]] = {}
    for row in table:
        units.setdefault((row["item"], row["system"]), []).append(row)
    references = None
    if files.references is not None:
        references = {
            item: [str(join_unit_rows(rows)["text"]) for rows in its]
            for item, its in rows_of_references(_read(files.references, REFERENCES)).items()
        }
    texts = {names: join_unit_rows(rows)["text"] for names, rows in units.items()}
    items, systems = [list(names) for names in zip(*texts, strict=True)]
    sources = None if files.sources is None else _table_of_sources(files.sources)
    documents = None if files.documents is None else _column_of_documents(table, files.documents)

    def scored(metrics: Mapping[str, Metric], options: ScoringOptions) -> ScoreTable:
        if references is None:
            _refuse_comparing(metrics, f"{where} needs references; give a table item, text with --references")
        values = list(texts.values())
        _refuse_without_sources(metrics, sources)
        known = references or {}
        return score_table(
            metrics, items, systems, values, known, sources=sources, documents=documents, options=options
        )

    return Texts(list(dict.fromkeys(systems)), scored, {})


def _column_of_documents(table: Rows, column: str) -> dict[str, str]:
    """The document of each item.

    Raises:
        UsageError: there is no such column.
        TableError: a row names no document, or two rows of an item name different ones.
    """
    if column not in table.columns:
        near = did_you_mean(column, table.columns)
        raise UsageError(f"{table.file} has no column {column!r}; it has: {', '.join(table.columns)}{near}")
    found: dict[str, str] = {}
    problems = []
    for row in table:
        name = "" if row.get(column) is None else str(row[column])
        if not name.strip():
            problems.append(table.problem(row, column, "no document; name the one that the text belongs to"))
        elif found.setdefault(row["item"], name) != name:
            message = f"item {row['item']} is in document {found[row['item']]!r} above; an item belongs to one document"
            problems.append(table.problem(row, column, message))
    if problems:
        raise TableError(problems)
    return found


def refuse_documents(files: Files, where: str) -> None:
    """Refuse a flag for what has no documents."""
    if files.documents is not None:
        raise UsageError(f"{where} has no documents; --documents goes with plain files, a table of texts or a study")


def _table_of_sources(path: Path) -> dict[str, str]:
    """The source of each item.

    Raises:
        TableError: no such columns, or an item twice.
    """
    from textassay.tables.reader import read_table  # noqa: PLC0415
    from textassay.tables.schema import SOURCES  # noqa: PLC0415

    return {row["item"]: row["source"] for row in read_table(path, SOURCES, str(path))}


def _refuse_comparing(metrics: Mapping[str, Metric], message: str) -> None:
    """Refuse metrics that compare with references, where there are none."""
    if any(one.needs_references for one in metrics.values()):
        raise UsageError(message)


def _refuse_without_sources(metrics: Mapping[str, Metric], sources: object) -> None:
    for name, one in metrics.items():
        if one.needs_sources and sources is None:
            raise UsageError(f"{name} needs the source of each text, what it was made from; give a file with --sources")


def _from_content(found: ContentTexts) -> Texts:
    items, systems = [list(names) for names in zip(*found.values, strict=True)]

    def scored(metrics: Mapping[str, Metric], options: ScoringOptions) -> ScoreTable:
        values = list(found.values.values())
        return score_table(metrics, items, systems, values, found.references, kind=found.kind, options=options)

    return Texts(list(dict.fromkeys(systems)), scored, {})


def _from_lines(files: Files) -> Texts:
    if any(path.suffix.lower() == ".conllu" for path in (*(files.input or []), *(files.reference or []))):
        refuse_documents(files, "a CoNLL-U file")
        from textassay.cli.content_sources import parsed_lines  # noqa: PLC0415

        return _from_content(parsed_lines(files.input or [], files.reference or [], system_names(files.input or [])))
    found = aligned(files)

    def scored(metrics: Mapping[str, Metric], options: ScoringOptions) -> ScoreTable:
        if found.references is None:
            _refuse_comparing(metrics, "plain files need references; give one or more files with -r")
        _refuse_without_sources(metrics, found.sources)
        sources, documents = found.sources, found.documents
        return score_aligned(
            metrics, found.systems, found.references, sources=sources, documents=documents, options=options
        )

    return Texts(list(found.systems), scored, {}, notes=found.notes)


def _read(path: Path, schema: TableSchema) -> Rows:
    """A table in which a text may be empty, as a system's answer may be."""
    from textassay.tables.reader import columns_of, read_table  # noqa: PLC0415

    columns = tuple(replace(each, undefined=each.undefined or each.name == "text") for each in schema.columns)
    try:
        return read_table(path, replace(schema, columns=columns), str(path))
    except TableError:
        seen = columns_of(path, str(path))
        if "order" not in seen or "text" in seen:
            raise
    raise UsageError(f"{path} is a table of orders; score it with metrics of orders, for example -m order-tau")
