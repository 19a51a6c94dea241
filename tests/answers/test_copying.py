"""Two stores hold the same if all their rows are the same, in whatever order."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import insert

from textassay.answers.copying import contents
from textassay.answers.database import connect, migrate
from textassay.answers.schema import secrets

ROWS = [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}, {"name": "C", "value": "3"}]


def digest(path: Path, rows: list[dict[str, str]]) -> object:
    with connect(f"sqlite:///{path.as_posix()}") as engines:
        migrate(engines)
        with engines.writer.begin() as connection:
            connection.execute(insert(secrets), rows)
            return contents(connection)["secrets"]


def test_order_makes_no_difference_and_every_value_does(tmp_path: Path) -> None:
    wanted = digest(tmp_path / "1.db", ROWS)
    assert digest(tmp_path / "2.db", ROWS[::-1]) == wanted
    assert digest(tmp_path / "3.db", [*ROWS[:2], {"name": "C", "value": "4"}]) != wanted
    swapped = [{"name": "a", "value": "2"}, {"name": "b", "value": "1"}, ROWS[2]]
    assert digest(tmp_path / "4.db", swapped) != wanted
