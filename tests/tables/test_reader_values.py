from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.tables.reader import UnfitValueError, convert
from textassay.tables.schema import Kind


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ("x", "text", "x"),
        (" x ", "text", " x "),
        (5, "text", "5"),
        (True, "text", "true"),
        (" 3 ", "number", 3),
        ("-2.50", "number", -2.5),
        ("1e3", "number", 1000),
        (".5", "number", 0.5),
        ("12345678901234567891", "integer", 12345678901234567891),  # beyond what a float can hold
        (10**400, "number", 10**400),
        ("4.0", "integer", 4),
        (4.0, "integer", 4),
        ("Yes", "boolean", True),
        (False, "boolean", False),
        (1, "boolean", True),
        ("2026-01-31T09:30:00Z", "time", datetime(2026, 1, 31, 9, 30, tzinfo=UTC)),
        ("2026-01-31 10:30+01:00", "time", datetime(2026, 1, 31, 9, 30, tzinfo=UTC)),
        ("2026-01-31 09:30", "time", datetime(2026, 1, 31, 9, 30, tzinfo=UTC)),
    ],
)
def test_values_as_their_kind(value: Any, kind: Kind, expected: Any) -> None:
    assert convert(value, kind) == expected
    assert type(convert(value, kind)) is type(expected)


@pytest.mark.parametrize(
    ("value", "kind", "message"),
    [
        (["x"], "text", "['x'] is not a text; write it as a string"),
        ("five", "number", "'five' is not a number; write a number"),
        ("1_000", "number", "'1_000' is not a number; write a number"),
        ("٣", "number", "'٣' is not a number; write a number"),
        ("3,5", "number", "'3,5' is not a number; write the decimal point as '.'"),
        ("nan", "number", "'nan' is not a number; leave the cell empty where nothing is known"),
        ("N/A", "number", "'N/A' is not a number; leave the cell empty where nothing is known"),
        ("1e999", "number", "'1e999' is not a finite number; leave the cell empty where nothing is known"),
        (float("inf"), "number", "inf is not a finite number; leave the cell empty where nothing is known"),
        (True, "number", "True is not a number; write a number"),
        ("2.5", "integer", "'2.5' is not a whole number; write one without a fraction"),
        ("maybe", "boolean", "'maybe' is neither true nor false; write one of the two"),
        ("31.1.2026", "time", "'31.1.2026' is not a time; write it as 2026-01-31T09:30:00+00:00"),
        ("0001-01-01T00+14", "time", "'0001-01-01T00+14' is not a time; write it as 2026-01-31T09:30:00+00:00"),
        ("x" * 99, "number", "'" + "x" * 57 + "…' is not a number; write a number"),
    ],
)  # fmt: skip
def test_values_that_do_not_fit(value: Any, kind: Kind, message: str) -> None:
    with pytest.raises(UnfitValueError) as caught:
        convert(value, kind)
    assert str(caught.value) == message


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers())
def test_numbers_survive_being_written(number: float) -> None:
    assert convert(str(number), "number") == number


@given(st.datetimes(timezones=st.just(timezone(timedelta(hours=5)))))
def test_times_survive_being_written(moment: datetime) -> None:
    if moment.year > 1:
        assert convert(moment.isoformat(), "time") == moment
