"""Plain files that are aligned line by line: a file a system, a file a set of references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from textassay.errors import UsageError
from textassay.tables.decode import read_text


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
    sets, notes = _without_gaps(references, reference_lines)
    return Aligned(dict(zip(system_names(inputs), system_lines, strict=True)), sets, notes)


def lines(path: Path) -> list[str]:
    """The lines of a file; only a line feed ends a line, for texts may hold other separators.

    Raises:
        UsageError: there are none.
        ProblemsError: the file cannot be read.
    """
    text = read_text(path, str(path))
    if not text:
        raise UsageError(f"{path} is empty; write a text a line")
    return [part.removesuffix("\r") for part in text.removesuffix("\n").split("\n")]


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


def _without_gaps(paths: Sequence[Path], contents: Sequence[Sequence[str]]) -> tuple[list[list[str]], tuple[str, ...]]:
    """The references of each line: where one of several files has an empty line, it has no reference there.

    Where all have, or where there is one file only, the reference is empty, which metrics give a value to.
    """
    if len(paths) == 1:
        return [[line] for line in contents[0]], ()
    sets = [[line for line in row if line] or [""] for row in zip(*contents, strict=True)]
    gaps = {path: sum(not line for line in content) for path, content in zip(paths, contents, strict=True)}
    notes = (
        f"{path}: {_counted(count, 'empty line')}; the texts there have a reference less"
        for path, count in gaps.items()
        if count
    )
    return sets, tuple(notes)


def _counted(n: int, what: str) -> str:
    return f"{n} {what}{'s' if n != 1 else ''}"
