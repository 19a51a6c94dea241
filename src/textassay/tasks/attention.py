"""Attention checks: trials that tell whether the participant reads, each an item with a name of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from textassay.study.model import Problems

if TYPE_CHECKING:
    from textassay.tasks.contract import Task

C = TypeVar("C")

_PREFIX = "check-"


def check_items(checks: Sequence[object]) -> list[str]:
    """The items of a block's checks, in order.

    >>> check_items(["one", "another"])
    ['check-1', 'check-2']
    """
    return [f"{_PREFIX}{number}" for number, _ in enumerate(checks, 1)]


def check_of(checks: Sequence[C], item: str) -> C:
    """The check that has this item.

    >>> check_of(["one", "another"], "check-2")
    'another'
    """
    return checks[int(item.removeprefix(_PREFIX)) - 1]


def several_texts_problems(task: Task[Any], purpose: str) -> Problems:
    """Practice items that cannot be shown where a trial has several texts.

    Args:
        task: A block of such trials.
        purpose: What the texts are for, such as `to rank`.
    """
    checks = task.attention_items()
    for item in task.block.practice:
        if item in checks:
            yield ("practice",), f"item {item!r} of the practice table has the name of an attention check; rename it"
        elif len(task.block.practice_units.get(item, ())) < 2:
            remedy = "give the table a column 'unit' that names its texts, and a row for each"
            yield ("practice",), f"practice item {item!r} has fewer than two texts {purpose}; {remedy}"
