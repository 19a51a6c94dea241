"""Plain files that are aligned line by line: a file a system, a file a set of references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from textassay.errors import UsageError
from textassay.tables.decode import read_text
from textassay.tables.lines import LineFile, LineSets


@dataclass(frozen=True)
class Aligned:
    """What the files hold."""

    systems: Mapping[str, Sequence[str]]
    """The texts of each system."""
    references: Sequence[Sequence[str]]
    """The references of each line."""
    notes: tuple[str, ...]


def aligned(inputs: Sequence[Path], references: Sequence[Path], *, table: Path | None = None) -> Aligned:
    """Read the files; `table` is what the user gave as a table of references, which belongs to another source.

    Raises:
        UsageError: no references, a file twice, an empty file, or files of unequal length.
        ProblemsError: a file cannot be read, with the place of the first byte that is wrong.
    """
    if table is not None:
        raise UsageError(f"--references {table} goes with a table of texts; give plain files of references with -r")
    if not references:
        raise UsageError("plain files need references; give one or more files with -r")
    _check_once("-i", "system", inputs)
    _check_once("-r", "set of references", references)
    reference_lines = [lines(path) for path in references]
    system_lines = [lines(path) for path in inputs]
    _check_lengths([*references, *inputs], [*reference_lines, *system_lines], len(references))
    systems = dict(zip(system_names(inputs), system_lines, strict=True))
    return Aligned(systems, LineSets(reference_lines), _gaps(references, reference_lines))


def lines(path: Path) -> Sequence[str]:
    """The lines of a file, read when they are asked for; those of a pipe are all read at once.

    Raises:
        UsageError: there are none.
        ProblemsError: the file cannot be read.
    """
    found: Sequence[str] = _piped(path) if path.exists() and not (path.is_file() or path.is_dir()) else LineFile(path)
    if not len(found):
        raise UsageError(f"{path} is empty; write a text a line")
    return found


def _piped(path: Path) -> list[str]:
    text = read_text(path, str(path))
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []


def system_names(inputs: Sequence[Path]) -> list[str]:
    """The files' names, without folder and ending where that is enough to tell them apart.

    >>> system_names([Path("a/out.txt"), Path("b/out.txt")]) == [str(Path("a/out.txt")), str(Path("b/out.txt"))]
    True
    """
    stems = [path.stem for path in inputs]
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
    seen = ", ".join(f"{path} has {_counted(n, 'line')}" for path, n in zip(paths, counts, strict=True))
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


def _counted(n: int, what: str) -> str:
    return f"{n} {what}{'s' if n != 1 else ''}"
