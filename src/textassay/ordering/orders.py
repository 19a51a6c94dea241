"""Orders: lists of unit ids. One order seen from another is a permutation, and only that is ever measured.

Here too are orders from ranks and the simplest orders to compare with: original, reversed, random, chronological.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.known_names import check_choice
from textassay.seeds import Stream
from textassay.stats import KendallTau, kendall_tau

Unit = Hashable
Order = Sequence[Any] | npt.NDArray[Any]
"""Unit ids, each once, from first to last; a string without spaces is an order of its letters."""
Units = Literal["same", "common"]
"""Which units two orders may have: the `same`, all others being refused, or any, of which the `common` ones count."""
Places = npt.NDArray[np.int64]
_SHOWN = 5
"""The most units that a message names."""
Ranks = Mapping[Any, float]
"""Unit → rank, the lowest first; equal ranks are ties."""
Key = TypeVar("Key", float, str)


@dataclass(frozen=True, eq=False)
class Alignment:
    """An order seen from a reference."""

    places: Places
    """For each position of the order, the place (from 0) of its unit among the common units of the reference."""
    units: tuple[Unit, ...]
    """The common units, in the reference's order."""
    missing: tuple[Unit, ...] = ()
    """Units of the reference that the order lacks."""
    extra: tuple[Unit, ...] = ()
    """Units of the order that the reference lacks."""
    repeated: tuple[Unit, ...] = ()
    """Units that one of the two names more than once; the first place counts."""

    @property
    def n(self) -> int:
        """How many units both have."""
        return len(self.places)

    @property
    def coverage(self) -> float:
        """Share of the reference's units that the order has; nan for a reference without units."""
        total = self.n + len(self.missing)
        return self.n / total if total else float("nan")

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was excluded."""
        said = (
            (self.missing, "of the reference are missing"),
            (self.extra, "are not in the reference"),
            (self.repeated, "are duplicates; the first place counts"),
        )
        return tuple(f"{len(units)} unit(s) {what}: {unit_list(units)}" for units, what in said if units)


@dataclass(frozen=True)
class GivenOrder:
    """An order that a person or a system gave to the units of a text."""

    item: str
    by: str
    order: Order
    condition: str = "all"
    """In which the text was shown to them, for example which order at first."""
    start: Order | None = None
    """The order that was shown first, where it is known."""


def align(order: Order, reference: Order, *, units: Units = "same") -> Alignment:
    """The order as places in the reference.

    Args:
        order: Unit ids from first to last.
        reference: The same of the order to compare with.
        units: `same` refuses missing, extra and repeated units; `common` leaves them out and says which.

    Raises:
        UsageError: not an order (a mapping, a set, text with spaces), or another word for `units`.
        DataError: missing, extra or repeated units, with their names.

    >>> align(["b", "a", "c"], ["a", "b", "c"]).places.tolist()
    [1, 0, 2]
    >>> found = align("bxa", "abc", units="common")
    >>> found.places.tolist(), found.missing, found.extra, round(found.coverage, 4)
    ([1, 0], ('c',), ('x',), 0.6667)
    """
    check_units(units)
    numbers = _places_of_numbers(order, reference)
    if numbers is not None:
        return Alignment(numbers.astype(np.int64), tuple(np.asarray(reference).tolist()))
    mine, wanted = read_order(order, "order"), read_order(reference, "reference")
    place = {unit: number for number, unit in enumerate(wanted)}
    if len(place) == len(wanted) == len(mine):  # nearly always; a unit that is not there or there twice shows below
        found = [place.get(unit, -1) for unit in mine]
        if -1 not in found and len(set(found)) == len(found):
            return Alignment(np.array(found, dtype=np.int64), wanted)
    return _with_differences(mine, wanted, units)


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


def order_of_ranks(ranks: Ranks) -> list[Unit]:
    """The units from the lowest rank to the highest.

    Raises:
        DataError: two units have the same rank, so that they have no order.
        UsageError: not a mapping of units to ranks.

    >>> order_of_ranks({"a": 2, "b": 1, "c": 3})
    ['b', 'a', 'c']
    """
    found = sorted(_read(ranks, "ranks").items(), key=lambda pair: pair[1])
    for (unit, rank), (other, next_rank) in pairwise(found):
        if rank == next_rank:
            raise DataError(f"{unit!r} and {other!r} share rank {rank:g}; tied units have no order: use tau_of_ranks")
    return [unit for unit, _ in found]


def tau_of_ranks(ranks: Ranks | Order, reference: Ranks | Order) -> KendallTau:
    """Kendall's tau-b of ranks that may be tied, the tie-corrected form of `tau`.

    tau-b = S / √((n₀ - ties of one)(n₀ - ties of the other)), S the concordant pairs less the
    discordant ones, n₀ = n(n-1)/2; without ties it is `tau` (Kendall 1945). Either side may be an order instead.

    Args:
        ranks: Unit → rank, or an order.
        reference: The same of what to compare with.

    Raises:
        DataError: units that only one of the two has, or ranks that are no numbers.
        UsageError: neither ranks nor an order.

    >>> round(tau_of_ranks({"a": 1, "b": 1, "c": 2}, "abc").tau, 4)  # 2 / √(2·3)
    0.8165
    """
    one, other = _read(ranks, "ranks"), _read(reference, "reference")
    unlike = [*(unit for unit in one if unit not in other), *(unit for unit in other if unit not in one)]
    if unlike:
        raise DataError(f"only one of the two has {unit_list(unlike)}; give ranks of the same units")
    return kendall_tau([one[unit] for unit in other], list(other.values()))


def places_in(order: Order, reference: Order, units: Units) -> npt.NDArray[np.signedinteger[Any]]:
    """The places alone; a million numbers need not be made names for that.

    Raises:
        UsageError, DataError: as `align`.
    """
    check_units(units)
    numbers = _places_of_numbers(order, reference)
    return align(order, reference, units=units).places if numbers is None else numbers


def check_units(units: Units) -> None:
    """Refuse another word.

    Raises:
        UsageError: with the words there are.
    """
    check_choice("units", units, get_args(Units))


def read_order(order: Order, name: str) -> tuple[Unit, ...]:
    """The units of an order; they may still repeat.

    Raises:
        UsageError: it is no order of units.
        DataError: a unit is missing (None or nan); the message names the place.
    """
    if isinstance(order, str) and any(letter.isspace() for letter in order):
        raise UsageError(f"{name} is the text {order!r}; give a list of unit ids, for example its .split()")
    if isinstance(order, Mapping):
        raise UsageError(f"{name} is a mapping; an order is a list of units. For ranks of units use tau_of_ranks")
    if isinstance(order, (bytes, set, frozenset)) or not isinstance(order, Iterable):
        raise UsageError(f"{name} is {type(order).__name__} {order!r}; give a list of unit ids")
    found = tuple(order.tolist() if isinstance(order, np.ndarray) else order)
    for place, unit in enumerate(found):
        if unit is None or unit != unit:  # noqa: PLR0124 -- only nan differs from itself
            raise DataError(f"{name} has no unit in place {place + 1} ({unit}); give every unit's id")
        if not isinstance(unit, Hashable):
            raise UsageError(f"{name} has {unit!r} in place {place + 1}, which cannot be a unit; give ids or numbers")
    return found


def unit_list(units: Sequence[Unit]) -> str:
    """Units for a message, the first few of many.

    >>> unit_list(("a", 3))
    "'a', 3"
    """
    more = f" and {len(units) - _SHOWN} more" if len(units) > _SHOWN else ""
    return ", ".join(map(repr, units[:_SHOWN])) + more


def _places_of_numbers(order: Order, reference: Order) -> npt.NDArray[np.int32] | None:
    """The places where both are arrays of 0 … n-1, which needs no look-up by name; None where they are not."""
    for array in (order, reference):
        if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype.kind not in "iu":
            return None
    mine, wanted = np.asarray(order), np.asarray(reference)
    n = wanted.size
    if mine.size != n or not 0 < n <= np.iinfo(np.int32).max:
        return None
    if min(mine.min(), wanted.min()) < 0 or max(mine.max(), wanted.max()) >= n:
        return None
    place = np.full(n, -1, dtype=np.int32)
    place[wanted] = np.arange(n, dtype=np.int32)
    places = place[mine]
    seen = np.zeros(n, dtype=bool)
    seen[mine] = True
    return places if seen.all() and (place >= 0).all() else None


def _with_differences(mine: tuple[Unit, ...], wanted: tuple[Unit, ...], units: Units) -> Alignment:
    counts = Counter(mine), Counter(wanted)
    repeated = tuple(dict.fromkeys(unit for count in counts for unit in count if count[unit] > 1))
    missing = tuple(unit for unit in counts[1] if unit not in counts[0])
    extra = tuple(unit for unit in counts[0] if unit not in counts[1])
    if units == "same":
        raise DataError(_refusal(missing, extra, [unit for unit in repeated if counts[0][unit] > 1], repeated))
    common = tuple(unit for unit in counts[1] if unit in counts[0])
    place = {unit: number for number, unit in enumerate(common)}
    found = [place[unit] for unit in dict.fromkeys(mine) if unit in place]
    return Alignment(np.array(found, dtype=np.int64), common, missing, extra, repeated)


def _refusal(
    missing: Sequence[Unit], extra: Sequence[Unit], twice_in_order: Sequence[Unit], repeated: Sequence[Unit]
) -> str:
    in_reference = [unit for unit in repeated if unit not in twice_in_order]
    parts = [
        f"{what}: {unit_list(units)}"
        for what, units in (
            ("the order lacks units of the reference", missing),
            ("the order has units that the reference lacks", extra),
            ("the order names units more than once", twice_in_order),
            ("the reference names units more than once", in_reference),
        )
        if units
    ]
    remedy = "give orders of the same units, each once, or units='common' to compare those that both have"
    if missing and not repeated and _numbered_from_another(missing, extra):
        remedy = "one of the two counts from 0 and the other from 1; count from the same number in both"
    return f"{'; '.join(parts)}; {remedy}"


def _numbered_from_another(missing: Sequence[Unit], extra: Sequence[Unit]) -> bool:
    """Whether one order has 0 and the other the number after the last, as if they counted from 0 and from 1."""
    ends = sorted((str(missing[0]), str(extra[0]))) if len(missing) == len(extra) == 1 else ("", "")
    return ends[0] == "0" and ends[1].isdecimal()


def _read(given: Ranks | Order, name: str) -> dict[Unit, float]:
    if not isinstance(given, Mapping):
        units = read_order(given, name)
        if len(set(units)) < len(units):
            twice = list(dict.fromkeys(unit for unit in units if units.count(unit) > 1))
            raise DataError(f"{name} names units more than once: {unit_list(twice)}")
        return {unit: float(place) for place, unit in enumerate(units)}
    try:
        found = {unit: float(rank) for unit, rank in given.items()}
    except (TypeError, ValueError):
        raise UsageError(f"{name} must map every unit to a number, got {dict(given)!r}") from None
    bad = [unit for unit, rank in found.items() if not np.isfinite(rank)]
    if bad:
        raise DataError(f"{name} has no finite rank for {unit_list(bad)}; leave these units out on both sides")
    return found


def _is_missing(time: Any) -> bool:
    return time is None or time == "" or time != time  # noqa: PLR0124 -- only nan differs from itself
