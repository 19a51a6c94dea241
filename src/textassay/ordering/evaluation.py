"""Orders of many items by several systems or people, each against the references of its item."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from textassay.errors import DataError
from textassay.ordering.agreement.several_references import SeveralReferences, common_units, several_references
from textassay.ordering.distributions.tau_counts import chance_tau
from textassay.ordering.measures.accuracy_and_distance import (
    CAYLEY,
    DISPLACEMENT,
    FIRST_CORRECT,
    LAST_CORRECT,
    PAIRWISE_ACCURACY,
    PERFECT_MATCH,
    POSITION_ACCURACY,
    SPEARMAN,
    ULAM,
    within,
)
from textassay.ordering.measures.position_kappa import KAPPAS
from textassay.ordering.measures.tau import TAU
from textassay.ordering.orders import Alignment, GivenOrder, Order, Units, align, unit_list
from textassay.ordering.permutations import Floats, Measure
from textassay.results import Record, Result
from textassay.stats import MeanInterval, mean_interval


@dataclass(frozen=True)
class EvaluatedOrder:
    """One order against the references of its item."""

    item: str
    by: str
    n: int
    """Units that count."""
    values: Mapping[str, float]
    """Measure → value, the mean over references."""
    several: SeveralReferences
    """Tau with each reference, best, weighted, and the highest mean that there is."""
    chance: float
    """Mean tau of random orders: 2/n where the first unit is fixed."""


@dataclass(frozen=True, kw_only=True)
class OrderEvaluation(Result):
    """Orders against references."""

    orders: tuple[EvaluatedOrder, ...]
    names: tuple[str, ...]
    """Of the measures, in the order of a report."""
    taus: Mapping[str, MeanInterval]
    """Of each system or person, mean tau over its items."""

    def by(self, name: str) -> list[EvaluatedOrder]:
        """All orders of one system or person."""
        return [each for each in self.orders if each.by == name]

    def mean(self, name: str, measure: str) -> float:
        """Mean of a measure over the items of a system or person that have a value."""
        return _mean([each.values[measure] for each in self.by(name)])

    def records(self) -> list[Record]:
        """Means of each system or person, then every order."""
        found = []
        for name, tau in self.taus.items():
            chance = _mean([each.chance for each in self.by(name)])
            found.append(self.record("tau", tau.mean, of="all items", by=name, ci=tau.ci, n=tau.n, chance=chance))
            found += [
                self.record(measure, self.mean(name, measure), of="all items", by=name, n=len(self.by(name)))
                for measure in self.names[1:]
            ]
        for each in self.orders:
            several = each.several
            more: Record = {
                "best": several.best,
                "highest": several.highest,
                "weighted": float(several.weighted[0]),
                "coverage": several.coverage,
                "chance": each.chance,
            }
            found += [
                self.record(measure, each.values[measure], of=each.item, by=each.by, n=each.n)
                | (more if measure == "tau" else {})
                for measure in self.names
            ]
        return found


def evaluate_orders(
    orders: Sequence[GivenOrder],
    references: Mapping[str, Sequence[Order]],
    *,
    units: Units = "same",
    window: int = 1,
    first_fixed: bool = False,
    confidence: float = 0.95,
) -> OrderEvaluation:
    """Measure every order against the references of its item.

    With several references each measure is the mean over them; best and weighted tau, and the highest mean tau that any
    order has, are beside it.

    Args:
        orders: One entry per order.
        references: Item → its reference orders.
        units: `same` refuses units that differ; `common` takes those that an order and all its references have.
        window: Places that a unit may be off for `within`.
        first_fixed: Whether the first unit could not be moved: then chance gives tau 2/n.
        confidence: Of the intervals of mean tau over items.

    Raises:
        DataError: no orders, an item without reference, or units that differ; the message names item and system.

    >>> orders = [GivenOrder("1", "A", "bac"), GivenOrder("2", "A", "abc")]
    >>> found = evaluate_orders(orders, {"1": ["abc"], "2": ["abc"]})
    >>> round(found.taus["A"].mean, 4), found.mean("A", "perfect")
    (0.6667, 0.5)
    """
    if not orders:
        raise DataError("there are no orders to evaluate; give at least one")
    chosen = order_measures(window)
    aligned = [_aligned(each, references, units) for each in orders]
    several = [_several(each, references, units) for each in orders]
    flat = [alignment for each in aligned for alignment in each]
    columns = _columns(flat, chosen)
    ends = np.cumsum([len(each) for each in aligned]).tolist()
    found = []
    for given, its, end, more in zip(orders, aligned, ends, several, strict=True):
        rows = slice(end - len(its), end)
        n = min(alignment.n for alignment in its)
        means = {name: float(column[rows].mean()) for name, column in columns.items()}
        chance = chance_tau(n, first_fixed=first_fixed)
        found.append(EvaluatedOrder(given.item, given.by, n, means, more, chance))
    taus = _mean_taus(found, confidence)
    return OrderEvaluation(
        method="orders against references",
        settings={
            "units": units,
            "window": window,
            "first": "fixed" if first_fixed else "free",
            "confidence": confidence,
        },
        warnings=(*_warnings(orders, found, flat, first_fixed=first_fixed), *_without_interval(taus)),
        orders=tuple(found),
        names=tuple(chosen),
        taus=taus,
    )


def _aligned(given: GivenOrder, references: Mapping[str, Sequence[Order]], units: Units) -> list[Alignment]:
    if not references.get(given.item):
        raise DataError(f"item {given.item}: there is no reference order; add one, or leave the item out")
    try:
        order, wanted, _ = common_units(given.order, references[given.item], units)
        return [align(order, reference, units=units) for reference in wanted]
    except DataError as error:
        raise DataError(f"item {given.item}, {given.by}: {error}") from None


def _several(given: GivenOrder, references: Mapping[str, Sequence[Order]], units: Units) -> SeveralReferences:
    try:
        return several_references(given.order, references[given.item], units=units)
    except DataError as error:
        raise DataError(f"item {given.item}, {given.by}: {error}") from None


def _columns(alignments: Sequence[Alignment], chosen: Mapping[str, Measure]) -> dict[str, Floats]:
    """Every measure of every alignment; alignments of equally many units are measured together."""
    groups: dict[int, list[int]] = {}
    for row, alignment in enumerate(alignments):
        groups.setdefault(alignment.n, []).append(row)
    columns = {name: np.full(len(alignments), math.nan) for name in chosen}
    for rows in groups.values():
        places = np.array([alignments[row].places for row in rows])
        for name, measure in chosen.items():
            columns[name][rows] = measure.of_places(places)
    return columns


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return math.fsum(known) / len(known) if known else math.nan


def _mean_taus(found: Sequence[EvaluatedOrder], confidence: float) -> dict[str, MeanInterval]:
    taus: dict[str, list[float]] = {}
    for each in found:
        taus.setdefault(each.by, []).append(each.values["tau"])
    known = {by: [value for value in values if not math.isnan(value)] for by, values in taus.items()}
    means = {
        by: mean_interval(values, confidence=confidence, bounds=(-1, 1)).about("tau", by)
        for by, values in known.items()
    }
    return {by: _possible(interval) for by, interval in means.items()}


def _possible(interval: MeanInterval) -> MeanInterval:
    """The interval without the values that tau cannot have, which few items would let in."""
    low, high = interval.ci
    return replace(interval, ci=(max(low, -1.0), min(high, 1.0)))


def _without_interval(taus: Mapping[str, MeanInterval]) -> tuple[str, ...]:
    alone = [by for by, interval in taus.items() if interval.n == 1]
    return (f"no interval of mean tau for {unit_list(alone)}: one item only",) if alone else ()


def _warnings(
    given: Sequence[GivenOrder], found: Sequence[EvaluatedOrder], flat: Sequence[Alignment], *, first_fixed: bool
) -> tuple[str, ...]:
    said = []
    short = sum(each.n < 2 for each in found)
    if short:
        said.append(f"{short} order(s) have fewer than 2 units that count, and no tau")
    partial = sum(each.several.coverage < 1 for each in found)
    if partial:
        said.append(f"{partial} order(s) do not cover all units of their references; see the coverage")
    wrong = sum(bool(alignment.n and alignment.places[0] != 0) for alignment in flat)
    if first_fixed and wrong:
        said.append(f"the first unit is said to be fixed, but {wrong} order(s) begin differently from their reference")
    if not first_fixed and not wrong and len(given) > 2:
        said.append("every order begins as its reference; if the first unit was fixed, say so: chance tau is then 2/n")
    return tuple(said)


def order_measures(window: int = 1) -> dict[str, Measure]:
    """Name → measure, in the order of a report; without quadratic kappa, which is Spearman's rho.

    >>> list(order_measures())[:3]
    ['tau', 'rho', 'kappa']
    """
    return {
        "tau": TAU,
        "rho": SPEARMAN,
        "kappa": KAPPAS["none"],
        "linear kappa": KAPPAS["linear"],
        "accuracy": POSITION_ACCURACY,
        "pairwise": PAIRWISE_ACCURACY,
        "perfect": PERFECT_MATCH,
        "Cayley": CAYLEY,
        "Ulam": ULAM,
        "displacement": DISPLACEMENT,
        f"within {window}": within(window),
        "first": FIRST_CORRECT,
        "last": LAST_CORRECT,
    }
