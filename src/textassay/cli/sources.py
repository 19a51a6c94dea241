"""What `score` takes: a study, a table of texts, or plain files with a text a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from textassay import pipeline
from textassay.errors import UsageError
from textassay.metrics import Metric, metric
from textassay.tables.decode import read_text
from textassay.tables.reader import read_table
from textassay.tables.schema import REFERENCES, TEXTS


@dataclass(frozen=True)
class Texts:
    """Texts to score, and what to score them against."""

    items: Sequence[str]
    systems: Sequence[str]
    texts: Sequence[str]
    references: Mapping[str, Sequence[str]]
    metrics: Mapping[str, Metric]
    """Those that the source itself asks for."""


def from_study(where: Path) -> Texts:
    """The texts of a study, with its references and metrics."""
    study = pipeline.load(where)
    items, systems = zip(*study.texts, strict=True)
    return Texts(items, systems, list(study.texts.values()), pipeline.references(study), pipeline.metrics(study))


def from_tables(texts: Path, references: Path | None) -> Texts:
    """A table `item, system, text` and a table `item, text`."""
    if references is None:
        raise UsageError(f"{texts} needs references; give a table item, text with --references")
    rows = list(read_table(texts, TEXTS))
    grouped: dict[str, list[str]] = {}
    for row in read_table(references, REFERENCES):
        grouped.setdefault(row["item"], []).append(row["text"])
    return Texts(
        [row["item"] for row in rows], [row["system"] for row in rows], [row["text"] for row in rows], grouped, {}
    )


def from_lines(inputs: Sequence[Path], references: Sequence[Path]) -> Texts:
    """Plain files, aligned line by line: a file a system, a file a set of references."""
    if not references:
        raise UsageError("plain files need references; give one or more files with -r")
    reference_lines = [lines(path) for path in references]
    count = len(reference_lines[0])
    items: list[str] = []
    systems: list[str] = []
    texts: list[str] = []
    for path in (*references, *inputs):
        if len(lines(path)) != count:
            raise UsageError(
                f"{path} has {len(lines(path))} lines, but {references[0]} has {count}; the files must be aligned"
            )
    for path, system in zip(inputs, _system_names(inputs), strict=True):
        items.extend(str(number) for number in range(1, count + 1))
        systems.extend([system] * count)
        texts.extend(lines(path))
    grouped = {str(number): list(same) for number, same in enumerate(zip(*reference_lines, strict=True), 1)}
    return Texts(items, systems, texts, grouped, {})


def lines(path: Path) -> list[str]:
    """The lines of a file; only a line feed ends a line, for texts may hold other separators."""
    text = read_text(path, str(path))
    parts = text.removesuffix("\n").split("\n")
    if parts == [""]:
        raise UsageError(f"{path} is empty")
    return [part.removesuffix("\r") for part in parts]


def metrics_named(names: Sequence[str]) -> dict[str, Metric]:
    """Metrics by name, with their default settings."""
    return {name: metric(name) for name in names}


def _system_names(inputs: Sequence[Path]) -> list[str]:
    """The files' names, without folder and ending where that is enough to tell them apart."""
    stems = [path.stem for path in inputs]
    return stems if len(set(stems)) == len(stems) else [str(path) for path in inputs]
