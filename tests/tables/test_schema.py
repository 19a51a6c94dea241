from __future__ import annotations

import pytest

from textassay.tables.schema import JUDGEMENTS, TABLES, TableSchema


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES.keys())
def test_tables_are_declared_soundly(table: TableSchema) -> None:
    names = [column.name for column in table.columns]
    assert len(names) == len(set(names))
    assert all(column.description for column in table.columns)
    assert set(table.key) <= set(names)
    assert not any(column.undefined and not column.required for column in table.columns)


def test_a_column_is_found_by_its_name() -> None:
    assert JUDGEMENTS.column("value") == JUDGEMENTS.columns[4]
    assert JUDGEMENTS.column("colour") is None
