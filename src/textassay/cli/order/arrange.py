"""`textassay order arrange`: texts put in order by one or several methods."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from textassay.cli.options import Format, Whole
from textassay.cli.order.arrange_tables import read_grids, read_mentions, read_similarities, read_times
from textassay.cli.order.tables import read_units
from textassay.cli.output import show_analyses
from textassay.errors import UsageError
from textassay.ordering import ArrangedText, Arrangement, ArrangeSettings
from textassay.ordering import arrange as arranged
from textassay.ordering.arranging.arrange import Method
from textassay.results import Analysis, Table
from textassay.tables.writer import write_table

_COLUMNS = ("item", "by", "role", "order", "cost", "lower_bound", "exact")


def arrange(  # noqa: PLR0913 -- a flag each
    texts: Path,
    *,
    method: Annotated[list[Method], Parameter(consume_multiple=True, negative="")] = ["path"],  # noqa: B006 -- only read
    similarity: Literal["words", "characters"] = "words",
    similarities: Path | None = None,
    first: Literal["keep", "free"] = "keep",
    time: str | None = None,
    entities: Path | None = None,
    train: Path | None = None,
    seed: Whole = 0,
    language: str = "en",
    system: str | None = None,
    to: Path | None = None,
    format: Format = "text",  # noqa: A002 -- the flag's name
) -> None:
    """Put the units of each text in order.

    Args:
        texts: A table `item, text` of whole texts, which fall into sentences; or with a column `unit`, a row a unit.
        method: The shortest path by similarity, a baseline, or the path that a model of entities finds most likely.
        similarity: What `path` compares: words or runs of characters, both weighted by tf-idf.
        similarities: For `path`: a table `item, unit, other, value` instead.
        first: Whether `path`, `random` and `grid` leave the first unit in its place.
        time: For `chronological`: the column of `texts` with a number or a date (2007-04-22) for each unit.
        entities: For `grid`: a table `item, unit, entity, role`; role S, O or X, X where it is left out.
        train: For `grid`: such a table of texts to learn from, units in their order; else each text's others.
        seed: Of `random` and of the search for long paths.
        language: Of the texts, for sentences.
        system: Whose texts, where the table has several systems.
        to: Write a table of orders (.csv, .tsv, .jsonl) that `order eval` reads, each method as a system.
        format: How the result is printed.
    """
    if "chronological" in method and time is None:
        raise UsageError("the method chronological needs times; name their column with --time")
    if "grid" in method and entities is None:
        raise UsageError("the method grid needs entities; give a table of them with --entities")
    units = read_units(texts, language, system)
    settings = ArrangeSettings(
        similarity=similarity if similarities is None else read_similarities(similarities, units),
        first=first,
        times={} if time is None else read_times(texts, time, system),
        mentions={} if entities is None else read_mentions(entities),
        train=None if train is None else read_grids(train),
        seed=seed,
    )
    made = arranged(units, list(dict.fromkeys(method)), settings)
    if to is not None:
        write_table(to, _COLUMNS, [_row(each) for each in made.arranged])
    show_analyses([Analysis("arranged", "Orders", (made,), (_table(made),), warnings=made.warnings)], format)


def _row(each: ArrangedText) -> Mapping[str, object]:
    row: dict[str, object] = {"item": each.item, "by": each.by, "role": "system", "order": _shown(each)}
    if each.path is not None:
        row |= {"cost": each.path.cost, "lower_bound": each.path.lower_bound, "exact": each.path.exact}
    return row


def _table(made: Arrangement) -> Table:
    rows = tuple(
        (each.item, each.by, _shown(each), each.path and each.path.cost, each.path and each.path.exact)
        for each in made.arranged
    )
    note = "Cost: sum of the distances between neighbours. Exact: no order costs less."
    columns = ("Item", "By", "Order", "Cost", "Exact")
    return Table(
        "arranged", "Orders by method", columns, rows, note if any(each.path for each in made.arranged) else ""
    )


def _shown(each: ArrangedText) -> str:
    return " ".join(map(str, each.order))
