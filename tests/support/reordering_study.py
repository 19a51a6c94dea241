"""Studies of reordering: a small one, and one of the form of Madnani et al. (2007)."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from small_study import write_csv, write_small_study

Change = Callable[[dict[str, Any]], None]
SENTENCES = ("Once there was a mill.", "It stood by a river.", "One day the river rose.", "The mill was gone.")
ORDERS: dict[str, Sequence[int]] = {"original": (1, 2, 3, 4), "random": (1, 4, 2, 3), "shortest": (1, 3, 2, 4)}
"""The order of each system, by sentence numbers."""

BLOCK: dict[str, Any] = {
    "task": "reordering",
    "name": "order",
    "instructions": "instructions.md",
    "practice": "practice.csv",
    "comment": "Anything else?",
    "question": "Put the sentences in the most coherent order.",
    "attention_checks": [{"units": ["Put this first.", "Put this second.", "Put this third."]}],
    "design": {"order": "random", "repeats": 1, "break_every": 4},
}


def write_reordering_study(directory: Path, change: Change | None = None, study: Change | None = None) -> Path:
    """Write the small study and return its directory; `change` may alter its block first, `study` the whole file."""
    items = {f"i{number}": [f"{text} ({number})" for text in SENTENCES] for number in range(1, 7)}
    return write_orders(directory, items, ORDERS, change, study)


def write_orders(
    directory: Path,
    items: Mapping[str, Sequence[str]],
    orders: Mapping[str, Sequence[int]],
    change: Change | None = None,
    study: Change | None = None,
) -> Path:
    """Write a study of these items; each system gives their sentences, numbered from 1, in its order."""
    block = copy.deepcopy(BLOCK)
    if change is not None:
        change(block)

    def with_block(data: dict[str, Any]) -> None:
        data["blocks"] = [block]
        data["tables"] = {"texts": "texts.csv", "reference_system": next(iter(orders))}
        data["metrics"] = []
        if study is not None:
            study(data)

    write_small_study(directory, with_block)
    for name in ("items.csv", "references.csv"):
        (directory / name).unlink()
    rows = [
        (item, system, f"s{number}", sentences[number - 1])
        for item, sentences in items.items()
        for system, order in orders.items()
        for number in order
        if number <= len(sentences)
    ]
    write_csv(directory / "texts.csv", ("item", "system", "unit", "text"), rows)
    practice = [("p1", "a", "The cat sat down."), ("p1", "b", "A cat came in."), ("p1", "c", "It fell asleep.")]
    write_csv(directory / "practice.csv", ("item", "unit", "text"), practice)
    return directory


def write_madnani_study(directory: Path) -> Path:
    """Nine summaries of ten sentences in three conditions, 18 participants, the first sentence fixed."""
    items = {
        f"S{number}": [f"Sentence {place} of summary {number}." for place in range(1, 11)] for number in range(1, 10)
    }
    orders = {"O": tuple(range(1, 11)), "R": (1, 8, 3, 10, 5, 2, 9, 4, 7, 6), "T": (1, 2, 4, 3, 5, 6, 8, 7, 10, 9)}

    def block(data: dict[str, Any]) -> None:
        data.update(first_fixed=True, design={"order": "random"})
        for key in ("practice", "attention_checks", "comment"):
            del data[key]

    def study(data: dict[str, Any]) -> None:
        data["participants"]["wanted"] = 18
        data["screening"] = {}

    return write_orders(directory, items, orders, block, study)
