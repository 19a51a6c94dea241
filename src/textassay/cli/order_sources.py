"""Orders that `score` takes: a table of orders, texts with a row per unit, or plain files with one order per line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from textassay.analysis.orders.scored_orders import score_orders
from textassay.cli.order.tables import OrdersTable, read_order_table
from textassay.cli.score_files import STANDARD_INPUT, Files, aligned
from textassay.cli.score_sources import Texts, refuse_documents
from textassay.errors import DataError, UsageError
from textassay.metrics import Metric, ScoreTable, ScoringOptions, score_aligned
from textassay.metrics.order_segments import OrderSegments
from textassay.ordering import GivenOrder, Order
from textassay.study.units import row_units, rows_of_references
from textassay.tables.order_lines import MappedLines, order_line_sets, order_lines
from textassay.tables.reader import Row, columns_of, read_table
from textassay.tables.schema import REFERENCES, TEXTS

_WITH_METRIC = "write units=common, as in -m order-tau:units=common,"


def takes_orders(metrics: Mapping[str, Metric]) -> bool:
    """Whether these metrics are about orders.

    Raises:
        UsageError: some of them are, others not.
    """
    orders = [name for name, one in metrics.items() if one.takes is OrderSegments]
    others = [name for name in metrics if name not in orders]
    if orders and others:
        raise UsageError(f"{orders[0]} takes orders, {others[0]} does not; score with one kind of metric at a time")
    return bool(orders)


def find_orders(source: Path | None, files: Files) -> Texts:
    """The orders of a table or of plain files.

    Raises:
        UsageError: flags that orders do not have, or no references.
        TableError: a table is wrong.
        ProblemsError: a file cannot be read.
    """
    if files.sources is not None:
        raise UsageError("orders have no sources; omit --sources")
    if source is None:
        return orders_of_lines(files)[0]
    if files.reference:
        raise UsageError(f"{source} is a table, but -r is for plain files of orders; omit -r")
    refuse_documents(files, str(source))
    columns = columns_of(source, str(source))
    return _from_units(source, files) if "unit" in columns and "order" not in columns else _from_orders(source, files)


def orders_of_lines(files: Files, flag: str = _WITH_METRIC) -> tuple[Texts, Callable[[], OrdersTable]]:
    """Plain files, ready to be scored, and as a table in which an item is called by the number of its line.

    Args:
        files: Their names.
        flag: How one asks for common units.

    Raises:
        UsageError: no references, or files that do not match.
        ProblemsError: a file cannot be read.
    """
    found = aligned(files, tabs=False)
    if found.references is None:
        raise UsageError("orders need reference orders; give a file of them, one per line, with -r")
    references = order_line_sets(found.references, ", ".join(map(str, files.reference or ())))
    places = ["the standard input" if path == STANDARD_INPUT else str(path) for path in files.input or ()]
    lines = zip(found.systems.items(), places, strict=True)
    orders = {system: order_lines(its, place) for (system, its), place in lines}
    names = [MappedLines(range(len(references)), partial(_line_of, place)) for place in places]

    def scored(metrics: Mapping[str, Metric], options: ScoringOptions) -> ScoreTable:
        with remedies_of_flags(flag=flag):
            more: dict[str, Any] = {"documents": found.documents, "names": names, "options": options}
            return score_aligned(metrics, orders, references, kind=OrderSegments, **more)

    def table() -> OrdersTable:
        given = [
            GivenOrder(str(line), system, order) for system, its in orders.items() for line, order in enumerate(its, 1)
        ]
        wanted = [GivenOrder(str(line), "reference", order) for line, its in enumerate(references, 1) for order in its]
        return OrdersTable({"participant": [], "system": given, "reference": wanted}, found.notes)

    return Texts(list(orders), scored, {}, notes=found.notes), table


def _line_of(place: str, number: int, row: int) -> str:
    del row
    return f"{place}:{number}"


def _from_orders(where: Path, files: Files) -> Texts:
    """A table `item, by, role, order`."""
    if files.references is not None:
        raise UsageError(f"{where} has its references in rows of role reference; omit --references")
    read = read_order_table(where)
    references = orders_by_item(read.of_role["reference"])
    judged = [given for role in ("system", "participant") for given in read.of_role[role]]
    if not judged or not references:
        role = "reference" if judged else "system or participant"
        raise DataError(f"{where}: no orders of role {role}; give each item's, with the role in the column role")
    return _from_given(judged, references, str(where), read.notes)


def _from_units(where: Path, files: Files) -> Texts:
    """Texts with a row for each unit, in the order of the rows."""
    if files.references is None:
        raise UsageError(f"{where} needs reference orders; give a table item, unit, text with --references")
    units: dict[tuple[str, str], list[Row]] = {}
    for row in read_table(where, TEXTS, str(where)):
        units.setdefault((row["item"], row["system"]), []).append(row)
    judged = [GivenOrder(item, system, _unit_ids(rows)) for (item, system), rows in units.items()]
    references = {
        item: [_unit_ids(rows) for rows in its]
        for item, its in rows_of_references(read_table(files.references, REFERENCES, str(files.references))).items()
    }
    return _from_given(judged, references, str(where), ())


def _unit_ids(rows: Sequence[Row]) -> tuple[str, ...]:
    return tuple(unit.id for unit in row_units(rows))


def _from_given(
    judged: Sequence[GivenOrder], references: Mapping[str, Sequence[Order]], where: str, notes: tuple[str, ...]
) -> Texts:
    def scored(metrics: Mapping[str, Metric], options: ScoringOptions) -> ScoreTable:
        with remedies_of_flags(f"{where}: "):
            return score_orders(judged, references, metrics, options)

    return Texts(list(dict.fromkeys(each.by for each in judged)), scored, {}, notes=notes)


def orders_by_item(given: Sequence[GivenOrder]) -> dict[str, list[Order]]:
    """Item → its orders."""
    found: dict[str, list[Order]] = {}
    for each in given:
        found.setdefault(each.item, []).append(each.order)
    return found


@contextmanager
def remedies_of_flags(place: str = "", flag: str = _WITH_METRIC) -> Iterator[None]:
    """What is wrong with an order, with the place, and the remedy as one types it."""
    try:
        yield
    except DataError as error:
        typed = str(error).replace("units='common'", flag)
        raise DataError(f"{place}{typed}") from None
