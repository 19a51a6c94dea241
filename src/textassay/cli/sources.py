"""What `score` takes: a study, a table of texts, or plain files with a text a line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.analysis.study_scores import score_study
from textassay.cli.options import Whole
from textassay.cli.score_files import STANDARD_INPUT, aligned
from textassay.errors import UsageError
from textassay.metrics import Metric, ScoreTable, ScoringOptions, score_aligned, score_table
from textassay.study.units import joined
from textassay.tables.reader import Row, Rows, read_table
from textassay.tables.schema import REFERENCES, TEXTS, TableSchema

_Several = Parameter(consume_multiple=True, negative="")
_STUDY_FILES = (".yaml", ".yml")


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Files:
    """Where texts and references are, if not in a study."""

    input: Annotated[list[Path] | None, Parameter(name=["--input", "-i"]), _Several] = None
    """Plain files, one a system, a text a line; without them the standard input, if references are given with -r."""
    reference: Annotated[list[Path] | None, Parameter(name=["--reference", "-r"]), _Several] = None
    """Plain files with references, aligned with the input; several files are several references a text."""
    num_refs: Whole | None = None
    """How many references a line of the only file after -r has, parted by tabs."""
    references: Path | None = None
    """A table `item, text` with references, for a table of texts."""


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


def find_texts(source: Path | None, files: Files) -> Texts:
    """The texts that a command names.

    Raises:
        UsageError: two sources, none, or flags of another one.
        TableError: a table is wrong.
        ProblemsError: a file cannot be read.
    """
    if source is None and files.input is None and files.reference and _is_piped():
        files = replace(files, input=[STANDARD_INPUT])
    if (source is None) == (files.input is None):
        raise UsageError("give either a study or a table of texts, or plain files with -i and -r")
    if files.num_refs is not None and not files.reference:
        raise UsageError("--num-refs is about a plain file of references; give one with -r")
    if files.input is not None:
        return _from_lines(files)
    if source is None or source.is_dir() or source.suffix in _STUDY_FILES:
        return _from_study(source or Path(), files)
    return _from_tables(source, files)


def _is_piped() -> bool:
    """Whether anything but a person at a terminal writes to the standard input."""
    return sys.stdin is not None and not sys.stdin.isatty()


def _from_study(where: Path, files: Files) -> Texts:
    if files.reference or files.references:
        raise UsageError(f"{where} is a study, which names its own references; leave out -r and --references")
    study = pipeline.load(where)

    def scored(metrics: Mapping[str, Metric], options: ScoringOptions) -> ScoreTable:
        return score_study(study, metrics, pipeline.references(study), options)

    systems = list(dict.fromkeys(system for _, system in study.texts))
    return Texts(systems, scored, pipeline.metrics(study), study.file.seed)


def _from_tables(where: Path, files: Files) -> Texts:
    if files.reference:
        raise UsageError(f"{where} is a table, but -r is for plain files; give a table item, text with --references")
    table = _read(where, TEXTS)
    if files.references is None:
        raise UsageError(f"{where} needs references; give a table item, text with --references")
    units: dict[tuple[str, str], list[Row]] = {}
    for row in table:
        units.setdefault((row["item"], row["system"]), []).append(row)
    references: dict[str, list[str]] = {}
    for row in _read(files.references, REFERENCES):
        references.setdefault(row["item"], []).append(row["text"])
    return Texts(*_tabled({names: joined(rows)["text"] for names, rows in units.items()}, references), {})


def _from_lines(files: Files) -> Texts:
    found = aligned(files.input or [], files.reference or [], columns=files.num_refs, table=files.references)

    def scored(metrics: Mapping[str, Metric], options: ScoringOptions) -> ScoreTable:
        return score_aligned(metrics, found.systems, found.references, options=options)

    return Texts(list(found.systems), scored, {}, notes=found.notes)


def _tabled(
    texts: Mapping[tuple[str, str], str], references: Mapping[str, Sequence[str]]
) -> tuple[list[str], Callable[[Mapping[str, Metric], ScoringOptions], ScoreTable]]:
    """The systems of texts by item and system, and what scores them."""
    items, systems = [list(names) for names in zip(*texts, strict=True)]

    def scored(metrics: Mapping[str, Metric], options: ScoringOptions) -> ScoreTable:
        return score_table(metrics, items, systems, list(texts.values()), references, options=options)

    return list(dict.fromkeys(systems)), scored


def _read(path: Path, schema: TableSchema) -> Rows:
    """A table in which a text may be empty, as a system's answer may be."""
    columns = tuple(replace(each, undefined=each.undefined or each.name == "text") for each in schema.columns)
    return read_table(path, replace(schema, columns=columns), str(path))
