"""Evaluated orders as tables."""

from __future__ import annotations

import math

from textassay.ordering.agreement.outliers import SystemAgreement
from textassay.ordering.evaluation.evaluate import OrderEvaluation
from textassay.results import Table

_SHARES = ("rho", "kappa", "linear kappa", "accuracy", "pairwise", "perfect")


def summary(found: OrderEvaluation) -> Table:
    """One row a system or person: tau with its interval, and the measures that are shares or coefficients."""
    rows = []
    for by, tau in found.taus.items():
        its = found.by(by)
        chance = _mean([each.chance for each in its])
        shares = [found.mean(by, name) for name in _SHARES]
        rows.append((by, len(its), tau.mean, *tau.ci, chance, *shares))
    head = ("By", "Orders", "tau", "Low", "High", "Chance tau", *_SHARES)
    note = (
        "Means over items; with several references, over those first. Low and High: interval of mean tau over items. "
        "Chance tau: mean of random orders (2/n where the first unit is fixed). Quadratic kappa is rho."
    )
    return Table("orders", "Orders against references", head, tuple(rows), note)


def distances(found: OrderEvaluation) -> Table:
    """One row a system or person: the other measures."""
    names = [name for name in found.names if name not in ("tau", *_SHARES)]
    rows = tuple((by, *(found.mean(by, name) for name in names)) for by in found.taus)
    note = "Cayley: exchanges; Ulam: units to move; displacement: places off; first, last: share that is right."
    return Table("order-distances", "Distances and ends", ("By", *names), rows, note)


def references(found: OrderEvaluation) -> Table | None:
    """Mean, best and weighted tau where items have several references; None where none has."""
    if all(len(each.several.taus) < 2 for each in found.orders):
        return None
    rows = []
    for by in found.taus:
        several = [each.several for each in found.by(by)]
        exact = all(each.exact for each in several)
        weighted = _mean([float(each.weighted[0]) for each in several])
        lowest = _mean([float(each.lowest[0]) for each in several])
        mean, best, highest = (_mean([getattr(each, name) for each in several]) for name in ("mean", "best", "highest"))
        rows.append((by, mean, highest, exact, best, weighted, lowest))
    note = (
        "Highest: the highest mean tau that any order has with the references (exact, or what none can exceed). "
        "Weighted: against the first reference, a transposition counts as the share of references that agree with it; "
        "it lies between Lowest and 1."
    )
    head = ("By", "Mean tau", "Highest", "Exact", "Best tau", "Weighted tau", "Lowest")
    return Table("order-references", "Several references", head, tuple(rows), note)


def each_order(found: OrderEvaluation) -> Table:
    """One row an order."""
    rows = tuple(
        (each.item, each.by, each.n, each.several.coverage, *(each.values[name] for name in found.names))
        for each in found.orders
    )
    return Table("each-order", "Every order", ("Item", "By", "Units", "Coverage", *found.names), rows)


def agreement(found: SystemAgreement) -> Table:
    """One row a system: its tau with each of the others, and whether it stands apart."""
    rows = tuple(
        (system, *row, mean, p, system in found.outliers)
        for system, row, mean, p in zip(
            found.systems, found.taus.tolist(), found.means.tolist(), found.p.tolist(), strict=True
        )
    )
    head = ("System", *found.systems, "Mean with others", "p", "Outlier")
    note = (
        f"Mean tau over {len(found.items)} item(s) that all systems ordered. p: chance of a lowest mean as low, if the "
        f"orders of an item were interchangeable; {found.settings['p']}."
    )
    return Table("system-agreement", "Tau between systems", head, rows, note)


def _mean(values: list[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return math.fsum(known) / len(known) if known else math.nan
