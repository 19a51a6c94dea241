"""`textassay order counts`: how many orders of n units have each tau."""

from __future__ import annotations

from textassay.cli.options import Format, Whole
from textassay.cli.output import show_tables
from textassay.ordering import tau_bins, tau_counts, tau_of_inversions
from textassay.results import Table

_LONG = 10**30
"""Counts of this many digits may not fit into a line of the screen."""


def counts(n: Whole, *, bins: Whole | None = None, format: Format = "text") -> None:  # noqa: A002 -- the flag's name
    """Count all orders of n units by their tau with one of them.

    Args:
        n: How many units.
        bins: Show this number of bins of equal width instead of every tau.
        format: How the result is printed.
    """
    numbers = tau_counts(n)
    total = sum(numbers)
    whole = " With --format json no number is cut off." if total > _LONG else ""
    if bins is not None:
        rows = tuple((each.number, each.holds, each.orders, each.orders / total) for each in tau_bins(n, bins))
        note = f"A value on an edge belongs to the upper bin.{whole}"
        table = Table("tau-bins", f"Orders of {n} units by bins of tau", ("Bin", "tau", "Orders", "Share"), rows, note)
    else:
        values = ((k, tau_of_inversions(k, n), count, count / total) for k, count in enumerate(numbers))
        columns = ("Inversions", "tau", "Orders", "Share")
        table = Table(
            "tau-counts", f"Orders of {n} units by tau", columns, tuple(values), f"{total} orders in all.{whole}"
        )
    show_tables([table], format)
