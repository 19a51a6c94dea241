"""A small study of ratings side by side: three texts on a page, two criteria, practice, a check, a repeat."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from small_study import write_csv, write_small_study

ALL = ("human", "neural", "template")
Change = Callable[[dict[str, Any]], None]


def rated_together(data: dict[str, Any]) -> None:
    """Change the small study's data so that texts are rated side by side."""
    check = data["blocks"][0]["attention_checks"][0]
    check["other_texts"] = ["A text beside it.", "Another one."]
    data["blocks"][0]["together"] = "all"


def write_practice(directory: Path) -> None:
    """Practice pages of three texts each."""
    units = (("one", "A first text."), ("two", "A second text."), ("three", "A third text."))
    practice = [(item, unit, text, "Data.") for item in ("p1", "p2") for unit, text in units]
    write_csv(directory / "practice.csv", ("item", "unit", "text", "context"), practice)


def write_together_study(directory: Path, change: Change | None = None) -> Path:
    """Write the study into a directory and return it; `change` may alter the study file's data first."""

    def changed(data: dict[str, Any]) -> None:
        rated_together(data)
        if change is not None:
            change(data)

    write_small_study(directory, changed)
    write_practice(directory)
    return directory
