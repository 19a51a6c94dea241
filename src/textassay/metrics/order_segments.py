"""Segments whose values are orders: lists of unit ids."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.metrics.segment_checks import Checker
from textassay.metrics.segments import Segments
from textassay.ordering.orders import Alignment, Units, align

Rows = npt.NDArray[np.int64]


class ListOfUnits(tuple[Hashable, ...]):
    """An order, told apart from a list of references."""

    __slots__ = ()


@dataclass(frozen=True, eq=False)
class OrderSegments(Segments[ListOfUnits]):
    """Orders, each with its reference orders; lists of unit ids in all places."""

    kind: ClassVar[str] = "order"
    value_type: ClassVar[type] = ListOfUnits

    rows: Sequence[str] | None = field(default=None, repr=False)
    """Names for the orders, shown in messages."""
    _aligned: dict[Units, list[Alignment]] = field(default_factory=dict, init=False, repr=False)
    _grouped: dict[Units, dict[int, tuple[Rows, Rows]]] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def checked(cls, hypotheses: Any, references: Any, rows: Sequence[str] | None = None) -> Self:
        """See `Segments.checked`."""
        if _is_list(hypotheses):
            hypotheses = [_order(value) for value in hypotheses]
        if _is_list(references):
            references = [_order(row) if _looks_like_order(row) else _references(row) for row in references]
        names = None if rows is None else list(rows)
        return cls(*Checker(cls.kind, cls.value_type, rows).segments(hypotheses, references), names)

    @classmethod
    def listed_references(cls, hypothesis: Any, references: Any) -> list[Any]:
        """See `Segments.listed_references`."""
        return [references] if _looks_like_order(references) else super().listed_references(hypothesis, references)

    def named(self, rows: Sequence[str]) -> Self:
        """See `Segments.named`."""
        return type(self)(self.hypotheses, self.references, rows)

    def alignments(self, units: Units) -> list[Alignment]:
        """Each order seen from each of its references, flat; made once for all metrics that ask for the same.

        Raises:
            DataError: units that differ where they must be the same; the message names the order.
        """
        if units not in self._aligned:
            self._aligned[units] = [
                self._align(row, reference, units) for row in range(len(self)) for reference in self.references[row]
            ]
        return self._aligned[units]

    def groups(self, units: Units) -> dict[int, tuple[Rows, Rows]]:
        """Number of units → the comparisons with that number, and their places, shape (comparisons, units)."""
        if units not in self._grouped:
            found = self.alignments(units)
            rows: dict[int, list[int]] = {}
            for row, alignment in enumerate(found):
                rows.setdefault(alignment.n, []).append(row)
            self._grouped[units] = {
                n: (np.array(its), np.array([found[row].places for row in its])) for n, its in rows.items()
            }
        return self._grouped[units]

    def coverage(self, units: Units) -> npt.NDArray[np.float64]:
        """Share of the reference's units that the order has, in each comparison."""
        return np.array([each.coverage for each in self.alignments(units)], dtype=np.float64)

    def sizes(self, units: Units, *, missing: bool) -> npt.NDArray[np.float64]:
        """Units in each comparison: those that both have, and on request those that the order lacks."""
        found = self.alignments(units)
        return np.array([each.n + missing * len(each.missing) for each in found], dtype=np.float64)

    def of_hypothesis(self) -> list[slice]:
        """Which of the flat comparisons are each order's."""
        return [slice(start, end) for start, end in pairwise(self.first_reference.tolist())]

    def take(self, rows: Sequence[int]) -> Self:
        """Some of the segments."""
        names = None if self.rows is None else [self.rows[row] for row in rows]
        return type(self)([self.hypotheses[row] for row in rows], [self.references[row] for row in rows], names)

    def chunks(self, size: int) -> Iterator[Self]:
        """The segments in portions of at most `size`."""
        for start in range(0, len(self), size):
            part = slice(start, start + size)
            yield type(self)(self.hypotheses[part], self.references[part], self.rows[part] if self.rows else None)

    def _align(self, row: int, reference: ListOfUnits, units: Units) -> Alignment:
        try:
            return align(self.hypotheses[row], reference, units=units)
        except DataError as error:
            # A name stays the same in every chunk, a number does not.
            place = f"hypotheses[{row}]" if self.rows is None else self.rows[row]
            raise DataError(f"{place}: {error}") from None


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple, np.ndarray))


def _looks_like_order(value: Any) -> bool:
    """Whether this is a list of units and not a list of orders."""
    return _is_list(value) and len(value) > 0 and all(isinstance(part, (str, int, np.integer)) for part in value)


def _order(value: Any) -> Any:
    if not _is_list(value):
        return value
    return ListOfUnits(value.tolist() if isinstance(value, np.ndarray) else value)


def _references(row: Any) -> Any:
    return [_order(value) for value in row] if _is_list(row) else row
