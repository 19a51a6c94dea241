"""Plain files that are aligned line by line: a file a system, a file a set of references."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from textassay.errors import Problem, ProblemsError, UsageError
from textassay.tables.decode import decoded, read_text
from textassay.tables.lines import LineColumns, LineFile, LineSets

STANDARD_INPUT = Path("-")
_GZIP = b"\x1f\x8b"
_LOOKED_AT = 1000
"""Lines in which tabs are looked for."""


@dataclass(frozen=True)
class Aligned:
    """What the files hold."""

    systems: Mapping[str, Sequence[str]]
    """The texts of each system."""
    references: Sequence[Sequence[str]]
    """The references of each line."""
    notes: tuple[str, ...]


def aligned(
    inputs: Sequence[Path], references: Sequence[Path], *, columns: int | None = None, table: Path | None = None
) -> Aligned:
    """Read the files.

    Args:
        inputs: One a system; `-` is the standard input.
        references: One a set of references.
        columns: How many references a line of the only file of references has, parted by tabs.
        table: What the user gave as a table of references, which belongs to another source.

    Raises:
        UsageError: no references, a file twice, an empty file, or files of unequal length.
        ProblemsError: a file cannot be read, with the place of the first byte that is wrong.
    """
    if table is not None:
        raise UsageError(f"--references {table} goes with a table of texts; give plain files of references with -r")
    if not references:
        raise UsageError("plain files need references; give one or more files with -r")
    if columns is not None and (len(references) > 1 or columns < 1):
        raise UsageError(f"--num-refs {columns} is for one file with that many references a line, parted by tabs")
    _check_once("-i", "system", inputs)
    _check_once("-r", "set of references", references)
    reference_lines = [lines(path) for path in references]
    system_lines = [lines(path) for path in inputs]
    _check_lengths([*references, *inputs], [*reference_lines, *system_lines], len(references))
    systems = dict(zip(system_names(inputs), system_lines, strict=True))
    if columns is not None:
        return Aligned(systems, LineColumns(reference_lines[0], str(references[0]), columns), ())
    notes = (*_gaps(references, reference_lines), *_tabs(references, reference_lines))
    return Aligned(systems, LineSets(reference_lines), notes)


def lines(path: Path) -> Sequence[str]:
    """The lines of a file, read when they are asked for; those of a pipe or a gzip file are all read at once.

    Raises:
        UsageError: there are none.
        ProblemsError: the file cannot be read.
    """
    found = _lines(path)
    if not len(found):
        raise UsageError(f"{_called(path)} is empty; write a text a line")
    return found


def _lines(path: Path) -> Sequence[str]:
    if path == STANDARD_INPUT:
        return _split(decoded(sys.stdin.buffer.read(), _called(path)))
    if path.exists() and not (path.is_file() or path.is_dir()):  # a pipe
        return _split(read_text(path, str(path)))
    return _split(decoded(_unpacked(path), str(path))) if _is_gzip(path) else LineFile(path)


def _is_gzip(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(2) == _GZIP
    except OSError:
        return False  # whoever reads it says why it cannot be read


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
            raise UsageError(f"{path} stands twice after {flag}; give each {what} once")


def _check_lengths(paths: Sequence[Path], contents: Sequence[Sequence[str]], references: int) -> None:
    counts = [len(content) for content in contents]
    if len(set(counts)) == 1:
        return
    of_references, of_systems = set(counts[:references]), set(counts[references:])
    if references > 1 and of_systems == {references} and len(of_references) == 1:
        each, texts = counts[0], _counted(references, "text")
        raise UsageError(
            f"the references look transposed: {references} files of {_counted(each, 'line')} for {texts} a system; "
            "give one file for each set of references, with a line for each text"
        )
    seen = ", ".join(f"{_called(path)} has {_counted(n, 'line')}" for path, n in zip(paths, counts, strict=True))
    usual = Counter(counts).most_common(1)[0][0]
    odd = [
        path
        for path, content in zip(paths, contents, strict=True)
        if len(content) != usual and any("\r" in line for line in content)
    ]
    why = f"; {odd[0]} has carriage returns inside its lines: save it with plain line ends" if odd else ""
    raise UsageError(f"the files must match line by line: {seen}{why or '; find the lines that are missing or extra'}")


def _gaps(paths: Sequence[Path], contents: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Where one of several files of references has empty lines, which are no references."""
    if len(paths) == 1:
        return ()
    empty = {path: sum(not line for line in content) for path, content in zip(paths, contents, strict=True)}
    return tuple(
        f"{path}: {_counted(count, 'empty line')}; the texts there have a reference less"
        for path, count in empty.items()
        if count
    )


def _tabs(paths: Sequence[Path], contents: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Where the only file of references looks as if it held several of them in a line."""
    if len(paths) > 1:
        return ()
    tabs = {line.count("\t") for line in islice(contents[0], _LOOKED_AT)}
    if len(tabs) > 1 or tabs == {0}:
        return ()
    each = tabs.pop()
    meant = f"if tabs part references, add --num-refs {each + 1}"
    return (f"{paths[0]}: every line has {_counted(each, 'tab')}, taken for part of the text; {meant}",)


def _counted(n: int, what: str) -> str:
    return f"{n} {what}{'s' if n != 1 else ''}"
