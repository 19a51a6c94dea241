"""`textassay order materials`: of each text one order from each bin of tau."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from textassay.analysis.orders.materials import materials_analysis
from textassay.cli.options import Format, Whole
from textassay.cli.order.tables import read_text_units
from textassay.cli.output import show_analyses
from textassay.ordering import Materials
from textassay.ordering import materials as drawn_from
from textassay.tables.writer import write_table

_COLUMNS = ("item", "system", "text", "bin", "tau", "order")


def materials(  # noqa: PLR0913 -- a flag each
    texts: Path,
    *,
    bins: Whole = 8,
    by: Literal["width", "orders"] = "width",
    seed: Whole = 0,
    language: str = "en",
    system: str | None = None,
    to: Path | None = None,
    format: Format = "text",  # noqa: A002 -- the flag's name
) -> None:
    """Draw one order from each bin of tau for each text, and say what to look at by hand.

    Args:
        texts: A table `item, text` of whole texts, split into sentences; or with a column `unit`, one row per unit.
        bins: How many bins, from the highest tau down.
        by: Bins of equal width over [-1, 1], or with about as many orders each.
        seed: Of the draws.
        language: Of the texts, for sentences, connectives and pronouns.
        system: Whose texts, where the table has several systems.
        to: Write the materials to this table of texts (.csv, .tsv, .jsonl), with the bin as system.
        format: How the result is printed.
    """
    made = drawn_from(read_text_units(texts, language, system), bins=bins, by=by, seed=seed, language=language)
    if to is not None:
        write_table(to, _COLUMNS, _rows(made))
    show_analyses([materials_analysis(made)], format)


def _rows(made: Materials) -> list[dict[str, object]]:
    return [
        {
            "item": each.item,
            "system": f"bin {each.bin.number}",
            "text": each.text,
            "bin": each.bin.number,
            "tau": each.tau,
            "order": " ".join(each.order),
        }
        for each in made.drawn
    ]
