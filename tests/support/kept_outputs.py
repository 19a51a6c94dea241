"""Outputs that are kept in files and compared: words and whole numbers exactly, fractions but for their last digits."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from textassay.pairwise import PairwiseComparisons
from textassay.results import Analysis, Figure, Table

NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?:e[-+]\d+)?(?!\w)|(?<![\w.])-?\d(?:\.\d+)?e[-+]\d+(?!\w)")
MOST = 24
"""Of a longer list the beginning is shown."""
WRITE = "TEXTASSAY_WRITE_OUTPUTS"
"""Set it to write the files again after a change that is meant."""


def shown(value: Any) -> str:
    """A value in words that can be compared."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float):
        text = f"{value:.7g}"
        return f"{text}.0" if text.lstrip("-").isdigit() else text
    if is_dataclass(value) and not isinstance(value, type):
        inner = ((each.name, getattr(value, each.name)) for each in fields(value))
        return f"{type(value).__name__}({', '.join(f'{name}={shown(part)}' for name, part in inner)})"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {shown(part)}" for key, part in value.items()) + "}"
    if isinstance(value, (tuple, list)):
        cut = f", … {len(value)} in all" if len(value) > MOST else ""
        return "(" + ", ".join(map(shown, value[:MOST])) + f"{cut})"
    text = "-" if value is None else str(value)
    return type(value).__name__ if " at 0x" in text else text


def _shown_how(part: Table | Figure) -> str:
    return f"{f' of {part.subject}' if part.subject else ''}{' (folded)' if part.detail else ''}"


def table_lines(table: Table) -> Iterator[str]:
    """A table: its name, columns, rows and note."""
    yield f"## {table.name}: {table.title}{_shown_how(table)}"
    yield " | ".join(table.columns)
    yield from (" | ".join(map(shown, row)) for row in table.rows)
    yield f"note: {table.note}"


def analysis_lines(analysis: Analysis) -> Iterator[str]:
    """Everything that an analysis says."""
    yield f"# {analysis.name}: {analysis.title} ({analysis.place})"
    yield from (f"caution: {text}" for text in analysis.cautions)
    yield from (f"headline {each.subject}: {each.text}" for each in analysis.headlines)
    yield from (f"warning: {text}" for text in analysis.warnings)
    for table in analysis.tables:
        yield from table_lines(table)
    for figure in analysis.figures:
        yield f"## figure {figure.name}: {figure.title} ({figure.kind}){_shown_how(figure)}"
        yield from (f"{key}: {shown(value)}" for key, value in figure.data.items())
        yield f"note: {figure.note}"
    for text in analysis.texts:
        yield f"## text {text.name}: {text.title}{' (folded)' if text.detail else ''}"
        yield text.plain
        yield f"legend: {shown(text.legend)}"
        yield from (f"note: {note}" for note in text.notes)
    yield "## records"
    for record in analysis.records():
        told = {key: value for key, value in record.items() if key != "signature" and value not in (None, "")}
        yield "; ".join(f"{key}: {shown(value)}" for key, value in told.items())
    for pairs in (each for each in analysis.results if isinstance(each, PairwiseComparisons)):
        told = {"better": pairs.better, "alpha": pairs.alpha, "winners": [pair.winner for pair in pairs]}
        yield f"pairs of {pairs.of}: {shown(told)}"
    yield from dict.fromkeys(f"signature: {each.signature.rpartition('|')[0]}" for each in analysis.results)


def same(found: str, expected: str) -> bool:
    """Whether two lines are equal but for the last digits of their fractions: searches end a little apart elsewhere."""
    if NUMBER.sub("#", found) != NUMBER.sub("#", expected):
        return False
    pairs = zip(NUMBER.findall(found), NUMBER.findall(expected), strict=True)
    return all(math.isclose(float(one), float(other), rel_tol=1e-3, abs_tol=1e-6) for one, other in pairs)


def compare(found: Sequence[str], file: Path) -> None:
    """Fail where a line is not as the file has it."""
    lines = [part.rstrip() for line in found for part in line.splitlines() or [""]]
    if os.environ.get(WRITE):
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert file.exists(), f"{file.name} is not there yet: run this test with {WRITE}=1 and read what it writes"
    expected = file.read_text(encoding="utf-8").splitlines()
    changed = [(one, other) for one, other in zip(lines, expected, strict=False) if not same(one, other)]
    assert changed[:5] == [], f"{file.name}: if that is meant, run this test with {WRITE}=1 and read the difference"
    assert len(lines) == len(expected)
