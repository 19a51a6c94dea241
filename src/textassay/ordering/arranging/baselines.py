"""Orders to compare with: the original, its reverse, a random one, and that of time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from textassay.errors import DataError, UsageError
from textassay.ordering.orders import Order, Unit, read_order, unit_list
from textassay.seeds import Stream

Key = TypeVar("Key", float, str)


def original_order(units: Order) -> tuple[Unit, ...]:
    """The units as they are given.

    >>> original_order("abc")
    ('a', 'b', 'c')
    """
    found = read_order(units, "units")
    if len(set(found)) < len(found):
        twice = [unit for unit in found if found.count(unit) > 1]
        raise DataError(f"units are named more than once: {unit_list(twice)}")
    return found


def reversed_order(units: Order) -> tuple[Unit, ...]:
    """The units from last to first.

    >>> reversed_order("abc")
    ('c', 'b', 'a')
    """
    return original_order(units)[::-1]


def random_order(units: Order, *, seed: int = 0, first_fixed: bool = False, name: str = "") -> tuple[Unit, ...]:
    """The units in random order, each order equally likely; with the first in its place if wanted.

    Args:
        units: Unit ids.
        seed: Of the draw.
        first_fixed: Keep the first unit where it is, as Madnani et al. (2007) do.
        name: Of the text: each draws from a stream of its own.

    >>> sorted(random_order("abcd", seed=1)), random_order("abcd", seed=1, first_fixed=True)[0]
    (['a', 'b', 'c', 'd'], 'a')
    """
    found = original_order(units)
    kept = found[:1] if first_fixed else ()
    return (*kept, *Stream(seed, "ordering", "random order", name).shuffled(found[len(kept) :]))


def chronological_order(units: Order, times: Sequence[Key]) -> tuple[Unit, ...]:
    """The units by their times; those of the same time as they are given.

    Args:
        units: Unit ids.
        times: One for each unit: numbers, or texts that sort by time, such as dates like 2007-04-22.

    Raises:
        DataError: another number of times than of units, or a unit without one.
        UsageError: numbers and texts together.

    >>> chronological_order("abc", ["2007-04-22", "1999-01-01", "2003-10-30"])
    ('b', 'c', 'a')
    """
    found = original_order(units)
    if len(times) != len(found):
        raise DataError(f"there are {len(found)} units and {len(times)} times; each unit needs one")
    missing = [unit for unit, time in zip(found, times, strict=True) if _is_missing(time)]
    if missing:
        raise DataError(f"units without a time: {unit_list(missing)}; give each one")
    if len({isinstance(time, str) for time in times}) > 1:
        raise UsageError("times must be all numbers or all texts; got both")
    return tuple(found[place] for place in sorted(range(len(found)), key=lambda place: times[place]))


def _is_missing(time: Any) -> bool:
    return time is None or time == "" or time != time  # noqa: PLR0124 -- only nan differs from itself
