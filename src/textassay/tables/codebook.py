"""The codebook: what each column of each exported file means, for people (Markdown) and programs (CSV)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textassay.tables.schema import Column
from textassay.tables.writer import table_lines

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
    """One exported file, as the codebook describes it."""

    name: str
    description: str
    columns: tuple[Column, ...]
    """All columns that it can have, in order; those of `omitted` are not in the file."""
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """For a column with a fixed set of values: each value, with its meaning or an empty text."""
    omitted: frozenset[str] = frozenset()
    """Columns that are not in this export because they are personal."""

    @property
    def exported(self) -> tuple[str, ...]:
        """The columns that the file has."""
        return tuple(column.name for column in self.columns if column.name not in self.omitted)


def codebook(title: str, files: Sequence[DescribedFile]) -> dict[str, str]:
    """`codebook.csv` and `codebook.md`: the text of each file by its name."""
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
            "exported": column.name not in file.omitted,
        }


def _listed(values: Mapping[str, str]) -> str:
    return "; ".join(f"{value}: {meaning}" if meaning else value for value, meaning in values.items())


def _page(title: str, files: Sequence[DescribedFile]) -> Iterable[str]:
    yield f"# Codebook: {_one_line(title)}"
    for file in files:
        yield f"\n## {file.name}\n\n{file.description[:1].upper()}{file.description[1:]}.\n"
        yield "| column | type | what it is | values |"
        yield "|---|---|---|---|"
        for column in file.columns:
            notes = [column.description, *(["personal"] if column.personal else [])]
            notes += ["not in this export"] if column.name in file.omitted else []
            listed = _listed(file.values.get(column.name, {}))
            cells = (f"`{column.name}`", _KINDS[column.kind], "; ".join(notes), listed)
            yield "| " + " | ".join(_one_line(cell).replace("|", "\\|") for cell in cells) + " |"


def _one_line(text: str) -> str:
    return " ".join(text.split())
