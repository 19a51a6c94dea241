"""`textassay order counts`: how many orders of n units have each tau."""

from __future__ import annotations

from textassay.analysis.orders.materials import bins_table, counts_table
from textassay.cli.options import Format, Whole
from textassay.cli.output import show_tables


def counts(n: Whole, *, bins: Whole | None = None, format: Format = "text") -> None:  # noqa: A002 -- the flag's name
    """Count all orders of n units by their tau with one of them.

    Args:
        n: How many units.
        bins: Show this many bins of equal width instead of every tau.
        format: How the result is printed.
    """
    show_tables([counts_table(n) if bins is None else bins_table(n, bins)], format)
