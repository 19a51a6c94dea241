"""`score_aligned`: systems and references that match line by line, however many lines there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar, overload

from textassay.errors import DataError, UsageError
from textassay.metrics.contract import Metric
from textassay.metrics.engine import USUAL, Plan
from textassay.metrics.segments import TextSegments
from textassay.metrics.table import ScoreTable, named, score_systems

T = TypeVar("T")


def score_aligned(
    metrics: Sequence[str | Metric] | Mapping[str, Metric],
    systems: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]],
    *,
    plan: Plan = USUAL,
) -> ScoreTable:
    """Score systems whose texts are in the same order as the references.

    Nothing is copied: texts and references are asked for slice by slice, so that sequences which read from a file
    keep the memory small. A text is called by its number, from 1.

    Args:
        metrics: Names or metrics; a mapping gives each its name in the table.
        systems: The texts of each system, as many as there are references.
        references: The references of each text, of any number but 0.
        plan: What is kept, and who works.

    >>> table = score_aligned(["rouge-l"], {"A": ["a b", "c"], "B": ["a", "d"]}, [["a b"], ["d"]])
    >>> [(row["item"], row["system"], round(row["value"], 2)) for row in table.rows()]
    [('1', 'A', 1.0), ('2', 'A', 0.0), ('', 'A', 0.5), ('1', 'B', 0.67), ('2', 'B', 1.0), ('', 'B', 0.83)]
    """
    chosen, n = named(metrics), len(references)
    if not systems:
        raise UsageError("no system to score; give at least one")
    for system, texts in systems.items():
        if len(texts) != n:
            raise DataError(f"{system} has {len(texts)} texts for {n} sets of references; they must match one by one")
    together = TextSegments(_Beside(list(systems.values())), _Repeated(references, len(systems)))
    rows = {system: range(number, n * len(systems), len(systems)) for number, system in enumerate(systems)}
    results, warnings = score_systems(chosen, together, rows, plan)
    return ScoreTable(
        method="automatic scores",
        settings={"metrics": ", ".join(chosen), "systems": len(systems), "items": n},
        warnings=tuple(warnings),
        items=dict.fromkeys(systems, _Numbers(n)),
        scores=results,
    )


class _Beside(Sequence[T]):
    """Columns of equal length as one sequence: the first row, then the second."""

    def __init__(self, columns: Sequence[Sequence[T]]) -> None:
        self._columns = columns

    def __len__(self) -> int:
        return len(self._columns) * len(self._columns[0])

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> list[T]: ...

    def __getitem__(self, index: int | slice) -> T | list[T]:
        width = len(self._columns)
        if not isinstance(index, slice):
            row, column = divmod(range(len(self))[index], width)
            return self._columns[column][row]
        start, stop, step = index.indices(len(self))
        if step != 1:
            return [self[position] for position in range(start, stop, step)]
        first = start // width
        rows = zip(*(column[first : -(-stop // width)] for column in self._columns), strict=True)
        return [value for row in rows for value in row][start - first * width : stop - first * width]


class _Repeated(Sequence[T]):
    """A sequence with every value several times in a row."""

    def __init__(self, values: Sequence[T], times: int) -> None:
        self._values = values
        self._times = times

    def __len__(self) -> int:
        return self._times * len(self._values)

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> list[T]: ...

    def __getitem__(self, index: int | slice) -> T | list[T]:
        if not isinstance(index, slice):
            return self._values[range(len(self))[index] // self._times]
        start, stop, step = index.indices(len(self))
        first = start // self._times
        values = self._values[first : -(-stop // self._times)]
        return [values[position // self._times - first] for position in range(start, stop, step)]


class _Numbers(Sequence[str]):
    """The numbers from 1 on, as words."""

    def __init__(self, n: int) -> None:
        self._numbers = range(1, n + 1)

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        found = self._numbers[index]
        return str(found) if isinstance(found, int) else [str(number) for number in found]
