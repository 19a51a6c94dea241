"""The codebook: what stands in every column of every exported file, for people (Markdown) and programs (CSV)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textassay.tables.schema import Column
from textassay.tables.writer import table_lines, write_text

_KINDS = {
    "text": "text",
    "number": "number",
    "integer": "whole number",
    "boolean": "true or false",
    "time": "time (UTC)",
}
_HEADER = ("file", "column", "type", "description", "values", "personal", "exported")


@dataclass(frozen=True)
class DescribedFile:
    """One exported file."""

    name: str
    description: str
    columns: tuple[Column, ...]
    """All columns that it can have, in order."""
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """For a column that takes certain values only: each of them, with what it means (or nothing)."""
    left_out: frozenset[str] = frozenset()
    """Columns that are not in it because they are personal."""


def write_codebook(directory: Path, title: str, files: Sequence[DescribedFile]) -> list[Path]:
    """Write `codebook.csv` and `codebook.md`."""
    paths = []
    for name, text in codebook(title, files).items():
        write_text(directory / name, text)
        paths.append(directory / name)
    return paths


def codebook(title: str, files: Sequence[DescribedFile]) -> dict[str, str]:
    """The codebook as text, by the name of the file that it is written to."""
    rows = [row for file in files for row in _rows(file)]
    table = Path("codebook.csv")
    return {
        table.name: "".join(table_lines(table, _HEADER, rows)),
        "codebook.md": "\n".join(_page(title, files)) + "\n",
    }


def _rows(file: DescribedFile) -> Iterable[dict[str, Any]]:
    for column in file.columns:
        yield {
            "file": file.name,
            "column": column.name,
            "type": column.kind,
            "description": column.description,
            "values": _listed(file.values.get(column.name, {})),
            "personal": column.personal,
            "exported": column.name not in file.left_out,
        }


def _listed(values: Mapping[str, str]) -> str:
    return "; ".join(f"{value}: {meaning}" if meaning else value for value, meaning in values.items())


def _page(title: str, files: Sequence[DescribedFile]) -> Iterable[str]:
    yield f"# Codebook: {_on_one_line(title)}"
    for file in files:
        yield f"\n## {file.name}\n\n{file.description[:1].upper()}{file.description[1:]}.\n"
        yield "| column | type | what it is | values |"
        yield "|---|---|---|---|"
        for column in file.columns:
            notes = [column.description, *(["personal"] if column.personal else [])]
            notes += ["left out of this export"] if column.name in file.left_out else []
            listed = _listed(file.values.get(column.name, {}))
            cells = (f"`{column.name}`", _KINDS[column.kind], "; ".join(notes), listed)
            yield "| " + " | ".join(_on_one_line(cell).replace("|", "\\|") for cell in cells) + " |"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
