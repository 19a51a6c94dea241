"""Tables built from descriptions of their columns, so that the same column looks the same in every table.

A column says what it is called and how its cell is found in what the row is about. How a number is shown follows from
the column's heading (`report/numbers.py`).

>>> columns = (TableColumn("System", str.upper), TableColumn("Letters", len))
>>> build_table("names", "Names", columns, [("clarity", "a"), ("fluency", "bc")], labels=("Criterion",)).rows
(('clarity', 'A', 1), ('fluency', 'BC', 2))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from textassay.results import Table

if TYPE_CHECKING:
    from textassay.pairwise import PairwiseComparison
    from textassay.stats import Correlation, MeanInterval

T = TypeVar("T")
Both = tuple[object, object]


@dataclass(frozen=True)
class TableColumn(Generic[T]):
    """One column of a table."""

    heading: str
    value: Callable[[T], object]
    """From what the row is about to its cell; None leaves the cell empty."""


Columns = tuple[TableColumn[T], ...]


def build_table(
    name: str,
    title: str,
    columns: Sequence[TableColumn[Any]],
    rows: Iterable[Any],
    *,
    labels: Sequence[str] = (),
    note: str = "",
) -> Table:
    """A table with one row per entry of `rows`.

    Args:
        name: Of its files.
        title: Of the table.
        columns: From the first to the last.
        rows: What each row is about; with labels, tuples of them and what the row is about.
        labels: Headings of what comes before the columns, such as the criterion.
        note: A sentence that belongs under the table.
    """
    cells = (
        (*row[:-1], *(column.value(row[-1]) for column in columns))
        if labels
        else tuple(column.value(row) for column in columns)
        for row in rows
    )
    return Table(name, title, (*labels, *(column.heading for column in columns)), tuple(cells), note)


def interval_columns(ends: Callable[[T], Both | None], low: str = "Low", high: str = "High") -> Columns[T]:
    """The two ends of an interval; empty where there is none."""

    def end(place: int) -> Callable[[T], object]:
        return lambda row: None if (found := ends(row)) is None else found[place]

    return TableColumn(low, end(0)), TableColumn(high, end(1))


def f_columns(ratio: Callable[[T], tuple[float, float, float, float] | None]) -> Columns[T]:
    """F with its degrees of freedom and its p; empty where there is none."""

    def part(place: int) -> Callable[[T], object]:
        return lambda row: None if (found := ratio(row)) is None else found[place]

    return tuple(TableColumn(heading, part(place)) for place, heading in enumerate(("F", "df 1", "df 2", "p")))


def mean_columns(
    count: str = "n", mean: str = "Mean", *, sd: bool = True, outermost: bool = False
) -> Columns[MeanInterval]:
    """A mean, with what it is over, its standard deviation and its interval.

    Args:
        count: Heading of how many values the mean is over.
        mean: Heading of the mean.
        sd: Whether the standard deviation is shown.
        outermost: Whether the least and the greatest value are shown.
    """
    spread: Columns[MeanInterval] = (TableColumn("SD", lambda x: x.sd),) if sd else ()
    ends: Columns[MeanInterval] = (TableColumn("Least", lambda x: x.least), TableColumn("Most", lambda x: x.most))
    return (
        TableColumn(count, lambda x: x.n),
        TableColumn(mean, lambda x: x.mean),
        *(ends if outermost else ()),
        *spread,
        *interval_columns(lambda x: x.ci),
    )


SYSTEM_OF_MEAN: TableColumn[MeanInterval] = TableColumn("System", lambda x: x.by)
"""The system whose mean it is."""
CORRELATIONS: Columns[tuple[Correlation, Correlation]] = (
    TableColumn("n", lambda both: both[0].n),
    TableColumn("r", lambda both: both[0].r),
    TableColumn("p", lambda both: both[0].p),
    TableColumn("rho", lambda both: both[1].r),
    TableColumn("p of rho", lambda both: both[1].p),
)
"""Pearson's and Spearman's correlation of the same values."""
DIFFERENCE: Columns[PairwiseComparison] = (
    TableColumn("Difference", lambda x: x.difference),
    *interval_columns(lambda x: x.ci),
    TableColumn("p", lambda x: x.p),
    TableColumn("Significant", lambda x: x.significant),
    TableColumn("Winner", lambda x: x.winner),
)
"""How two systems differ."""
RATIO: Columns[PairwiseComparison] = (
    TableColumn("Ratio", lambda x: exp(x.difference)),
    *interval_columns(lambda x: (exp(x.ci[0]), exp(x.ci[1]))),
    *DIFFERENCE[3:],
)
"""How many times as much the first is as the second, where differences are those of logarithms."""
PAIR: Columns[PairwiseComparison] = (
    TableColumn("First", lambda x: x.first),
    TableColumn("Second", lambda x: x.second),
    *DIFFERENCE,
)
"""Two systems and how they differ."""
