"""Whether hypotheses and references have the form that metrics take; if not, what to do about it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NoReturn

from textassay.errors import DataError, UsageError

_FORM = "give one list of references for each hypothesis: [[ref, …], [ref, …], …]"


class Checker:
    """Checks the segments of one kind; `rows` are names for the hypotheses, shown in messages."""

    def __init__(self, kind: str, value_type: type, rows: Sequence[str] | None) -> None:
        self._kind = kind
        self._type = value_type
        self._rows = rows

    def segments(self, hypotheses: Any, references: Any) -> tuple[list[Any], list[list[Any]]]:
        """Both as lists.

        Raises:
            UsageError: they do not have the form of one list of references for each hypothesis.
            DataError: a value or a reference is missing; the message names the row.
        """
        hyps = self._listed("hypotheses", hypotheses, f"give a list, one {self._kind} a segment")
        outer = self._listed("references", references, _FORM)
        self._check_outer(len(hyps), outer)
        if self._rows is not None and len(self._rows) != len(hyps):
            raise UsageError(f"{len(self._rows)} row names for {len(hyps)} hypotheses; give one each")
        if not self._all_of_type(hyps):
            self._refuse((f"hypotheses[{row}]", row, value) for row, value in enumerate(hyps))
        inner = [self._references(row, each) for row, each in enumerate(outer)]
        if not self._all_of_type(chain.from_iterable(inner)):
            self._refuse(
                (f"references[{row}][{position}]", row, value)
                for row, each in enumerate(inner)
                for position, value in enumerate(each)
            )
        return hyps, inner

    def _all_of_type(self, values: Iterable[Any]) -> bool:
        return all(issubclass(kind, self._type) for kind in set(map(type, values)))

    def _listed(self, name: str, values: Any, remedy: str) -> list[Any]:
        """Any iterable but a string or a mapping, which would be taken apart into what nobody meant."""
        if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
            raise UsageError(f"{name} is {_seen(values)}; {remedy}")
        return list(values)

    def _check_outer(self, n: int, outer: list[Any]) -> None:
        if outer and all(isinstance(each, self._type) for each in outer):
            remedy = "with one reference each, give [[ref] for ref in references]"
            raise UsageError(f"references is a flat list (it begins with {_seen(outer[0])}); {remedy}")
        if len(outer) == n:
            return
        if outer and all(hasattr(each, "__len__") and len(each) == n for each in outer):
            raise UsageError(
                f"references look transposed: {len(outer)} lists of {n} for {n} hypotheses; one list a reference set "
                "becomes one list a hypothesis by list(zip(*references))"
            )
        raise UsageError(f"{n} hypotheses but {len(outer)} lists of references; {_FORM}")

    def _references(self, row: int, values: Any) -> list[Any]:
        if type(values) is list and values:  # the usual case, a million times
            return values
        place = f"references[{row}]{self._named(row)}"
        if _missing(values):
            raise DataError(f"{place}: no reference ({values}); give at least one, or leave the row out")
        each = self._listed(place, values, _FORM)
        if not each:
            raise DataError(f"{place}: no reference (an empty list); give at least one, or leave the row out")
        return each

    def _refuse(self, values: Iterable[tuple[str, int, Any]]) -> NoReturn:
        """Name the first value of a wrong type; there is one."""
        place, row, value = next(each for each in values if not isinstance(each[2], self._type))
        where = place + self._named(row)
        if _missing(value):
            raise DataError(f"{where}: missing ({value}); give its {self._kind}, or leave the row out")
        raise UsageError(f"{where} is {_seen(value)}; it must be a {self._kind} ({self._type.__name__})")

    def _named(self, row: int) -> str:
        return f" ({self._rows[row]})" if self._rows is not None else ""


def _missing(value: Any) -> bool:
    """None, or what data frames put in an empty cell."""
    is_nan = isinstance(value, float) and math.isnan(value)
    return value is None or is_nan or type(value).__name__ in ("NAType", "NaTType")


def _seen(value: Any) -> str:
    shown = repr(value)
    return f"{type(value).__name__} {shown if len(shown) <= 60 else shown[:57] + '…'}"
