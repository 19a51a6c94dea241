"""Single values: from what a file holds to what its column is declared to hold."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from typing import Any

from textassay.tables.schema import Kind

_BOOLEANS = {"true": True, "false": False, "yes": True, "no": False, "1": True, "0": False}
# Python's float() would also take 1_000, Arabic digits, and words such as infinity.
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[+-]?[0-9]{1,300}")


class UnfitValueError(ValueError):
    """A value does not fit its column; the message says how to mend it."""


def convert(value: Any, kind: Kind) -> Any:
    """The value as its kind.

    >>> convert("3", "integer"), convert("2.5", "number"), convert("yes", "boolean")
    (3, 2.5, True)

    Raises:
        UnfitValueError: it cannot be.
    """
    return _CONVERTERS[kind](value)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list)):
        raise UnfitValueError(f"a text is needed, got {_shown(value)}; write it as a string")
    return str(value)


def _number(value: Any) -> float | int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    text = str(value).strip()
    if _WHOLE.fullmatch(text):
        return int(text)
    if not isinstance(value, float) and not _NUMBER.fullmatch(text):
        hint = "write the decimal point as '.'" if _NUMBER.fullmatch(text.replace(",", ".", 1)) else "write a number"
        if text.casefold() in ("nan", "na", "n/a", "none", "null", "inf", "infinity", "-", "?"):
            hint = "leave the cell empty where nothing is known"
        raise UnfitValueError(f"{_shown(value)} is not a number; {hint}")
    number = float(text)
    if not math.isfinite(number):
        raise UnfitValueError(f"{_shown(value)} is not a finite number; leave the cell empty where nothing is known")
    return int(number) if number.is_integer() else number


def _integer(value: Any) -> int:
    number = _number(value)
    if not isinstance(number, int):
        raise UnfitValueError(f"{_shown(value)} is not a whole number; write one without a fraction")
    return number


def _boolean(value: Any) -> bool:
    truth = _BOOLEANS.get(str(value).strip().casefold())
    if truth is None:
        raise UnfitValueError(f"{_shown(value)} is neither true nor false; write one of the two")
    return truth


def _time(value: Any) -> datetime:
    try:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(str(value).strip())
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        remedy = "write it as 2026-01-31T09:30:00+00:00"
        raise UnfitValueError(f"{_shown(value)} is not a time; {remedy}") from None


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:58] + "…" + text[-1]


_CONVERTERS = {"text": _text, "number": _number, "integer": _integer, "boolean": _boolean, "time": _time}
