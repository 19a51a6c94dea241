"""All that each recipe says of small made-up data, with no option as it is by default, is what it said before.

The tables, notes, figures, warnings and records of each case are in `recipe_outputs/`. After a change that is meant,
`TEXTASSAY_WRITE_OUTPUTS=1 python -m pytest tests/contracts/test_every_recipe.py` writes them again; read the difference
before you commit it. That the numbers are right, other tests tell.
"""

import math
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from recipe_cases import CASES

from textassay.results import Analysis

OUTPUTS = Path(__file__).parent / "recipe_outputs"
NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?:e[-+]\d+)?(?!\w)|(?<![\w.])-?\d(?:\.\d+)?e[-+]\d+(?!\w)")
NEAR = {"rel_tol": 1e-3, "abs_tol": 1e-6}
"""Searches end a little apart on different processors."""


def shown(value: Any) -> str:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float):
        text = f"{value:.7g}"
        return f"{text}.0" if text.lstrip("-").isdigit() else text
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {shown(part)}" for key, part in value.items()) + "}"
    if isinstance(value, (tuple, list)):
        return "(" + ", ".join(map(shown, value)) + ")"
    return "-" if value is None else str(value)


def lines(analysis: Analysis) -> Iterator[str]:
    yield f"# {analysis.name}: {analysis.title}"
    yield from (f"warning: {text}" for text in analysis.warnings)
    for table in analysis.tables:
        yield f"## {table.name}: {table.title}"
        yield " | ".join(table.columns)
        yield from (" | ".join(map(shown, row)) for row in table.rows)
        yield f"note: {table.note}"
    for figure in analysis.figures:
        yield f"## figure {figure.name}: {figure.title} ({figure.kind})"
        yield from (f"{key}: {shown(value)}" for key, value in figure.data.items())
        yield f"note: {figure.note}"
    yield "## records"
    for record in analysis.records():
        told = {key: value for key, value in record.items() if key != "signature" and value not in (None, "")}
        yield "; ".join(f"{key}: {shown(value)}" for key, value in told.items())
    yield from dict.fromkeys(f"signature: {each.signature.rpartition('|')[0]}" for each in analysis.results)


def same(found: str, expected: str) -> bool:
    """Whether two lines are equal but for the last digits of their fractions."""
    if NUMBER.sub("#", found) != NUMBER.sub("#", expected):
        return False
    pairs = zip(NUMBER.findall(found), NUMBER.findall(expected), strict=True)
    return all(math.isclose(float(one), float(other), **NEAR) for one, other in pairs)


@pytest.mark.parametrize("name", CASES)
def test_what_a_recipe_says(name):
    found = [line.rstrip() for analysis in CASES[name]() for line in lines(analysis)]
    file = OUTPUTS / f"{name}.txt"
    if os.environ.get("TEXTASSAY_WRITE_OUTPUTS"):
        file.write_text("\n".join(found) + "\n", encoding="utf-8")
    expected = file.read_text(encoding="utf-8").splitlines()
    changed = [(one, other) for one, other in zip(found, expected, strict=False) if not same(one, other)]
    assert changed[:5] == []
    assert len(found) == len(expected)


def test_a_small_change_of_a_number_or_a_word_is_seen():
    assert same("mean 1.234567 of 3", "mean 1.234568 of 3")
    assert not same("mean 1.2345 of 3", "mean 1.2375 of 3")
    assert not same("mean 0.5 of 3", "mean -0.5 of 3")
    assert not same("mean 1.5 of 3", "mean 1.5 of 4")
    assert not same("the mean is undefined", "the mean is defined")
