from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy.dialects import postgresql, sqlite

from textassay.answers.schema import METADATA, UtcTime

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("dialect", [sqlite.dialect(), postgresql.dialect()])
def test_time_comes_back_in_utc(dialect: object) -> None:
    column = UtcTime()
    in_india = NOON.astimezone(timezone(timedelta(hours=5, minutes=30)))
    bound = column.process_bind_param(in_india, dialect)  # type: ignore[arg-type]
    back = column.process_result_value(bound, dialect)  # type: ignore[arg-type]
    assert back == NOON
    assert back is not None
    assert back.tzinfo is UTC
    assert column.process_bind_param(None, dialect) is None  # type: ignore[arg-type]
    assert column.process_result_value(None, dialect) is None  # type: ignore[arg-type]


def test_sqlite_gets_a_time_that_sorts_as_text() -> None:
    later_but_earlier_clock = (NOON + timedelta(minutes=1)).astimezone(timezone(timedelta(hours=-8)))
    column, dialect = UtcTime(), sqlite.dialect()
    first, second = (column.process_bind_param(moment, dialect) for moment in (NOON, later_but_earlier_clock))
    assert str(first) < str(second)


def test_time_without_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="has no time zone"):
        UtcTime().process_bind_param(NOON.replace(tzinfo=None), sqlite.dialect())


def test_every_constraint_has_a_name_that_migrations_can_use() -> None:
    for table in METADATA.tables.values():
        assert all(constraint.name for constraint in table.constraints)
        assert all(index.name for index in table.indexes)
