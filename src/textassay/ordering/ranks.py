"""Ranks of units: where each stands, ties allowed. A mapping from unit to rank, never to be taken for an order."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from textassay.errors import DataError, UsageError
from textassay.ordering.orders import Order, Unit, named, read_order
from textassay.stats import KendallTau, kendall_tau

Ranks = Mapping[Any, float]
"""Unit → rank, the lowest first; equal ranks are ties."""


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

    tau-b = S / √((n₀ - ties of one)(n₀ - ties of the other)), S the pairs that stand the same way round less those that
    stand the other way, n₀ = n(n-1)/2; without ties it is `tau` (Kendall 1945). Either side may be an order instead.

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
        raise DataError(f"only one of the two has {named(unlike)}; give ranks of the same units")
    return kendall_tau([one[unit] for unit in other], list(other.values()))


def _read(given: Ranks | Order, name: str) -> dict[Unit, float]:
    if not isinstance(given, Mapping):
        units = read_order(given, name)
        if len(set(units)) < len(units):
            twice = list(dict.fromkeys(unit for unit in units if units.count(unit) > 1))
            raise DataError(f"{name} names units more than once: {named(twice)}")
        return {unit: float(place) for place, unit in enumerate(units)}
    try:
        found = {unit: float(rank) for unit, rank in given.items()}
    except (TypeError, ValueError):
        raise UsageError(f"{name} must map every unit to a number, got {dict(given)!r}") from None
    bad = [unit for unit, rank in found.items() if not np.isfinite(rank)]
    if bad:
        raise DataError(f"{name} has no finite rank for {named(bad)}; leave these units out on both sides")
    return found
