"""`textassay order eval`: orders against references or, without any, against each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from textassay.analysis.orders.evaluation import evaluation_analysis, system_agreement_analysis
from textassay.cli.options import Format, Whole
from textassay.cli.order.tables import OrdersTable, read_order_table
from textassay.cli.output import show_analyses
from textassay.errors import DataError
from textassay.ordering import GivenOrder, Order, Units, evaluate_orders
from textassay.results import Analysis
from textassay.tables.schema import SCORES
from textassay.tables.writer import write_table


def eval_orders(  # noqa: PLR0913 -- a flag each
    orders: Path,
    *,
    against: Literal["reference", "participant"] = "reference",
    units: Units = "same",
    first_fixed: Annotated[bool, Parameter(negative="")] = False,
    window: Whole = 1,
    confidence: float = 0.95,
    seed: Whole = 0,
    items: Annotated[bool, Parameter(negative="")] = False,
    to: Path | None = None,
    format: Format = "text",  # noqa: A002 -- the flag's name
) -> None:
    """Compare orders with references; systems also with each other, and which of them is an outlier.

    Args:
        orders: A table `item, by, role, order`; role is participant, system or reference.
        against: Whose orders are the references.
        units: Refuse units that only one of two orders has, or compare the common ones.
        first_fixed: The first unit could not be moved; chance tau is then 2/n.
        window: Places that a unit may be off for the share within a window.
        confidence: Of the intervals.
        seed: Of the resampling that tests for outlying systems.
        items: Show every order, not only means.
        to: Write tau of every order to this table of scores (.csv, .tsv, .jsonl).
        format: How the result is printed.
    """
    read = read_order_table(orders)
    references = _references(read.of_role[against])
    judged = [given for role, its in read.of_role.items() if role != against for given in its]
    found: list[Analysis] = []
    try:
        if references and judged:
            evaluated = evaluate_orders(
                judged, references, units=units, window=window, first_fixed=first_fixed, confidence=confidence
            )
            found.append(evaluation_analysis(evaluated, read.notes, each_order=items))
        systems = system_agreement_analysis(read.of_role["system"], units=units, seed=seed, notes=read.notes)
    except DataError as error:
        raise DataError(f"{orders}: {error}".replace("units='common'", "--units common")) from None
    found += [systems] if systems is not None else []
    if not found:
        raise DataError(_nothing(orders, read, against))
    if to is not None and references and judged:
        scores = [_score(each.item, each.by, each.values["tau"], evaluated.signature) for each in evaluated.orders]
        write_table(to, [column.name for column in SCORES.columns], scores)
    show_analyses(found, format)


def _references(given: Sequence[GivenOrder]) -> dict[str, list[Order]]:
    found: dict[str, list[Order]] = {}
    for each in given:
        found.setdefault(each.item, []).append(each.order)
    return found


def _score(item: str, system: str, value: float, signature: str) -> dict[str, object]:
    return {"item": item, "system": system, "metric": "order-tau", "value": value, "signature": signature}


def _nothing(path: Path, read: OrdersTable, against: str) -> str:
    seen = ", ".join(f"{len(its)} of role {role}" for role, its in read.of_role.items())
    return (
        f"{path}: nothing to compare ({seen}); orders are compared with those of role {against!r}, and at least three "
        "systems with each other"
    )
