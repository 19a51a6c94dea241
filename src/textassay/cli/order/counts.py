"""`textassay order counts`: how many orders of n units have each tau."""

from __future__ import annotations

from textassay.analysis.orders.materials import bins_table, counts_table
from textassay.cli.options import Format, Whole
from textassay.cli.output import show_tables
from textassay.errors import UsageError

_MOST_ROWS = 20_000
"""More rows than anybody reads; they are for programs."""


def counts(n: Whole, *, bins: Whole | None = None, format: Format = "text") -> None:  # noqa: A002 -- the flag's name
    """Count all orders of n units by their tau with one of them; beyond 200 units, give the share of each tau.

    Args:
        n: How many units.
        bins: Show this many bins of equal width instead of every tau.
        format: How the result is printed.
    """
    values = n * (n - 1) // 2 + 1
    if bins is None and values > _MOST_ROWS and format in ("text", "latex"):
        remedy = "group them with --bins 8, or list all with --format csv"
        raise UsageError(f"orders of {n} units have {values} values of tau; {remedy}")
    show_tables([counts_table(n) if bins is None else bins_table(n, bins)], format)
