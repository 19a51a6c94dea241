"""Orders of many items by several systems or people, scored against the references of each item.

Every number comes from the metrics of orders, as `textassay score` gives it, with the same signature. Beside them are
an interval of mean tau, the mean tau of random orders, and what several references let any order reach.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from textassay.errors import DataError
from textassay.metrics import Metric, ScoreTable, ScoringOptions, metric, score_table
from textassay.metrics.engine import DEFAULT_OPTIONS
from textassay.metrics.order_segments import OrderSegments
from textassay.ordering import GivenOrder, Order, SeveralReferences, Units, chance_tau, several_references
from textassay.ordering.orders import read_order, unit_list
from textassay.results import Record, Result
from textassay.stats import MeanInterval, mean_interval

TAU = "tau"


def order_metrics(units: Units = "same", window: int = 1) -> dict[str, Metric]:
    """Heading in tables → metric, in the order of a report; without quadratic kappa, which is Spearman's rho.

    >>> list(order_metrics())[:3]
    ['tau', 'rho', 'kappa']
    """
    return {
        TAU: metric("order-tau", units=units),
        "rho": metric("order-spearman", units=units),
        "kappa": metric("order-kappa", units=units),
        "accuracy": metric("order-accuracy", units=units),
        "perfect": metric("order-perfect-match", units=units),
        "ROUGE-S": metric("order-rouge-s", units=units),
        "LSR": metric("order-lsr", units=units),
        "adjacent": metric("order-adjacent", units=units),
        "continuity": metric("order-continuity", units=units),
        "first": metric("order-first", units=units),
        "last": metric("order-last", units=units),
        f"within {window}": metric("order-within", units=units, window=window),
        "displacement": metric("order-displacement", units=units),
        "linear kappa": metric("order-kappa", units=units, weights="linear"),
        "Cayley": metric("order-cayley", units=units),
        "Ulam": metric("order-ulam", units=units),
    }


@dataclass(frozen=True)
class ScoredOrder:
    """One order against the references of its item."""

    item: str
    by: str
    n: int
    """Units that count."""
    length: int
    """Units of its first reference."""
    coverage: float
    values: Mapping[str, float]
    """Heading → value."""
    chance: float
    """Mean tau of random orders: 2/n where the first unit is fixed."""
    several: SeveralReferences | None
    """Best and weighted tau, and the highest mean that there is; None for one reference."""


@dataclass(frozen=True, kw_only=True)
class OrderEvaluation(Result):
    """Orders against references."""

    scored: ScoreTable
    """The scores, under the headings of the tables."""
    orders: tuple[ScoredOrder, ...]
    taus: Mapping[str, MeanInterval]
    """Of each system or person, mean tau over its items."""

    @property
    def names(self) -> tuple[str, ...]:
        """Headings of the metrics."""
        return tuple(self.scored.scores)

    def by(self, name: str) -> list[ScoredOrder]:
        """All orders of one system or person."""
        return [each for each in self.orders if each.by == name]

    def mean(self, name: str, heading: str) -> float:
        """The corpus score of a system or person: the mean over the items that have a value."""
        return self.scored.scores[heading][name].corpus

    def records(self) -> list[Record]:
        """The corpus scores of each system or person, then every order."""
        found = []
        for by, tau in self.taus.items():
            chance = mean_of_defined([each.chance for each in self.by(by)])
            for heading, scores in self.scored.scores.items():
                more: Record = {"ci": tau.ci, "chance": chance} if heading == TAU else {}
                found.append(self._record(heading, by, scores[by].corpus, of="all items", n=scores[by].n, **more))
        for each in self.orders:
            for heading, value in each.values.items():
                more = {"chance": each.chance, "coverage": each.coverage} if heading == TAU else {}
                if heading == TAU and each.several is not None:
                    several = each.several
                    weighted = float(several.weighted[0])
                    more |= {"best": several.best, "highest": several.highest, "weighted": weighted}
                found.append(self._record(heading, each.by, value, of=each.item, n=each.n, **more))
        return found

    def score_rows(self) -> list[Record]:
        """Tau of every order as rows of the table `scores`."""
        tau = self.scored.scores[TAU]
        return [
            {
                "item": each.item,
                "system": each.by,
                "metric": tau[each.by].method,
                "value": each.values[TAU],
                "signature": tau[each.by].signature,
            }
            for each in self.orders
        ]

    def _record(self, heading: str, by: str, value: float, *, of: str, **more: object) -> Record:
        """A record with the name and the signature of the metric."""
        score = self.scored.scores[heading][by]
        return self.record(score.method, value, of=of, by=by, **more) | {"signature": score.signature}


def mean_of_defined(values: Sequence[float]) -> float:
    """The mean of those that are defined; nan if none is."""
    known = [value for value in values if not math.isnan(value)]
    return math.fsum(known) / len(known) if known else math.nan


def evaluate_orders(
    orders: Sequence[GivenOrder],
    references: Mapping[str, Sequence[Order]],
    *,
    units: Units = "same",
    window: int = 1,
    first_fixed: bool = False,
    confidence: float = 0.95,
) -> OrderEvaluation:
    """Score every order against the references of its item; with several, a value is the mean over them.

    Args:
        orders: One entry per order.
        references: Item → its reference orders.
        units: `same` refuses units that differ; `common` compares those that an order and a reference have.
        window: Places that a unit may be off for `within`.
        first_fixed: Whether the first unit could not be moved: then chance gives tau 2/n.
        confidence: Of the intervals of mean tau over items.

    Raises:
        DataError: no orders, an item without reference, or units that differ; the message names item and system.

    >>> orders = [GivenOrder("1", "A", list("bac")), GivenOrder("2", "A", list("abc"))]
    >>> found = evaluate_orders(orders, {"1": [list("abc")], "2": [list("abc")]})
    >>> round(found.taus["A"].mean, 4), found.mean("A", "perfect")
    (0.6667, 0.5)
    """
    scored = score_orders(orders, references, order_metrics(units, window))
    return evaluation_of(scored, orders, references, units=units, first_fixed=first_fixed, confidence=confidence)


def score_orders(
    orders: Sequence[GivenOrder],
    references: Mapping[str, Sequence[Order]],
    metrics: Mapping[str, Metric],
    options: ScoringOptions = DEFAULT_OPTIONS,
) -> ScoreTable:
    """The orders of a table by these metrics."""
    if not orders:
        raise DataError("there are no orders to evaluate; give at least one")
    items, systems = [each.item for each in orders], [each.by for each in orders]
    values = [read_order(each.order, "order") for each in orders]
    wanted = {item: [read_order(each, "reference") for each in its] for item, its in references.items()}
    return score_table(metrics, items, systems, values, wanted, kind=OrderSegments, options=options)


def evaluation_of(
    scored: ScoreTable,
    orders: Sequence[GivenOrder],
    references: Mapping[str, Sequence[Order]],
    *,
    units: Units,
    first_fixed: bool = False,
    confidence: float = 0.95,
) -> OrderEvaluation:
    """What was scored, with the rest; for the arguments see `evaluate_orders`."""
    rows = {(item, by): row for by in scored.items for row, item in enumerate(scored.items_of(TAU, by))}
    parts = {by: score.parts for by, score in scored.scores[TAU].items()}
    found = []
    for given in orders:
        row, its = rows[given.item, given.by], references[given.item]
        n = int(parts[given.by]["units"][row])
        found.append(
            ScoredOrder(
                given.item,
                given.by,
                n,
                len(its[0]),
                float(parts[given.by]["coverage"][row]),
                {name: float(scores[given.by].segments[row]) for name, scores in scored.scores.items()},
                chance_tau(n, first_fixed=first_fixed),
                several_references(given.order, its, units=units) if len(its) > 1 else None,
            )
        )
    taus = _mean_taus(scored, confidence)
    return OrderEvaluation(
        method="orders against references",
        settings={"units": units, "first": "fixed" if first_fixed else "free", "confidence": confidence},
        warnings=(*_warnings(found, first_fixed=first_fixed), *_without_interval(taus)),
        scored=scored,
        orders=tuple(found),
        taus=taus,
    )


def _mean_taus(scored: ScoreTable, confidence: float) -> dict[str, MeanInterval]:
    found = {}
    for by, score in scored.scores[TAU].items():
        known = score.segments[~np.isnan(score.segments)].tolist()
        interval = mean_interval(known, confidence=confidence, bounds=(-1, 1)).about(TAU, by)
        low, high = interval.ci
        # Few items would let in what tau cannot be.
        found[by] = replace(interval, ci=(max(low, -1.0), min(high, 1.0)))
    return found


def _without_interval(taus: Mapping[str, MeanInterval]) -> tuple[str, ...]:
    alone = [by for by, interval in taus.items() if interval.n == 1]
    return (f"no interval of mean tau for {unit_list(alone)}: one item only",) if alone else ()


def _warnings(found: Sequence[ScoredOrder], *, first_fixed: bool) -> tuple[str, ...]:
    said = []
    short = sum(each.n < 2 for each in found)
    if short:
        said.append(f"{short} order(s) have fewer than 2 units that count, and no tau")
    partial = sum(each.coverage < 1 for each in found)
    if partial:
        said.append(f"{partial} order(s) do not cover all units of their references; see the coverage")
    wrong = sum(each.values["first"] < 1 for each in found)
    if first_fixed and wrong:
        said.append(f"the first unit is said to be fixed, but {wrong} order(s) begin differently from their reference")
    if not first_fixed and not wrong and len(found) > 2:
        said.append("every order begins as its reference; if the first unit was fixed, say so: chance tau is then 2/n")
    return tuple(said)
