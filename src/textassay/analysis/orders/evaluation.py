"""Orders of systems or people against references, and systems against each other, with their tables."""

from __future__ import annotations

from collections.abc import Sequence

from textassay.analysis.orders.scored_orders import OrderEvaluation, ScoredOrder, mean_of_defined
from textassay.analysis.table_builder import Columns, TableColumn, build_table, interval_columns
from textassay.errors import UsageError
from textassay.ordering import GivenOrder, Order, SystemAgreement, Units, system_agreement
from textassay.results import Analysis, Table

_SUMMARY = ("rho", "kappa", "accuracy", "perfect", "ROUGE-S", "LSR")
_BY_LENGTH = ("tau", "accuracy", "perfect", "ROUGE-S", "LSR")
LENGTHS = (5, 10, 20, 50)
"""The most units of a text in each class but the last, where there are too many lengths for a row each."""
_FEW_LENGTHS = 8
_LEAST_SYSTEMS = 3
"""Among fewer systems none can stand apart from the others."""


def evaluation_analysis(
    found: OrderEvaluation,
    notes: Sequence[str] = (),
    *,
    by_length: bool = False,
    lengths: Sequence[int] | None = None,
    each_order: bool = False,
) -> Analysis:
    """Orders against references.

    Args:
        found: The evaluation.
        notes: What else is to be said, such as what was omitted.
        by_length: Whether means are also shown by the number of units.
        lengths: The most units in each class of lengths but the last.
        each_order: Whether every order is shown, and not only means.

    Raises:
        UsageError: lengths that do not rise.
    """
    several = any(each.several for each in found.orders)
    tables = [
        summary_table(found),
        parts_table(found),
        *([lengths_table(found, lengths)] if by_length else []),
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
    """One row per system or person: tau with its interval, and what papers report beside it."""
    columns: Columns[str] = (
        TableColumn("By", str),
        TableColumn("Orders", lambda by: len(found.by(by))),
        TableColumn("tau", lambda by: found.taus[by].mean),
        *interval_columns(lambda by: found.taus[by].ci),
        TableColumn("Chance tau", lambda by: mean_of_defined([each.chance for each in found.by(by)])),
        *_measures(found, _SUMMARY),
    )
    note = (
        "Means over items; with several references, over those first. Low and High: interval of mean tau over items. "
        "Chance tau: mean of random orders (2/n where the first unit is fixed). Quadratic kappa is rho. ROUGE-S: share "
        "of pairs in the right order. LSR: longest sequence ratio (LCS)."
    )
    return build_table("orders", "Orders against references", columns, found.taus, note=note)


def parts_table(found: OrderEvaluation) -> Table:
    """One row per system or person: the other metrics."""
    names = [name for name in found.names if name not in ("tau", *_SUMMARY)]
    note = (
        "adjacent: pairs of neighbours; continuity: average continuity of runs of 2 to 4 (at most 1.01); first, last: "
        "head and tail accuracy; displacement: places off; Cayley and Ulam: 1 - d / (n-1), d the exchanges or moves."
    )
    columns: Columns[str] = (TableColumn("By", str), *_measures(found, names))
    return build_table("order-parts", "Neighbours, ends and distances", columns, found.taus, note=note)


def lengths_table(found: OrderEvaluation, lengths: Sequence[int] | None = None) -> Table:
    """One row per class of lengths and system or person.

    Args:
        found: The evaluation.
        lengths: The most units in each class but the last; by default a class for each length, or for many of them
            the classes up to 5, 10, 20, 50 and more units.

    Raises:
        UsageError: lengths that do not rise.
    """
    classes = _classes(sorted({each.length for each in found.orders}), lengths)
    groups = [
        (label, by, its)
        for label, low, high in classes
        for by in found.taus
        if (its := [each for each in found.by(by) if low <= each.length <= high])
    ]

    def measure(name: str) -> TableColumn[tuple[str, str, list[ScoredOrder]]]:
        return TableColumn(name, lambda row: mean_of_defined([each.values[name] for each in row[2]]))

    columns: Columns[tuple[str, str, list[ScoredOrder]]] = (
        TableColumn("Units", lambda row: row[0]),
        TableColumn("By", lambda row: row[1]),
        TableColumn("Orders", lambda row: len(row[2])),
        *map(measure, _BY_LENGTH),
    )
    note = "Units: of the reference. Means over the items of that length."
    return build_table("order-lengths", "By number of units", columns, groups, note=note)


def _classes(seen: Sequence[int], lengths: Sequence[int] | None) -> list[tuple[str, int, int]]:
    """Label, least and most units of each class that has orders."""
    if lengths is None and len(seen) <= _FEW_LENGTHS:
        return [(str(n), n, n) for n in seen]
    tops = list(LENGTHS if lengths is None else lengths)
    if tops != sorted(set(tops)) or min(tops, default=1) < 1:
        raise UsageError(f"lengths rise from at least 1, such as 5 10 20; got {' '.join(map(str, tops))}")
    found = []
    for below, top in zip([0, *tops], [*tops, max(seen)], strict=True):
        inside = [n for n in seen if below < n <= top]
        if inside:
            found.append((str(inside[0]) if len(inside) == 1 else f"{inside[0]}–{inside[-1]}", below + 1, top))
    return found


def several_references_table(found: OrderEvaluation) -> Table:
    """Mean, best and weighted tau of the orders that have several references."""
    several = {by: [each.several for each in found.by(by) if each.several] for by in found.taus}
    columns: Columns[str] = (
        TableColumn("By", str),
        TableColumn("Orders", lambda by: len(several[by])),
        TableColumn("Mean tau", lambda by: mean_of_defined([each.mean for each in several[by]])),
        TableColumn("Highest", lambda by: mean_of_defined([each.highest for each in several[by]])),
        TableColumn("Exact", lambda by: all(each.exact for each in several[by])),
        TableColumn("Best tau", lambda by: mean_of_defined([each.best for each in several[by]])),
        TableColumn("Weighted tau", lambda by: mean_of_defined([float(each.weighted[0]) for each in several[by]])),
        TableColumn("Lowest", lambda by: mean_of_defined([float(each.lowest[0]) for each in several[by]])),
    )
    note = (
        "Orders with several references, by the units that all have. Highest: the highest mean tau that any order has "
        "with the references (exact, or what none can exceed). "
        "Weighted: against the first reference, a transposition counts as the share of references that agree with it; "
        "it lies between Lowest and 1."
    )
    return build_table("order-references", "Several references", columns, several, note=note)


def orders_table(found: OrderEvaluation) -> Table:
    """One row per order."""

    def measure(name: str) -> TableColumn[ScoredOrder]:
        return TableColumn(name, lambda each: each.values[name])

    columns: Columns[ScoredOrder] = (
        TableColumn("Item", lambda each: each.item),
        TableColumn("By", lambda each: each.by),
        TableColumn("Units", lambda each: each.n),
        TableColumn("Coverage", lambda each: each.coverage),
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
    """The corpus score of each metric, the mean over the items of a system or person."""

    def column(name: str) -> TableColumn[str]:
        return TableColumn(name, lambda by: found.mean(by, name))

    return tuple(map(column, names))
