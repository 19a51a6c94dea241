"""Orders of systems or people against references, and systems against each other, with their tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean

from textassay.analysis.table_builder import Columns, TableColumn, build_table, interval_columns
from textassay.ordering import (
    EvaluatedOrder,
    GivenOrder,
    Order,
    OrderEvaluation,
    SystemAgreement,
    Units,
    system_agreement,
)
from textassay.results import Analysis, Table

_SHARES = ("rho", "kappa", "linear kappa", "accuracy", "pairwise", "perfect")
_LEAST_SYSTEMS = 3
"""Among fewer systems none can stand apart from the others."""


def evaluation_analysis(found: OrderEvaluation, notes: Sequence[str] = (), *, each_order: bool = False) -> Analysis:
    """Orders against references.

    Args:
        found: The evaluation.
        notes: What else is to be said, such as what was omitted.
        each_order: Whether every order is shown, and not only means.
    """
    several = any(len(each.several.taus) > 1 for each in found.orders)
    tables = [
        summary_table(found),
        distances_table(found),
        *([several_references_table(found)] if several else []),
        *([orders_table(found)] if each_order else []),
    ]
    return Analysis("orders", "Orders", (found,), tuple(tables), warnings=(*notes, *found.warnings))


def system_agreement_analysis(
    given: Sequence[GivenOrder], *, units: Units = "same", seed: int = 0, notes: Sequence[str] = ()
) -> Analysis | None:
    """Systems against each other, without a reference; nothing where fewer than three ordered the same items."""
    by_system: dict[str, dict[str, Order]] = {}
    for each in given:
        by_system.setdefault(each.by, {})[each.item] = each.order
    shared = set.intersection(*(set(items) for items in by_system.values())) if by_system else set()
    if len(by_system) < _LEAST_SYSTEMS or not shared:
        return None
    found = system_agreement(by_system, seed=seed, units=units)
    warnings = (*notes, *found.warnings)
    return Analysis(
        "systems", "Systems without a reference", (found,), (system_agreement_table(found),), warnings=warnings
    )


def summary_table(found: OrderEvaluation) -> Table:
    """One row per system or person: tau with its interval, and the measures that are shares or coefficients."""
    columns: Columns[str] = (
        TableColumn("By", str),
        TableColumn("Orders", lambda by: len(found.by(by))),
        TableColumn("tau", lambda by: found.taus[by].mean),
        *interval_columns(lambda by: found.taus[by].ci),
        TableColumn("Chance tau", lambda by: _mean([each.chance for each in found.by(by)])),
        *_measures(found, _SHARES),
    )
    note = (
        "Means over items; with several references, over those first. Low and High: interval of mean tau over items. "
        "Chance tau: mean of random orders (2/n where the first unit is fixed). Quadratic kappa is rho."
    )
    return build_table("orders", "Orders against references", columns, found.taus, note=note)


def distances_table(found: OrderEvaluation) -> Table:
    """One row per system or person: the other measures."""
    names = [name for name in found.names if name not in ("tau", *_SHARES)]
    note = "Cayley: exchanges; Ulam: units to move; displacement: places off; first, last: share that is right."
    columns: Columns[str] = (TableColumn("By", str), *_measures(found, names))
    return build_table("order-distances", "Distances and ends", columns, found.taus, note=note)


def several_references_table(found: OrderEvaluation) -> Table:
    """Mean, best and weighted tau where items have several references."""
    several = {by: [each.several for each in found.by(by)] for by in found.taus}
    columns: Columns[str] = (
        TableColumn("By", str),
        TableColumn("Mean tau", lambda by: _mean([each.mean for each in several[by]])),
        TableColumn("Highest", lambda by: _mean([each.highest for each in several[by]])),
        TableColumn("Exact", lambda by: all(each.exact for each in several[by])),
        TableColumn("Best tau", lambda by: _mean([each.best for each in several[by]])),
        TableColumn("Weighted tau", lambda by: _mean([float(each.weighted[0]) for each in several[by]])),
        TableColumn("Lowest", lambda by: _mean([float(each.lowest[0]) for each in several[by]])),
    )
    note = (
        "Highest: the highest mean tau that any order has with the references (exact, or what none can exceed). "
        "Weighted: against the first reference, a transposition counts as the share of references that agree with it; "
        "it lies between Lowest and 1."
    )
    return build_table("order-references", "Several references", columns, several, note=note)


def orders_table(found: OrderEvaluation) -> Table:
    """One row per order."""

    def measure(name: str) -> TableColumn[EvaluatedOrder]:
        return TableColumn(name, lambda each: each.values[name])

    columns: Columns[EvaluatedOrder] = (
        TableColumn("Item", lambda each: each.item),
        TableColumn("By", lambda each: each.by),
        TableColumn("Units", lambda each: each.n),
        TableColumn("Coverage", lambda each: each.several.coverage),
        *map(measure, found.names),
    )
    return build_table("each-order", "Every order", columns, found.orders)


def system_agreement_table(found: SystemAgreement) -> Table:
    """One row per system: its tau with each of the others, and whether it stands apart."""

    def tau_with(place: int) -> TableColumn[int]:
        return TableColumn(found.systems[place], lambda row: float(found.taus[row, place]))

    columns: Columns[int] = (
        TableColumn("System", lambda row: found.systems[row]),
        *map(tau_with, range(len(found.systems))),
        TableColumn("Mean with others", lambda row: float(found.means[row])),
        TableColumn("p", lambda row: float(found.p[row])),
        TableColumn("Outlier", lambda row: found.systems[row] in found.outliers),
    )
    note = (
        f"Mean tau over {len(found.items)} item(s) that all systems ordered. p: chance of a lowest mean as low, if the "
        f"orders of an item were interchangeable; {found.settings['p']}."
    )
    return build_table("system-agreement", "Tau between systems", columns, range(len(found.systems)), note=note)


def _measures(found: OrderEvaluation, names: Sequence[str]) -> Columns[str]:
    """The mean of each measure over the items of a system or person."""

    def column(name: str) -> TableColumn[str]:
        return TableColumn(name, lambda by: found.mean(by, name))

    return tuple(map(column, names))


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return fmean(known) if known else math.nan
