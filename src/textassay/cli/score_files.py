"""Plain files that `score` takes: one text per line, aligned line by line with references, sources and documents."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from textassay.cli.options import Whole
from textassay.errors import Problem, ProblemsError, UsageError
from textassay.prose import numbered
from textassay.tables.lines import LineColumns, LineFile, LineSets
from textassay.tables.text_files import decode_text, read_text

_Several = Parameter(consume_multiple=True, negative="")
_GZIP = b"\x1f\x8b"
_LOOKED_AT = 1000
"""Lines in which tabs are looked for."""
STANDARD_INPUT = Path("-")


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
    documents: str | None = None
    """Scores per document, too: a plain file aligned with the input that names the document of each text; for a table
    of texts, the column of it that does; for a study, a column of its items table."""
    ontology: Path | None = None
    """An ontology, for annotated texts: what the types of their events are kinds of."""


@dataclass(frozen=True)
class AlignedFiles:
    """What the files hold."""

    systems: Mapping[str, Sequence[str]]
    """The texts of each system."""
    references: Sequence[Sequence[str]] | None
    """The references of each line, if there are any."""
    sources: Sequence[str] | None
    """The source of each line, if there are any."""
    documents: Sequence[str] | None
    """The document of each line, if there are any."""
    notes: tuple[str, ...]


def aligned(files: Files, *, tabs: bool = True) -> AlignedFiles:
    """Read the files that are aligned line by line: one per system (`-` is the standard input), references and others.

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
    documents = None if files.documents is None else _document_names(Path(files.documents))
    others = [] if files.sources is None or sources is None else [(files.sources, sources)]
    others += [] if files.documents is None or documents is None else [(Path(files.documents), documents)]
    _check_lengths(
        [*references, *inputs, *(path for path, _ in others)],
        [*reference_lines, *system_lines, *(content for _, content in others)],
        len(references),
    )
    systems = dict(zip(system_names(inputs), system_lines, strict=True))
    if not references:
        return AlignedFiles(systems, None, sources, documents, ())
    keep = files.empty_references == "texts"
    if columns is not None:
        several = LineColumns(reference_lines[0], str(references[0]), columns, keep_empty=keep)
        empty = [sum(line.split("\t").count("") for line in reference_lines[0])] if columns > 1 else [0]
        return AlignedFiles(systems, several, sources, documents, _gaps(references, empty, "empty column", keep=keep))
    empty = [sum(not line for line in content) for content in reference_lines] if len(references) > 1 else [0]
    notes = _gaps(references, empty, "empty line", keep=keep)
    more = _tabs(references, reference_lines) if tabs else ()
    return AlignedFiles(systems, LineSets(reference_lines, keep_empty=keep), sources, documents, (*notes, *more))


def _document_names(path: Path) -> Sequence[str]:
    """The document of each line.

    Raises:
        ProblemsError: the file cannot be read, or a line of it is empty.
    """
    names = lines(path)
    for number, name in enumerate(names, 1):
        if not name.strip():
            message = "no document; each line names the document of the text in that line"
            raise ProblemsError([Problem(str(path), number, 0, "", message)])
    return names


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
