"""Attention checks: trials that tell whether the participant reads, each an item with a name of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from textassay.tasks.contract import Found

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


def order_faults(checks: Iterable[Sequence[str]], key: str) -> Found:
    """Texts that stand twice in a check that is to be put in order; `key` is where a check has its texts."""
    for index, texts in enumerate(checks):
        for place, text in enumerate(texts):
            if text in texts[:place]:
                message = f"{text!r} stands there twice, so nobody could tell which comes first; reword one"
                yield ("attention_checks", index, key, place), message
