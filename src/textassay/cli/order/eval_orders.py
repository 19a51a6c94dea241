"""`textassay order eval`: orders against references or, without any, against each other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from textassay.analysis.orders.evaluation import evaluation_analysis, system_agreement_analysis
from textassay.analysis.orders.scored_orders import evaluation_of, order_metrics, score_orders
from textassay.cli.options import Format, Quiet, Whole
from textassay.cli.order.tables import OrdersTable, read_order_table
from textassay.cli.order_sources import orders_by_item, orders_of_lines, remedies_of_flags
from textassay.cli.output import progress_bar, show_analyses
from textassay.cli.score_files import Files
from textassay.cli.score_sources import Texts
from textassay.errors import DataError, UsageError
from textassay.metrics import ScoringOptions, Workers
from textassay.ordering import Units
from textassay.results import Analysis
from textassay.tables.schema import SCORES
from textassay.tables.writer import table_lines, write_table

_Several = Parameter(consume_multiple=True, negative="")
_UNITS = "--units common"


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class OrderFiles:
    """Where orders are, if not in a table, and who works on them."""

    input: Annotated[list[Path] | None, Parameter(name=["--input", "-i"]), _Several] = None
    """Plain files, one per system, one order per line: 2 0 1, or 2,0,1, or [2, 0, 1]."""
    reference: Annotated[list[Path] | None, Parameter(name=["--reference", "-r"]), _Several] = None
    """Plain files with the reference orders, aligned with the input; several files are several references."""
    jobs: Whole = 1
    """Processes of this machine that share the work; -1 for one per core."""
    cluster: str = ""
    """Address of a Dask scheduler whose workers do the work, such as tcp://10.0.0.5:8786."""


_NO_FILES = OrderFiles()


def eval_orders(  # noqa: PLR0913 -- a flag each
    orders: Path | None = None,
    *,
    files: OrderFiles = _NO_FILES,
    against: Literal["reference", "participant"] = "reference",
    units: Units = "same",
    first_fixed: Annotated[bool, Parameter(negative="")] = False,
    window: Whole = 1,
    by_length: Annotated[bool, Parameter(negative="")] = False,
    lengths: Annotated[list[int] | None, _Several] = None,
    confidence: float = 0.95,
    seed: Whole = 0,
    items: Annotated[bool, Parameter(negative="")] = False,
    to: Path | None = None,
    format: Format = "text",  # noqa: A002 -- the flag's name
    quiet: Quiet = False,
) -> None:
    """Compare orders with references; systems also with each other, and which of them is an outlier.

    Args:
        orders: A table `item, by, role, order`; role is participant, system or reference.
        files: Plain files instead.
        against: Whose orders are the references.
        units: Refuse units that only one of two orders has, or compare the common ones.
        first_fixed: The first unit could not be moved; chance tau is then 2/n.
        window: Places that a unit may be off for the share within a window.
        by_length: Show means by the number of units, too.
        lengths: With --by-length: the most units in each class but the last, such as 5 10 20.
        confidence: Of the intervals.
        seed: Of the resampling that tests for outlying systems.
        items: Show every order, not only means.
        to: Write tau of every order to this table of scores (.csv, .tsv, .jsonl).
        format: How the result is printed.
        quiet: Show no progress.
    """
    if lengths is not None and not by_length:
        raise UsageError("--lengths are classes of the table by length; add --by-length")
    if to is not None:
        table_lines(to, (), ())  # refuses an ending that it cannot write, before anything is scored
    texts, read = _read(orders, files)
    references = orders_by_item(read.of_role[against])
    judged = [given for role, its in read.of_role.items() if role != against for given in its]
    place = "" if orders is None else f"{orders}: "
    metrics = order_metrics(units, window)
    found: list[Analysis] = []
    with remedies_of_flags(place, _UNITS):
        if references and judged:
            with progress_bar("orders", quiet=quiet) as progress:
                options = ScoringOptions(workers=Workers(files.jobs, files.cluster), progress=progress)
                scored = texts.score(metrics, options) if texts else score_orders(judged, references, metrics, options)
            evaluated = evaluation_of(
                scored, judged, references, units=units, first_fixed=first_fixed, confidence=confidence
            )
            found.append(
                evaluation_analysis(evaluated, read.notes, by_length=by_length, lengths=lengths, each_order=items)
            )
        systems = system_agreement_analysis(read.of_role["system"], units=units, seed=seed, notes=read.notes)
    found += [systems] if systems is not None else []
    if not found:
        raise DataError(_nothing(place, read, against))
    if to is not None and references and judged:
        write_table(to, [column.name for column in SCORES.columns], evaluated.score_rows())
    show_analyses(found, format)


def _read(orders: Path | None, files: OrderFiles) -> tuple[Texts | None, OrdersTable]:
    """What is to be compared, and plain files ready to be scored."""
    if (orders is None) == (files.input is None):
        raise UsageError("give either a table of orders, or plain files with -i and -r")
    if orders is not None:
        return None, read_order_table(orders)
    texts, table = orders_of_lines(Files(input=files.input, reference=files.reference), _UNITS)
    return texts, table()


def _nothing(place: str, read: OrdersTable, against: str) -> str:
    seen = ", ".join(f"{len(its)} of role {role}" for role, its in read.of_role.items())
    return (
        f"{place}nothing to compare ({seen}); orders are compared with those of role {against!r}, and at least three "
        "systems with each other"
    )
