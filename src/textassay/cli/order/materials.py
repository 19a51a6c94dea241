"""`textassay order materials`: of each text one order from each bin of tau."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from textassay.analysis.orders.materials import materials_analysis
from textassay.cli.options import Format, Whole
from textassay.cli.order.tables import TEXT_COLUMNS, checked_names, read_orders_of_texts, read_text_units, unit_rows
from textassay.cli.output import show_analyses
from textassay.errors import UsageError
from textassay.ordering import materials as drawn_from
from textassay.tables.writer import write_table

_DEFAULT_BINS = 8


def materials(  # noqa: PLR0913 -- a flag each
    texts: Path,
    *,
    bins: Whole | None = None,
    edges: Annotated[list[float] | None, Parameter(consume_multiple=True, negative="")] = None,
    by: Literal["width", "orders"] = "width",
    among: Path | None = None,
    names: Annotated[list[str] | None, Parameter(consume_multiple=True, negative="")] = None,
    seed: Whole = 0,
    language: str = "en",
    system: str | None = None,
    to: Path | None = None,
    format: Format = "text",  # noqa: A002 -- the flag's name
) -> None:
    """Draw one order from each bin of tau for each text, and say what to look at by hand.

    Args:
        texts: A table `item, text` of whole texts, split into sentences; or with a column `unit`, one row per unit.
        bins: How many bins, from the highest tau down; 8 if not given.
        edges: Bins of unequal width instead: the edges between them, from the highest down, such as 0.75 0.
        by: Bins of equal width over [-1, 1], or with about as many orders each.
        among: Choose from the orders in this table of texts, which an earlier run wrote, instead of from all orders.
        names: A name for each bin, from the highest tau down; bin 1, bin 2 … if not given.
        seed: Of the draws.
        language: Of the texts, for sentences, connectives and pronouns.
        system: Whose texts, where the table has several systems.
        to: Write a table of texts (.csv, .tsv, .jsonl) for a study: a row per unit, the bin as system, and tau.
        format: How the result is printed.
    """
    if bins is not None and edges is not None:
        raise UsageError("--bins makes bins of equal width, --edges others; give one of the two")
    chosen: int | Sequence[float] = _DEFAULT_BINS if bins is None else bins
    chosen = chosen if edges is None else edges
    count = chosen if isinstance(chosen, int) else len(chosen) + 1
    systems = checked_names(names, [f"bin {number}" for number in range(1, count + 1)], "bins")
    units = read_text_units(texts, language, system)
    given = None if among is None else read_orders_of_texts(among)
    made = drawn_from(units, bins=chosen, by=by, among=given, seed=seed, language=language)
    if to is not None:
        rows = [
            row
            for each in made.drawn
            for row in unit_rows(each.item, systems[each.bin.number - 1], each.order, units[each.item])
        ]
        write_table(to, TEXT_COLUMNS, rows)
    show_analyses([materials_analysis(made)], format)
