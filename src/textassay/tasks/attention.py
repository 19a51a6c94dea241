"""Attention checks: trials that tell whether the participant reads, each an item with a name of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

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
