"""`textassay order variability`: how much people's orders vary, by text, condition and person."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay.analysis.options import RecipeOptions
from textassay.analysis.orders.variability import order_variability
from textassay.cli.options import Format, Whole
from textassay.cli.order.tables import main_orders
from textassay.cli.output import show_analyses
from textassay.errors import DataError
from textassay.ordering.orders import GivenOrder
from textassay.tables.reader import Row

_DETAILS = "variability-details"


def variability(  # noqa: PLR0913 -- a flag each
    orders: Path,
    *,
    details: Annotated[bool, Parameter(negative="")] = False,
    numbering: str | None = None,
    alpha: float = 0.05,
    confidence: float = 0.95,
    draws: Whole = 1999,
    seed: Whole = 0,
    format: Format = "text",  # noqa: A002 -- the flag's name
) -> None:
    """Tell how far people agree on each text, what difference conditions made, and how many references are enough.

    Args:
        orders: A table `item, by, role, order`, with `condition` and `start` where they are known. Orders of role
            system and reference are what people's orders are compared with.
        details: Also show the published analysis of pairs, every person and pair, and all matrices.
        numbering: Whose order numbers the units in the published analysis of scores (the original); by default the
            first condition, or else the first system, that has an order of every text.
        alpha: Level of significance.
        confidence: Of the intervals.
        draws: How often lists are exchanged between people, where there are too many ways for all.
        seed: Of the draws.
        format: How the result is printed.
    """
    rows, notes = main_orders(orders)
    given = [_reordered(row) for row in rows if row["role"] == "participant"]
    if not given:
        seen = ", ".join(sorted({str(row["role"]) for row in rows})) or "none"
        raise DataError(f"{orders}: no orders by people; give rows of role participant (there are: {seen})")
    targets: dict[str, dict[str, tuple[str, ...]]] = {}
    for row in rows:
        if row["role"] != "participant":
            targets.setdefault(row["by"], {})[row["item"]] = tuple(row["order"].split())
    options = RecipeOptions(alpha=alpha, confidence=confidence, draws=draws, seed=seed)
    try:
        found = order_variability(given, targets=targets, numbering=numbering, options=options)
    except DataError as error:
        raise DataError(f"{orders}: {error}") from None
    shown = [part for part in found if details or part.name != _DETAILS or format in ("json", "csv")]
    show_analyses(shown, format)
    if notes and format == "text":
        for note in notes:
            print(f"Note: {note}")


def _reordered(row: Row) -> GivenOrder:
    start = tuple(str(row.get("start") or "").split())
    by = str(row.get("participant") or row["by"])
    return GivenOrder(row["item"], by, tuple(row["order"].split()), str(row.get("condition") or "all"), start or None)
