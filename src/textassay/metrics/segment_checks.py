"""What is given as hypotheses, references and sources, checked: what is wrong is named with its place and a remedy."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NoReturn

from textassay.errors import DataError, UsageError
from textassay.kernels.texts import are_strings
from textassay.text_block import OneEach

_FORM = "give one list of references for each hypothesis: [[ref, …], [ref, …], …]"


class Checker:
    """Checks the segments of one kind; `rows` are names for the hypotheses, shown in messages."""

    def __init__(self, kind: str, value_type: type, rows: Sequence[str] | None) -> None:
        self._kind = kind
        self._type = value_type
        self._rows = rows

    def segments(self, hypotheses: Any, references: Any) -> tuple[list[Any], Sequence[list[Any]]]:
        """Both as lists; where each hypothesis has one reference, that need not be in a list of its own.

        Raises:
            UsageError: they do not have the form of one reference, or a list of some, for each hypothesis.
            DataError: a value or a reference is missing; the message names the row.
        """
        hyps = self._listed("hypotheses", hypotheses, f"give a list, one {self._kind} per segment")
        outer = self._listed("references", references, _FORM)
        alone = self._begin_with_value(outer)
        self._check_outer(len(hyps), outer, alone=alone)
        if self._rows is not None and len(self._rows) != len(hyps):
            raise UsageError(f"{len(self._rows)} row names for {len(hyps)} hypotheses; give one each")
        if not self._all_of_type(hyps):
            self._refuse((f"hypotheses[{row}]", row, value) for row, value in enumerate(hyps))
        if alone:
            if not self._all_of_type(outer):
                self._refuse((f"references[{row}]", row, value) for row, value in enumerate(outer))
            return hyps, OneEach(outer) if self._type is str else [[each] for each in outer]
        lists = set(map(type, outer)) == {list}  # a million times, without a call for each
        if lists and self._type is str and (ones := _only_ones(outer)) is not None and self._all_of_type(ones):
            return hyps, OneEach(ones)
        inner = outer if lists and all(outer) else [self._references(row, each) for row, each in enumerate(outer)]
        if not self._all_of_type(list(chain.from_iterable(inner))):
            self._refuse(
                (f"references[{row}][{position}]", row, value)
                for row, each in enumerate(inner)
                for position, value in enumerate(each)
            )
        return hyps, inner

    def references(self, references: Any) -> list[Any]:
        """The references of a single hypothesis as a list.

        Raises:
            UsageError: they are no list.
            DataError: there is none.
        """
        if type(references) is list and references:  # the usual case
            return references
        if _missing(references):
            raise DataError(f"no reference ({references}); give one {self._kind}, or several in a list")
        each = self._listed("references", references, f"give one {self._kind}, or several in a list")
        if not each:
            raise DataError(f"no reference (an empty list); give one {self._kind}, or several in a list")
        return each

    def one(self, hypothesis: Any, references: Any) -> list[Any]:
        """The references of one hypothesis as a list, which may be given as one value.

        Raises:
            UsageError: the hypothesis or a reference is of another kind.
            DataError: one is missing.
        """
        each = [references] if isinstance(references, self._type) else self.references(references)
        if not (isinstance(hypothesis, self._type) and self._all_of_type(each)):
            places = [("hypothesis", 0, hypothesis)]
            self._refuse([*places, *((f"references[{place}]", 0, value) for place, value in enumerate(each))])
        return each

    def sources(self, sources: Any, n: int) -> list[Any]:
        """The sources as a list, one for each of n hypotheses.

        Raises:
            UsageError: they are no such list.
            DataError: one is missing; the message names the row.
        """
        found = self._listed("sources", sources, f"give a list, one {self._kind} per hypothesis")
        if len(found) != n:
            raise UsageError(f"{n} hypotheses but {len(found)} sources; give one for each")
        if not self._all_of_type(found):
            self._refuse((f"sources[{row}]", row, value) for row, value in enumerate(found))
        return found

    def _all_of_type(self, values: Iterable[Any]) -> bool:
        if self._type is str and isinstance(values, list) and are_strings(values):  # the usual case
            return True
        return all(issubclass(kind, self._type) for kind in set(map(type, values)))

    def _listed(self, name: str, values: Any, remedy: str) -> list[Any]:
        """Any iterable but a string or a mapping, which would be split into characters or keys."""
        if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
            raise UsageError(f"{name} is {_seen(values)}; {remedy}")
        return list(values)

    def _begin_with_value(self, outer: list[Any]) -> bool:
        """Whether the first of them that is not missing is a reference itself, and no list of references."""
        return isinstance(next((each for each in outer if not _missing(each)), None), self._type)

    def _check_outer(self, n: int, outer: list[Any], *, alone: bool) -> None:
        if len(outer) == n:
            return
        if alone:
            raise UsageError(
                f"{n} hypotheses but {len(outer)} references; give one for each, or a list of them for each"
            )
        if outer and all(hasattr(each, "__len__") and len(each) == n for each in outer):
            raise UsageError(
                f"references look transposed: {len(outer)} lists of {n} for {n} hypotheses; one list per reference set "
                "becomes one list per hypothesis by list(zip(*references))"
            )
        raise UsageError(f"{n} hypotheses but {len(outer)} lists of references; {_FORM}")

    def _references(self, row: int, values: Any) -> list[Any]:
        if type(values) is list and values:
            return values
        place = f"references[{row}]{self._named(row)}"
        if _missing(values):
            raise DataError(f"{place}: no reference ({values}); give at least one, or remove the row")
        each = self._listed(place, values, _FORM)
        if not each:
            raise DataError(f"{place}: no reference (an empty list); give at least one, or remove the row")
        return each

    def _refuse(self, values: Iterable[tuple[str, int, Any]]) -> NoReturn:
        """Name the first value of a wrong type; there is one."""
        place, row, value = next(each for each in values if not isinstance(each[2], self._type))
        where = place + self._named(row)
        if _missing(value):
            raise DataError(f"{where}: missing ({value}); give its {self._kind}, or remove the row")
        raise UsageError(f"{where} is {_seen(value)}; it must be a {self._kind} ({self._type.__name__})")

    def _named(self, row: int) -> str:
        return f" ({self._rows[row]})" if self._rows is not None else ""


def _only_ones(lists: list[list[Any]]) -> list[Any] | None:
    """What is in each list, if that is one value."""
    try:
        return [value for (value,) in lists]
    except ValueError:
        return None


def _missing(value: Any) -> bool:
    """None, or what data frames put in an empty cell."""
    is_nan = isinstance(value, float) and math.isnan(value)
    return value is None or is_nan or type(value).__name__ in ("NAType", "NaTType")


def _seen(value: Any) -> str:
    shown = repr(value)
    return f"{type(value).__name__} {shown if len(shown) <= 60 else shown[:57] + '…'}"
