"""The files that somebody has, opened: tables of any format, plain files with one text per line, standard input."""

from __future__ import annotations

import gzip
import re
import shutil
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from textassay.errors import Problem, ProblemsError, UsageError
from textassay.prose import numbered
from textassay.tables.formats import FORMATS
from textassay.tables.raw_table import RawRow, RawTable
from textassay.tables.reader import raw_table
from textassay.tables.text_files import decode_text, read_bytes, windows_word

STANDARD_INPUT = Path("-")
_GZIP = b"\x1f\x8b"
_LEFT_OUT = re.compile(r"(readme|license|licence|changelog|makefile)\b", re.IGNORECASE)
_NOT_READ = {
    **dict.fromkeys((".xls", ".ods", ".numbers"), ".xlsx or CSV UTF-8"),
    **dict.fromkeys((".doc", ".docx", ".odt", ".pdf", ".html", ".xml"), "a table, or as plain text"),
    **dict.fromkeys((".pkl", ".arrow", ".feather"), "Parquet"),
    **dict.fromkeys((".yaml", ".yml"), "JSON"),
    ".zip": "the files in it",
}
"""Endings of files that are neither tables that can be read nor plain texts, and as what to save them."""
_CONTEXT = re.compile(r"(src|source|sources|input|inputs|prompt|prompts|context)[0-9]*", re.IGNORECASE)
_REFERENCE = re.compile(r"(ref|refs|reference|references|gold|tgt|target)([0-9]*|[a-z])", re.IGNORECASE)


@dataclass(frozen=True)
class OwnFile:
    """One file: where it is, and the name by which its user calls it."""

    path: Path
    name: str

    @property
    def is_table(self) -> bool:
        """Whether its ending is that of a table."""
        return self.path.suffix.lower() in FORMATS

    @property
    def stem(self) -> str:
        """Its name without folder and ending."""
        return Path(self.path.name.removesuffix(".gz")).stem


def find_files(paths: Sequence[Path], staging: Path) -> list[OwnFile]:
    """The files that were named, those in folders included; standard input is stored under a name with its format.

    Args:
        paths: Files and folders; `-` is standard input.
        staging: A folder for standard input.

    Raises:
        UsageError: there is no such file, none in a folder, or tables and plain files together.
    """
    found: list[OwnFile] = []
    for path in paths:
        if path == STANDARD_INPUT:
            found.append(OwnFile(_store(sys.stdin.buffer.read(), staging), "standard input"))
        elif path.is_dir():
            inside = [each for each in sorted(path.iterdir()) if each.is_file() and not each.name.startswith(".")]
            inside = [each for each in inside if not _LEFT_OUT.match(each.name)]
            if not inside:
                raise UsageError(f"{path} has no files in it; name a folder with files, or files")
            found.extend(OwnFile(each, str(each)) for each in inside)
        elif path.exists():
            found.append(OwnFile(path, str(path)))
        else:
            raise UsageError(f"{path}: no such file; correct the path")
    doubled = [name for name, count in Counter(each.name for each in found).items() if count > 1]
    if doubled:
        raise UsageError(f"{doubled[0]} is named twice; name each file once")
    for each in found:
        ending = each.path.suffix.lower()
        if ending in _NOT_READ:
            raise UsageError(f"{each.name}: {ending} is not a format that can be read; save it as {_NOT_READ[ending]}")
    plain = [each for each in found if not each.is_table]
    if plain and len(plain) < len(found):
        tables = [each.name for each in found if each.is_table]
        raise UsageError(
            f"{tables[0]} is a table and {plain[0].name} a plain file; name tables (one, or one for each system), "
            "or plain files with one text per line"
        )
    return found


def _store(data: bytes, staging: Path) -> Path:
    """Store what came from standard input; the ending says what it looks like."""
    if not data.strip():
        raise UsageError(
            "standard input is empty; pipe a file into it: textassay new my-study --from - < outputs.jsonl"
        )
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:4]
    first = data.partition(b"\n")[0]
    if data.startswith(b"PK\x03\x04"):
        ending = ".xlsx"
    elif data.startswith(b"PAR1"):
        ending = ".parquet"
    elif start[:1] in (b"{", b"["):
        ending = ".jsonl" if start[:1] == b"{" else ".json"
    elif any(mark in first for mark in (b"\t", b",", b";")):
        ending = ".tsv" if b"\t" in first else ".csv"
    else:
        ending = ".txt"
    path = staging / f"outputs{ending}"
    path.write_bytes(data)
    return path


# --- tables -----------------------------------------------------------------------------------------------------------


def readable_copy(file: OwnFile, target: Path, *, convert: bool) -> str | None:
    """Copy a file; with `convert`, a table in Windows-1252 becomes UTF-8, which is told with a word of it."""
    data = read_bytes(file.path, file.name)
    is_text = file.path.suffix.lower() in (".csv", ".tsv", ".json", ".jsonl", ".ndjson")
    word = windows_word(data) if convert and is_text else None
    if word is None or data.startswith((b"\xff\xfe", b"\xfe\xff")):  # UTF-16 has its own mark
        shutil.copyfile(file.path, target)
        return None
    target.write_text(data.decode("cp1252"), encoding="utf-8", newline="")
    return (
        f"{file.name} is not UTF-8; it was read as Windows-1252, in which the first such word is {word!r}, and copied "
        "as UTF-8; if that word is wrong, save the file as UTF-8 and begin again"
    )


def joined_tables(tables: Sequence[RawTable], systems: Sequence[str] | None) -> tuple[RawTable, str]:
    """Several tables below each other; with systems, a further column names that of each, and the column's name."""
    header = list(dict.fromkeys(column for table in tables for column in table.header))
    column = next(name for name in ("system", "system_of_file", "system of file") if name not in header)
    rows = []
    for place, table in enumerate(tables):
        own = {} if systems is None else {column: systems[place]}
        filled = ({name: row.values.get(name) for name in header} for row in table.filled_rows)
        rows += [
            RawRow({**own, **values}, row.line, row.problems)
            for values, row in zip(filled, table.filled_rows, strict=True)
        ]
    return RawTable([*([] if systems is None else [column]), *header], rows), column


def read_tables(files: Sequence[OwnFile]) -> list[RawTable]:
    """The tables, as they are."""
    return [raw_table(file.path, file.name) for file in files]


def system_names(files: Sequence[OwnFile]) -> list[str]:
    """What the systems of these files are called: the parts of the names in which the files differ.

    >>> [OwnFile(Path(name), name) for name in ("wmt.a.de", "wmt.b.de")] and system_names(
    ...     [OwnFile(Path(name), name) for name in ("newstest.online-A.0.de", "newstest.online-B.0.de")])
    ['online-A', 'online-B']
    """
    parts = [file.path.name.removesuffix(".gz").split(".") for file in files]
    if len(parts) == 1:
        return [files[0].stem]
    while min(map(len, parts)) > 1 and len({part[0] for part in parts}) == 1:
        parts = [part[1:] for part in parts]
    while min(map(len, parts)) > 1 and len({part[-1] for part in parts}) == 1:
        parts = [part[:-1] for part in parts]
    names = [".".join(part) for part in parts]
    if len(set(names)) == len(names):
        return names
    return [file.name for file in files]


# --- plain files ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlainFiles:
    """Plain files with one text per line, as one table with a column for each."""

    table: RawTable
    systems: tuple[str, ...]
    context: str | None
    references: tuple[str, ...]
    columns: tuple[tuple[str, str, str], ...]
    """Each file: its name, what it is read as, its first line."""


def read_plain(files: Sequence[OwnFile], context: str | None, references: Sequence[str]) -> PlainFiles:
    """Read plain files; which is source or reference is told by their names, or said.

    Args:
        files: The files.
        context: The file with the sources, if it was named; `none` for none.
        references: The files with references, if they were named.

    Raises:
        UsageError: the files differ in length, or none is a system's.
    """
    roles = [_role(file, context, references) for file in files]
    own = [file for file, role in zip(files, roles, strict=True) if role == "system"]
    if not own:
        raise UsageError(f"none of the files is a system's: {', '.join(file.name for file in files)}; add some")
    lines = _aligned(files)
    names = iter(system_names(own))
    columns = [next(names) if role == "system" else role for role in roles]
    columns = [
        f"{name}-{columns[:n].count(name) + 1}" if name in columns[:n] else name for n, name in enumerate(columns)
    ]
    rows = [RawRow(dict(zip(columns, texts, strict=True)), n) for n, texts in enumerate(zip(*lines, strict=True), 1)]
    shown = [
        (file.name, f"system {column!r}" if role == "system" else role, _first(texts))
        for file, role, column, texts in zip(files, roles, columns, lines, strict=True)
    ]
    found = dict(zip(columns, roles, strict=True))
    return PlainFiles(
        RawTable(columns, rows),
        tuple(column for column, role in found.items() if role == "system"),
        next((column for column, role in found.items() if role == "context"), None),
        tuple(column for column, role in found.items() if role == "reference"),
        tuple(shown),
    )


def _role(file: OwnFile, context: str | None, references: Sequence[str]) -> str:
    def named(said: str) -> bool:
        return said in (file.name, file.path.name, file.stem)

    if context is not None and named(context):
        return "context"
    if any(map(named, references)):
        return "reference"
    parts = re.split(r"[._-]", file.path.name.removesuffix(".gz"))
    # The name as a whole, or its last parts before the language: newstest.ref.de, ref.txt, wmt.src.en
    if context is None and any(_CONTEXT.fullmatch(part) for part in parts):
        return "context"
    if not references and any(_REFERENCE.fullmatch(part) for part in parts):
        return "reference"
    return "system"


def _aligned(files: Sequence[OwnFile]) -> list[list[str]]:
    contents = [list(_lines(file)) for file in files]
    if len({len(each) for each in contents}) > 1:  # empty lines at the end do not count
        contents = [_without_last_blank(each) for each in contents]
    if len({len(each) for each in contents}) > 1:
        seen = ", ".join(
            f"{file.name} has {numbered(len(each), 'line')}" for file, each in zip(files, contents, strict=True)
        )
        raise UsageError(f"the files must match line by line: {seen}; find the lines that are missing or extra")
    if not contents[0]:
        raise UsageError(f"{files[0].name} is empty; write one text per line")
    return contents


def _lines(file: OwnFile) -> Iterator[str]:
    data = read_bytes(file.path, file.name)
    if data.startswith(_GZIP):
        try:
            data = gzip.decompress(data)
        except (EOFError, OSError, zlib.error) as error:
            message = f"a gzip file that cannot be unpacked ({error}); pack it again"
            raise ProblemsError([Problem(file.name, 0, 0, "", message)]) from None
    text = decode_text(data, file.name)
    for line in text.removesuffix("\n").split("\n") if text else ():
        yield line.removesuffix("\r")


def _without_last_blank(lines: list[str]) -> list[str]:
    filled = max((place for place, line in enumerate(lines, 1) if line.strip()), default=0)
    return lines[:filled]


def _first(lines: Sequence[str]) -> str:
    text = " ".join(lines[0].split())
    return text if len(text) <= 40 else f"{text[:39]}…"
