"""A small study of rankings: the texts of three systems on two criteria, practice, a check, a repeat."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from small_study import write_csv, write_small_study

BLOCK: dict[str, Any] = {
    "task": "ranking",
    "name": "places",
    "instructions": "instructions.md",
    "practice": "practice.csv",
    "context": "context",
    "comment": "Anything else?",
    "criteria": [
        {"name": "clarity", "question": "Which text is clearest?"},
        {"name": "fluency", "question": "Which text reads best?"},
    ],
    "attention_checks": [
        {"texts": ["Put this first.", "Put this in the middle.", "Put this last."], "context": "Data behind i7."}
    ],
    "design": {"order": "random", "repeats": 1, "break_every": 4},
}


def write_ranking_study(
    directory: Path,
    change: Callable[[dict[str, Any]], None] | None = None,
    study: Callable[[dict[str, Any]], None] | None = None,
) -> Path:
    """Write the study into a directory and return it; `change` may alter its block first, `study` the whole file."""
    block = copy.deepcopy(BLOCK)
    if change is not None:
        change(block)

    def with_block(data: dict[str, Any]) -> None:
        data["blocks"] = [block]
        if study is not None:
            study(data)

    write_small_study(directory, with_block)
    practice = [
        ("p1", unit, text, "Data behind practice.")
        for unit, text in (("one", "A first text."), ("two", "A second text."), ("three", "A third text."))
    ]
    write_csv(directory / "practice.csv", ("item", "unit", "text", "context"), practice)
    return directory
