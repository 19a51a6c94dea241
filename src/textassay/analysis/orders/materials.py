"""Orders that were made: texts put in order, materials drawn from bins of tau, counts of all orders."""

from __future__ import annotations

import math

from textassay.analysis.table_builder import Columns, TableColumn, build_table
from textassay.ordering import (
    ArrangedText,
    Arrangement,
    Materials,
    SampledOrder,
    TauBin,
    tau_bins,
    tau_counts,
    tau_of_inversions,
    tau_shares,
)
from textassay.ordering.distributions.tau_counts import COUNTED
from textassay.results import Analysis, Table

_LONG = 10**30
"""Counts with this many digits may not fit into a line of the screen."""

ARRANGED: Columns[ArrangedText] = (
    TableColumn("Item", lambda each: each.item),
    TableColumn("By", lambda each: each.by),
    TableColumn("Order", lambda each: " ".join(map(str, each.order))),
    TableColumn("Cost", lambda each: each.path and each.path.cost),
    TableColumn("Exact", lambda each: each.path and each.path.exact),
)
DRAWN: Columns[SampledOrder] = (
    TableColumn("Item", lambda each: each.item),
    TableColumn("Bin", lambda each: each.bin.number),
    TableColumn("Range", lambda each: each.bin.holds),
    TableColumn("tau", lambda each: each.tau),
    TableColumn("Order", lambda each: " ".join(each.order)),
)


def arrangement_analysis(made: Arrangement) -> Analysis:
    """Texts put in order, each method a system."""
    costs = any(each.path for each in made.arranged)
    note = "Cost: sum of the distances between neighbours. Exact: no order costs less." if costs else ""
    table = build_table("arranged", "Orders by method", ARRANGED, made.arranged, note=note)
    return Analysis("arranged", "Orders", (made,), (table,), warnings=made.warnings)


def materials_analysis(made: Materials) -> Analysis:
    """One order from each bin of tau for each text."""
    note = "tau with the original order. A value on an edge belongs to the upper bin."
    table = build_table("materials", "One order per bin", DRAWN, made.drawn, note=note)
    return Analysis("materials", "Materials", (made,), (table,), warnings=made.warnings)


def counts_table(n: int) -> Table:
    """How many orders of n units have each tau; their shares alone where there are too many to count."""
    name, title = "tau-counts", f"Orders of {n} units by tau"
    if n > COUNTED:
        shares: Columns[tuple[int, float]] = (
            TableColumn("Inversions", lambda row: row[0]),
            TableColumn("tau", lambda row: tau_of_inversions(row[0], n)),
            TableColumn("Share", lambda row: row[1]),
        )
        return build_table(name, title, shares, enumerate(tau_shares(n).tolist()), note=_uncounted(n))
    numbers = tau_counts(n)
    total = sum(numbers)
    columns: Columns[tuple[int, int]] = (
        TableColumn("Inversions", lambda row: row[0]),
        TableColumn("tau", lambda row: tau_of_inversions(row[0], n)),
        TableColumn("Orders", lambda row: row[1]),
        TableColumn("Share", lambda row: row[1] / total),
    )
    note = f"{total} orders in all.{_uncut(total)}"
    return build_table(name, title, columns, enumerate(numbers), note=note)


def bins_table(n: int, bins: int) -> Table:
    """How many orders of n units are in each bin of tau, and their share; the share alone where they are too many."""
    many = n > COUNTED
    columns: Columns[TauBin] = (
        TableColumn("Bin", lambda each: each.number),
        TableColumn("tau", lambda each: each.holds),
        *(() if many else (TableColumn[TauBin]("Orders", lambda each: each.orders),)),
        TableColumn("Share", lambda each: each.share),
    )
    edges = "A value on an edge belongs to the upper bin."
    note = f"{edges} {_uncounted(n)}" if many else f"{edges}{_uncut(math.factorial(n))}"
    return build_table("tau-bins", f"Orders of {n} units by bins of tau", columns, tau_bins(n, bins), note=note)


def _uncounted(n: int) -> str:
    """What a reader must know of shares that are not counts divided by their sum."""
    size = math.lgamma(n + 1) / math.log(10)
    return (
        f"There are about {10 ** (size % 1):.3f}e+{int(size)} orders. Beyond {COUNTED} units they are not counted: "
        "shares are floating-point numbers, right to about 14 digits, and those below 1e-308 are 0."
    )


def _uncut(total: int) -> str:
    return " With --format json no number is cut off." if total > _LONG else ""
