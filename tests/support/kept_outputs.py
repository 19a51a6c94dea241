"""Outputs that are kept in files and compared: words and whole numbers exactly, fractions but for their last digits."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

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
    expected = file.read_text(encoding="utf-8").splitlines()
    changed = [(one, other) for one, other in zip(lines, expected, strict=False) if not same(one, other)]
    assert changed[:5] == [], f"{file.name}: if that is meant, run this test with {WRITE}=1 and read the difference"
    assert len(lines) == len(expected)
