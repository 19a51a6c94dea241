"""What `score` takes: a study, a table of texts, or plain files with one text per line.

Each kind of source imports what it needs where it is read: the model of a study takes three times as long to load as
plain files take to be scored.
"""

from __future__ import annotations

import gzip
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from textassay.cli.options import Whole
from textassay.errors import Problem, ProblemsError, TableError, UsageError
from textassay.metrics import Metric, ScoreTable, ScoringOptions, score_aligned, score_table
from textassay.prose import numbered
from textassay.tables.lines import LineColumns, LineFile, LineSets
from textassay.tables.text_files import decode_text, read_text

if TYPE_CHECKING:
    from textassay.cli.content_sources import ContentTexts
    from textassay.tables.reader import Row, Rows
    from textassay.tables.schema import TableSchema

_Several = Parameter(consume_multiple=True, negative="")
_STUDY_FILES = (".yaml", ".yml")
_PLAIN_FILES = ("", ".txt", ".gz")
_CONTENT_FILES = (".conllu", ".json", ".xml", ".zip")
_GZIP = b"\x1f\x8b"
_LOOKED_AT = 1000
"""Lines in which tabs are looked for."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Files:
    """Where texts and references are, if not in a study."""

    input: Annotated[list[Path] | None, Parameter(name=["--input", "-i"]), _Several] = None
    """Plain files, one per system, one text per line; else the standard input, if references are given with -r."""
    reference: Annotated[list[Path] | None, Parameter(name=["--reference", "-r"]), _Several] = None
    """Plain files with references, aligned with the input; several files are several references a text."""
    num_refs: Whole | None = None
    """How many references a line of the only file after -r has, parted by tabs."""
    empty_references: Literal["missing", "texts"] | None = None
    """What an empty line in one of several files of references is, or an empty column with --num-refs: a reference
    that is missing (the default), or a text without words, as sacreBLEU reads it."""
    references: Path | None = None
    """A table `item, text` with references, for a table of texts."""
    sources: Path | None = None
    """What the texts were made from, for metrics such as sari: a plain file aligned with the input, or a table
    `item, source` for a table of texts."""
    ontology: Path | None = None
    """An ontology, for annotated texts: what the types of their events are kinds of."""


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

    def scored(metrics: Mapping[str, Metric], options: ScoringOptions) -> ScoreTable:
        return score_study(study, metrics, pipeline.references(study), options)

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

    def scored(metrics: Mapping[str, Metric], options: ScoringOptions) -> ScoreTable:
        if references is None:
            _refuse_comparing(metrics, f"{where} needs references; give a table item, text with --references")
        values = list(texts.values())
        _refuse_without_sources(metrics, sources)
        return score_table(metrics, items, systems, values, references or {}, sources=sources, options=options)

    return Texts(list(dict.fromkeys(systems)), scored, {})


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
        from textassay.cli.content_sources import parsed_lines  # noqa: PLC0415

        return _from_content(parsed_lines(files.input or [], files.reference or [], system_names(files.input or [])))
    found = aligned(files)

    def scored(metrics: Mapping[str, Metric], options: ScoringOptions) -> ScoreTable:
        if found.references is None:
            _refuse_comparing(metrics, "plain files need references; give one or more files with -r")
        _refuse_without_sources(metrics, found.sources)
        return score_aligned(metrics, found.systems, found.references, sources=found.sources, options=options)

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


STANDARD_INPUT = Path("-")


@dataclass(frozen=True)
class AlignedFiles:
    """What the files hold."""

    systems: Mapping[str, Sequence[str]]
    """The texts of each system."""
    references: Sequence[Sequence[str]] | None
    """The references of each line, if there are any."""
    sources: Sequence[str] | None
    """The source of each line, if there are any."""
    notes: tuple[str, ...]


def aligned(files: Files, *, tabs: bool = True) -> AlignedFiles:
    """Read the files that are aligned line by line: one per system (`-` is the standard input), references, sources.

    Args:
        files: Their names.
        tabs: Whether a tab is unusual in a line of them.

    Raises:
        UsageError: a file twice, an empty file, or files of unequal length.
        ProblemsError: a file cannot be read, with the place of the first byte that is wrong.
    """
    inputs, references, columns = files.input or [], files.reference or [], files.num_refs
    if files.references is not None:
        remedy = "give plain files of references with -r"
        raise UsageError(f"--references {files.references} goes with a table of texts; {remedy}")
    if columns is not None and (len(references) > 1 or columns < 1):
        raise UsageError(f"--num-refs {columns} is for one file with that many references per line, separated by tabs")
    _check_once("-i", "system", inputs)
    _check_once("-r", "set of references", references)
    reference_lines = [lines(path) for path in references]
    system_lines = [lines(path) for path in inputs]
    sources = None if files.sources is None else lines(files.sources)
    others = [] if files.sources is None or sources is None else [(files.sources, sources)]
    _check_lengths(
        [*references, *inputs, *(path for path, _ in others)],
        [*reference_lines, *system_lines, *(content for _, content in others)],
        len(references),
    )
    systems = dict(zip(system_names(inputs), system_lines, strict=True))
    if not references:
        return AlignedFiles(systems, None, sources, ())
    keep = files.empty_references == "texts"
    if columns is not None:
        several = LineColumns(reference_lines[0], str(references[0]), columns, keep_empty=keep)
        empty = [sum(line.split("\t").count("") for line in reference_lines[0])] if columns > 1 else [0]
        return AlignedFiles(systems, several, sources, _gaps(references, empty, "empty column", keep=keep))
    empty = [sum(not line for line in content) for content in reference_lines] if len(references) > 1 else [0]
    notes = _gaps(references, empty, "empty line", keep=keep)
    more = _tabs(references, reference_lines) if tabs else ()
    return AlignedFiles(systems, LineSets(reference_lines, keep_empty=keep), sources, (*notes, *more))


def lines(path: Path) -> Sequence[str]:
    """The lines of a file, read when they are asked for; those of a pipe or a gzip file are all read at once.

    Raises:
        UsageError: there are none.
        ProblemsError: the file cannot be read.
    """
    found = _lines(path)
    if not len(found):
        raise UsageError(f"{_called(path)} is empty; write one text per line")
    return found


def _lines(path: Path) -> Sequence[str]:
    if path == STANDARD_INPUT:
        return _split(decode_text(sys.stdin.buffer.read(), _called(path)))
    if path.exists() and not (path.is_file() or path.is_dir()):  # a pipe
        return _split(read_text(path, str(path)))
    return _split(decode_text(_unpacked(path), str(path))) if _is_gzip(path) else LineFile(path)


def _is_gzip(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(2) == _GZIP
    except OSError:
        return False  # reading it says why it cannot be read


def _unpacked(path: Path) -> bytes:
    try:
        with gzip.open(path) as file:
            return file.read()
    except (EOFError, OSError, zlib.error) as error:
        message = f"a gzip file that cannot be unpacked ({error}); pack it again"
        raise ProblemsError([Problem(str(path), 0, 0, "", message)]) from None


def _split(text: str) -> list[str]:
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []


def _called(path: Path) -> str:
    return "the standard input" if path == STANDARD_INPUT else str(path)


def system_names(inputs: Sequence[Path]) -> list[str]:
    """The files' names, without folder and ending where that is enough to tell them apart.

    >>> system_names([Path("a/out.txt"), Path("b/out.txt")]) == [str(Path("a/out.txt")), str(Path("b/out.txt"))]
    True
    """
    stems = ["stdin" if path == STANDARD_INPUT else path.name.removesuffix(".gz") for path in inputs]
    stems = [Path(stem).stem for stem in stems]
    return stems if len(set(stems)) == len(stems) else [str(path) for path in inputs]


def _check_once(flag: str, what: str, paths: Sequence[Path]) -> None:
    seen: dict[Path, Path] = {}
    for path in paths:
        same = seen.setdefault(path.absolute(), path)
        if same is not path:
            raise UsageError(f"{path} is a duplicate after {flag}; give each {what} once")


def _check_lengths(paths: Sequence[Path], contents: Sequence[Sequence[str]], references: int) -> None:
    counts = [len(content) for content in contents]
    if len(set(counts)) == 1:
        return
    of_references, of_systems = set(counts[:references]), set(counts[references:])
    if references > 1 and of_systems == {references} and len(of_references) == 1:
        each, texts = counts[0], numbered(references, "text")
        raise UsageError(
            f"the references look transposed: {references} files of {numbered(each, 'line')} for {texts} a system; "
            "give one file for each set of references, with a line for each text"
        )
    seen = ", ".join(f"{_called(path)} has {numbered(n, 'line')}" for path, n in zip(paths, counts, strict=True))
    usual = Counter(counts).most_common(1)[0][0]
    odd = [
        path
        for path, content in zip(paths, contents, strict=True)
        if len(content) != usual and any("\r" in line for line in content)
    ]
    why = f"; {odd[0]} has carriage returns inside its lines: save it with plain line ends" if odd else ""
    raise UsageError(f"the files must match line by line: {seen}{why or '; find the lines that are missing or extra'}")


def _gaps(paths: Sequence[Path], empty: Sequence[int], what: str, *, keep: bool) -> tuple[str, ...]:
    """Where some of several references of a text are empty, and what that was taken for."""
    kept = ", read as references without words, as sacreBLEU does (--empty-references texts)"
    meaning = kept if keep else "; the texts there have one reference fewer"
    counts = zip(paths, empty, strict=True)
    return tuple(f"{path}: {numbered(count, what)}{meaning}" for path, count in counts if count)


def _tabs(paths: Sequence[Path], contents: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Where the only file of references looks as if it held several of them in a line."""
    if len(paths) > 1:
        return ()
    tabs = {line.count("\t") for line in islice(contents[0], _LOOKED_AT)}
    if len(tabs) > 1 or tabs == {0}:
        return ()
    each = tabs.pop()
    meant = f"if tabs separate references, add --num-refs {each + 1}"
    return (f"{paths[0]}: every line has {numbered(each, 'tab')}, treated as part of the text; {meant}",)
