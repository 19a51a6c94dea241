"""Which slot of the plan the next participant gets.

Balance is to hold over those who complete the study, not over those who begin it. A slot is filled when a valid
person has completed it. Until then it counts how many work on it; whoever was silent too long does not count, so the
slot is given out again. Should that person come back, both may finish, and the first to complete counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from textassay.errors import StoreError


class StudyFull(StoreError):  # noqa: N818 -- not a mistake of anybody
    """Every slot of the cohort has been completed by a valid participant."""

    def __init__(self, cohort: str) -> None:
        self.cohort = cohort
        of = f" of cohort {cohort!r}" if cohort else ""
        super().__init__(f"all places{of} are taken; raise 'wanted' in a new study to ask more people")


@dataclass(frozen=True)
class Fill:
    """How far a slot is filled."""

    completed: int = 0
    """Valid participants who completed it."""
    active: int = 0
    """Participants at work on it who were not silent too long."""


EMPTY = Fill()


def next_slot(numbers: Sequence[int], fills: Mapping[int, Fill], *, again: bool = False) -> int | None:
    """The slot to give out: of those that nobody has completed, the one with the fewest at work on it.

    Ties go to the lowest number, for plans are dealt so that their first slots are balanced among themselves.

    >>> next_slot([1, 2, 3], {1: Fill(completed=1), 2: Fill(active=1)})
    3

    Args:
        numbers: The slots that may be given out.
        fills: How far they are filled; a slot that is not in it is empty.
        again: Whether slots are given out once more when all are filled: that with the fewest completions first.

    Returns:
        Its number, or nothing when every slot is filled.
    """

    def filled(number: int) -> tuple[int, int, int]:
        fill = fills.get(number, EMPTY)
        return fill.completed, fill.active, number

    slot = min(numbers, key=filled, default=None)
    return slot if slot is None or again or not fills.get(slot, EMPTY).completed else None
