"""Whether hypotheses and references have the form that metrics take; if not, what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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
        self._check_values("hypotheses[{}]", range(len(hyps)), hyps)
        inner = [self._references(index, each) for index, each in enumerate(outer)]
        for index, each in enumerate(inner):
            self._check_values(f"references[{index}][{{}}]", [index] * len(each), each)
        return hyps, inner

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
        if outer and all(isinstance(each, Sequence) and len(each) == n for each in outer):
            raise UsageError(
                f"references look transposed: {len(outer)} lists of {n} for {n} hypotheses; one list a reference set "
                "becomes one list a hypothesis by list(zip(*references))"
            )
        raise UsageError(f"{n} hypotheses but {len(outer)} lists of references; {_FORM}")

    def _references(self, index: int, values: Any) -> list[Any]:
        place = f"references[{index}]{self._named(index)}"
        if values is None:
            raise DataError(f"{place}: no reference (None); give at least one, or leave the row out")
        each = self._listed(place, values, _FORM)
        if not each:
            raise DataError(f"{place}: no reference (an empty list); give at least one, or leave the row out")
        return each

    def _check_values(self, place: str, rows: Sequence[int], values: list[Any]) -> None:
        if all(map(self._type.__instancecheck__, values)):
            return
        position, value = next((k, v) for k, v in enumerate(values) if not isinstance(v, self._type))
        where = place.format(position) + self._named(rows[position])
        if value is None or value != value:  # noqa: PLR0124 -- only nan differs from itself
            raise DataError(f"{where}: missing ({value}); give its {self._kind}, or '' for an empty one")
        raise UsageError(f"{where} is {_seen(value)}; it must be a {self._kind} ({self._type.__name__})")

    def _named(self, row: int) -> str:
        return f" ({self._rows[row]})" if self._rows is not None else ""


def _seen(value: Any) -> str:
    shown = repr(value)
    return f"{type(value).__name__} {shown if len(shown) <= 60 else shown[:57] + '…'}"
