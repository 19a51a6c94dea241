"""Single values: from what a file holds to what its column is declared to hold."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

from textassay.tables.schema import Kind

_BOOLEANS = {"true": True, "false": False, "yes": True, "no": False, "1": True, "0": False}


class ValueProblem(ValueError):
    """A value does not fit its column; the message says how to mend it."""


def convert(value: Any, kind: Kind) -> Any:
    """The value as its kind.

    >>> convert("3", "integer"), convert("2.5", "number"), convert("yes", "boolean")
    (3, 2.5, True)

    Raises:
        ValueProblem: it cannot be.
    """
    return _CONVERTERS[kind](value)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list)):
        raise ValueProblem(f"a text is needed, got {value!r}; write it as a string")
    return str(value)


def _number(value: Any) -> float | int:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        number = float(value)
    else:
        try:
            number = float(str(value).strip())
        except ValueError:
            hint = "; write the decimal point as '.'" if "," in str(value) else "; write a number"
            raise ValueProblem(f"{value!r} is not a number{hint}") from None
    if not math.isfinite(number):
        raise ValueProblem(f"{value!r} is not a finite number; leave the cell empty where nothing is known")
    return int(number) if number.is_integer() else number


def _integer(value: Any) -> int:
    number = _number(value)
    if not isinstance(number, int):
        raise ValueProblem(f"{value!r} is not a whole number")
    return number


def _boolean(value: Any) -> bool:
    truth = _BOOLEANS.get(str(value).strip().casefold())
    if truth is None:
        raise ValueProblem(f"{value!r} is neither true nor false")
    return truth


def _time(value: Any) -> datetime:
    try:
        moment = datetime.fromisoformat(str(value).strip())
    except ValueError:
        raise ValueProblem(f"{value!r} is not a time; write it as 2026-01-31T09:30:00+00:00") from None
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


_CONVERTERS = {"text": _text, "number": _number, "integer": _integer, "boolean": _boolean, "time": _time}
