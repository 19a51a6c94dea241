"""Without a reference: how far systems agree with each other, and which of them is an outlier."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from textassay.errors import DataError, UsageError
from textassay.ordering.agreement.several_references import common_units
from textassay.ordering.measures.tau import tau_matrix
from textassay.ordering.orders import Order, Units, align, check_units, unit_list
from textassay.ordering.permutations import Floats
from textassay.results import Record
from textassay.seeds import Stream
from textassay.stats.samples import check_share
from textassay.stats.statistic import Statistic

_ENUMERATED = 20_000
"""Up to this number of ways of exchanging systems, all are enumerated."""
_AT_ONCE = 1 << 20


@dataclass(frozen=True, kw_only=True, eq=False)
class SystemAgreement(Statistic):
    """Tau between systems, over items that all of them ordered."""

    systems: tuple[str, ...]
    items: tuple[str, ...]
    taus: Floats
    """Shape (systems, systems): mean tau over items; 1 on the diagonal."""
    means: Floats
    """Mean tau of each system with the others."""
    p: Floats
    """Of each system: the chance that the lowest of the systems' means lies as low, if all orders of an item were
    interchangeable; corrected for the number of systems."""
    outliers: tuple[str, ...]
    """Systems whose p is at most alpha."""
    exact: bool

    def records(self) -> list[Record]:
        """One record per system, then one per pair."""
        found = [
            self.record(
                "mean tau with others", mean, of=system, p=p, n=len(self.items), outlier=system in self.outliers
            )
            for system, mean, p in zip(self.systems, self.means.tolist(), self.p.tolist(), strict=True)
        ]
        pairs = [(i, j) for i in range(len(self.systems)) for j in range(i)]
        for i, j in pairs:
            record = self.record(
                "tau", float(self.taus[i, j]), of=self.systems[j], by=self.systems[i], n=len(self.items)
            )
            found.append(record)
        return found


def system_agreement(
    orders: Mapping[Any, Mapping[Any, Order]],
    *,
    samples: int = 9_999,
    seed: int = 0,
    alpha: float = 0.05,
    units: Units = "same",
) -> SystemAgreement:
    """Pairwise tau between systems over items, and outlying systems, without any reference.

    A system's mean tau with the others is compared with what it is when, within each item, systems exchange their
    orders: under the null all orders of an item come from the same source, whichever system gave them. Its p is the
    chance of a lowest mean as low as its own, over all exchanges where there are few, else over samples of them, with
    p = (b+1)/(samples+1). Comparing with the lowest of all systems corrects for their number (Westfall & Young 1993).

    Args:
        orders: System → item → order. Items that some system lacks are excluded and counted.
        samples: How many exchanges are drawn where there are too many for all.
        seed: Of the draws.
        alpha: A system whose p is not larger is an outlier.
        units: `same` refuses units that differ; `common` takes those that all systems have in an item.

    Raises:
        DataError: fewer than three systems, no item that all have, or units that differ; the message names the item.
        UsageError: a wrong setting.

    >>> same = {item: "abcdef" for item in range(6)}
    >>> found = system_agreement({"A": same, "B": same, "C": same, "D": {item: "fedcba" for item in range(6)}})
    >>> found.means.round(4).tolist(), found.outliers
    ([0.3333, 0.3333, 0.3333, -1.0], ('D',))
    """
    check_share("alpha", alpha)
    if isinstance(samples, bool) or not isinstance(samples, int) or samples < 1:
        raise UsageError(f"samples must be a whole number of at least 1, got {samples!r}")
    systems = list(orders)
    every = dict.fromkeys(item for of_item in orders.values() for item in of_item)
    items = _shared_items(orders, list(every))
    compared = [_same_units(item, {system: orders[system][item] for system in systems}, units) for item in items]
    matrices = np.array([tau_matrix(its) for its, _ in compared])
    partial = sum(not whole for _, whole in compared)
    usable = ~np.isnan(matrices[:, 0, 0])
    taus = matrices[usable]
    own = (taus.sum(axis=2) - 1) / (len(systems) - 1)  # shape (items, systems)
    p, exact = _tested(own, samples, seed)
    warnings = _warnings(len(every) - len(items), len(every), partial, int(np.count_nonzero(~usable)))
    if exact and len(taus) < 2:
        warnings.append("one item only: exchanging systems within it changes nothing, so p is uninformative")
    names = tuple(map(str, systems))
    return SystemAgreement(
        method="tau between systems",
        settings={
            "test": "exchange of systems within items, lowest mean",
            "p": "exact" if exact else f"{samples} samples",
            "seed": seed,
            "alpha": alpha,
            "units": units,
            "items": len(taus),
        },
        warnings=tuple(warnings),
        systems=names,
        items=tuple(str(item) for item, keep in zip(items, usable.tolist(), strict=True) if keep),
        taus=taus.mean(axis=0) if len(taus) else np.full(matrices.shape[1:], math.nan),
        means=own.mean(axis=0) if len(taus) else np.full(len(systems), math.nan),
        p=p,
        outliers=tuple(name for name, each in zip(names, p.tolist(), strict=True) if each <= alpha),
        exact=exact,
    )


def _shared_items(orders: Mapping[Any, Mapping[Any, Order]], every: list[Any]) -> list[Any]:
    systems = list(orders)
    if len(systems) < 3:
        raise DataError(f"finding outliers needs at least 3 systems, got {unit_list(systems)}")
    items = [item for item in every if all(item in of_item for of_item in orders.values())]
    if not items:
        raise DataError(f"no item has an order of every system ({unit_list(systems)}); give items that all have")
    return items


def _warnings(left_out: int, every: int, partial: int, short: int) -> list[str]:
    said = {
        f"{left_out} of {every} items are excluded: some system has no order of them": left_out,
        f"in {partial} items only the units that all systems have are compared": partial,
        f"{short} items have fewer than 2 units and no tau": short,
    }
    return [text for text, count in said.items() if count]


def _same_units(item: Any, orders: Mapping[Any, Order], units: Units) -> tuple[list[Order], bool]:
    """The orders, of the same units, and whether these are all units."""
    first, *others = orders.values()
    if units == "common":
        mine, wanted, _ = common_units(first, others, units)
        return [mine, *wanted], all(len(one) == len(mine) for one in orders.values())
    check_units(units)
    for system, order in orders.items():
        try:
            align(order, first)
        except DataError as error:
            raise DataError(f"item {item}, {system}, compared with {next(iter(orders))}: {error}") from None
    return [first, *others], True


def _tested(own: Floats, samples: int, seed: int) -> tuple[Floats, bool]:
    """The p of each system, from the lowest mean over exchanges."""
    items, systems = own.shape
    if items == 0:
        return np.full(systems, math.nan), True
    observed = own.sum(axis=0)
    # Renaming all systems at once changes no lowest mean, so the first item can stay as it is.
    ways = math.factorial(systems) ** (items - 1) if systems < 9 and items < 9 else math.inf
    if ways <= _ENUMERATED:
        orders = np.array(list(permutations(range(systems))))
        totals = own[:1]
        for row in own[1:]:
            totals = (totals[:, None] + row[orders]).reshape(-1, systems)
        lowest = totals.min(axis=1)
        return _share(lowest, observed, extra=0), True
    stream = Stream(seed, "ordering", "outliers")
    size = max(1, _AT_ONCE // (items * systems))
    found = []
    for start in range(0, samples, size):
        count = min(size, samples - start)
        draws = stream.uniforms(count * items * systems).reshape(count, items, systems)
        mixed = np.take_along_axis(np.broadcast_to(own, draws.shape), np.argsort(draws, axis=2), axis=2)
        found.append(mixed.sum(axis=1).min(axis=1))
    return _share(np.concatenate(found), observed, extra=1), False


def _share(lowest: Floats, observed: Floats, extra: int) -> Floats:
    as_low = np.count_nonzero(lowest[:, None] <= observed + 1e-9, axis=0)
    return np.asarray((as_low + extra) / (len(lowest) + extra))
