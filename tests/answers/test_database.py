from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest
import sqlalchemy
from sqlalchemy.exc import OperationalError

from textassay.answers.database import Engines, connect, reason
from textassay.errors import StoreError


def sqlite(path: Path) -> Engines:
    return connect(f"sqlite:///{path.as_posix()}")


def pragma(engine: sqlalchemy.Engine, name: str) -> object:
    with engine.connect() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


def test_sqlite_keeps_what_was_committed(tmp_path: Path) -> None:
    opened = sqlite(tmp_path / "a.db")
    for engine in (opened.reader, opened.writer):
        # https://www.sqlite.org/pragma.html: synchronous 2 is FULL
        assert pragma(engine, "journal_mode") == "wal"
        assert pragma(engine, "synchronous") == 2
        assert pragma(engine, "foreign_keys") == 1
        assert pragma(engine, "fullfsync") == 1
        assert int(str(pragma(engine, "busy_timeout"))) >= 10_000
    opened.dispose()


def test_writer_takes_the_lock_when_it_begins(tmp_path: Path) -> None:
    one, two = sqlite(tmp_path / "a.db"), sqlite(tmp_path / "a.db")
    with one.writer.begin(), two.reader.connect() as second:
        second.exec_driver_sql("PRAGMA busy_timeout=0")
        with pytest.raises(OperationalError, match="locked"):
            second.exec_driver_sql("BEGIN IMMEDIATE")
    one.dispose()
    two.dispose()


@pytest.mark.postgres
def test_writers_of_postgresql_come_one_after_the_other(postgres_database: str) -> None:
    one, two = connect(postgres_database), connect(postgres_database)
    with one.writer.begin(), two.reader.connect() as second:
        waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted"
        assert second.exec_driver_sql(waiting).scalar() == 1
    with one.reader.connect() as first:
        assert first.exec_driver_sql(waiting).scalar() == 0
    one.dispose()
    two.dispose()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_new_file_is_for_its_owner_only(tmp_path: Path) -> None:
    opened = sqlite(tmp_path / "a.db")
    with opened.writer.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE t (x)")
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    opened.dispose()
    assert modes == {"a.db": 0o600, "a.db-wal": 0o600, "a.db-shm": 0o600}


def test_permissions_of_a_file_that_is_there_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.touch(0o640)
    before = path.stat().st_mode
    sqlite(path).dispose()
    assert path.stat().st_mode == before


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("answers.db", "not the address of a database; write sqlite:///path/to/answers.db or postgresql://"),
        ("", "not the address of a database"),
        ("mysql://host/db", "'mysql' is not a supported database"),
        ("nosuch://host/db", "'nosuch' is not a supported database"),
        ("sqlite://", "a database in memory would lose the answers; give the path of a file"),
        ("sqlite:///:memory:", "a database in memory would lose the answers"),
    ],
)
def test_wrong_address(address: str, message: str) -> None:
    with pytest.raises(StoreError) as error:
        connect(address)
    assert message in str(error.value)


def test_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be created"):
        sqlite(tmp_path / "none" / "a.db")


def test_password_is_in_no_message() -> None:
    pytest.importorskip("psycopg")
    opened = connect("postgresql://me:geheim@localhost/db")
    assert "geheim" not in opened.name
    assert opened.writer.url.drivername == "postgresql+psycopg"
    assert "geheim" not in repr(opened)
    opened.dispose()


def test_missing_driver_names_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"install textassay\[postgres\]"):
        connect("postgresql://localhost/db")


def test_reason_shows_no_values() -> None:
    engine = sqlalchemy.create_engine("sqlite://")
    with engine.connect() as connection, pytest.raises(OperationalError) as error:
        connection.execute(sqlalchemy.text("SELECT :secret FROM nowhere"), {"secret": "geheim"})
    engine.dispose()
    assert reason(error.value) == "no such table: nowhere"


def test_umask_does_not_matter(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        sqlite(tmp_path / "a.db").dispose()
    finally:
        os.umask(before)
    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / "a.db").stat().st_mode) == 0o600
