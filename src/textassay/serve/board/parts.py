"""Long lists in parts, a page each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Part:
    """One part of a list.

    >>> Part.asked("2", 250, 100)
    Part(number=2, total=3, size=100)
    >>> Part.asked("99", 250, 100).number, Part.asked("x", 0, 100).total
    (3, 1)
    """

    number: int
    """From 1."""
    total: int
    """How many parts there are."""
    size: int
    """Entries in each, but for the last."""

    @classmethod
    def asked(cls, number: str, entries: int, size: int) -> Part:
        """The part with that number; the nearest there is where it is not one."""
        total = max(1, -(-entries // size))
        asked = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 1
        return cls(min(max(asked, 1), total), total, size)

    def of(self, entries: Sequence[T]) -> Sequence[T]:
        """The entries of this part."""
        return entries[(self.number - 1) * self.size : self.number * self.size]
