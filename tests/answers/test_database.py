from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import stat
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from textassay.answers import store
from textassay.answers.database import Engines, connect, exists, migrate, reason
from textassay.answers.schema import METADATA
from textassay.answers.store import PlacesTaken, Store
from textassay.errors import StoreError


def sqlite(path: Path) -> Engines:
    return connect(f"sqlite:///{path.as_posix()}")


def pragma(engine: sqlalchemy.Engine, name: str) -> object:
    with engine.connect() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


@pytest.fixture(autouse=True)
def _tables_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here, `Store.open` makes the tables of a new store; elsewhere it finds copies of them."""
    monkeypatch.setattr(store, "connect", connect)


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
def test_writers_of_postgresql_come_one_after_the_other(empty_postgres_database: str) -> None:
    one, two = connect(empty_postgres_database), connect(empty_postgres_database)
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
        ("answers.db", "not the address of a database; write postgresql://user@host/database or sqlite:///path/to"),
        ("", "not the address of a database"),
        ("mysql://host/db", "'mysql' is not a supported database"),
        ("nosuch://host/db", "'nosuch' is not a supported database"),
        ("sqlite://", "a database in memory would lose the answers; write sqlite:///path/to/answers.db"),
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
    assert reason(SQLAlchemyError("of its own\nand more")) == "of its own"


def test_umask_does_not_matter(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        sqlite(tmp_path / "a.db").dispose()
    finally:
        os.umask(before)
    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / "a.db").stat().st_mode) == 0o600


NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
GOLDEN = Path(__file__).parents[1] / "golden" / "answers_0001.sql"


def sqlite_migrate(path: Path) -> str:
    return f"sqlite:///{path.as_posix()}"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgresql":
        return str(request.getfixturevalue("empty_postgres_database"))
    return sqlite_migrate(tmp_path / "answers.db")


def test_steps_make_what_the_schema_says(url: str) -> None:
    opened = connect(url)
    migrate(opened)
    with opened.reader.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "target_metadata": METADATA})
        assert compare_metadata(context, METADATA) == []
    opened.dispose()


def test_steps_are_one_line_and_have_all_names(tmp_path: Path) -> None:
    config = Config()
    config.set_main_option("script_location", "textassay.answers:migrations")
    config.set_main_option("path_separator", "os")
    scripts = ScriptDirectory.from_config(config)
    steps = [script.revision for script in scripts.walk_revisions()][::-1]
    assert steps == [f"{number:04}" for number in range(1, len(steps) + 1)]
    assert scripts.get_heads() == [steps[-1]]


def test_newer_layout_is_refused_and_left_alone(url: str) -> None:
    with Store.open(url) as store:
        secret = store.secret("join")
    raw = sqlalchemy.create_engine(connect(url).writer.url)
    with raw.begin() as connection:
        ours = connection.execute(sqlalchemy.text("SELECT version_num FROM alembic_version")).scalar()
        connection.execute(sqlalchemy.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match=r"made by a newer release \(schema 9999\); install that release"):
        Store.open(url)
    with raw.begin() as connection:
        assert connection.execute(sqlalchemy.text("SELECT value FROM secrets")).scalar() == secret
        connection.execute(sqlalchemy.text("UPDATE alembic_version SET version_num = :ours"), {"ours": ours})
    raw.dispose()
    with Store.open(url) as store:
        assert store.secret("join") == secret


def made_by_the_first_layout(url: str) -> None:
    """A store as the first layout had it, with what three answers of two people left in it.

    The dump was written by `sqlite3` from a file that the code of that time had made.
    """
    dump = GOLDEN.read_text(encoding="utf-8")
    if url.startswith("sqlite"):
        with contextlib.closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            connection.executescript(dump)
        return
    opened = connect(url)
    with opened.writer.begin() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", "textassay.answers:migrations")
        config.set_main_option("path_separator", "os")
        command.upgrade(config, "0001")
        inserted = [line for line in dump.splitlines() if line.startswith("INSERT") and "alembic" not in line]
        # Its participants must stand there before their answers.
        for line in sorted(inserted, key=lambda line: "participants" not in line):
            told = re.sub(r"(,'(?:completed|active)',)1,", r"\1true,", line)
            connection.exec_driver_sql(re.sub(r"'(2026-[^']+)'", r"'\1+00:00'", told).replace("%", "%%"))
    opened.dispose()


def test_store_of_the_first_layout_opens_and_keeps_its_rows(url: str) -> None:
    made_by_the_first_layout(url)
    with Store.open(url) as store:
        assert store.secret("join") == "the-link-of-this-study"
        first, second = store.participants()
        assert (first.code, first.slot, first.status, first.counted, first.external_id) == (
            "p-xhjd2z", 1, "completed", True, "5f3c"
        )  # fmt: skip
        assert (second.code, second.slot, second.status, second.started_at) == (
            "p-swvfr7", 2, "active", NOON + timedelta(minutes=1)
        )  # fmt: skip
        given = [(number, answer.answer_id, answer.revision) for number, answer in store.all_answers(revisions=True)]
        assert given == [(1, "first-0", 0), (1, "first-1", 1), (2, "other", 0)]
        latest = store.answers(1)["quality-1"]
        assert latest.payload == {"ratings": {"clarity": 5}, "comment": 'grün, "so"'}
        assert (latest.rt_ms, latest.client, latest.received_at) == (
            3000.5, {"pointer": "fine"}, NOON + timedelta(seconds=5)
        )  # fmt: skip
        assert latest.opened_at is None  # nobody had noted it
        assert store.opened(2, "quality-2", NOON + timedelta(minutes=3)) == NOON + timedelta(minutes=3)
        assert (first.platform_session, store.recruiting.paused(), store.recruiting.invitations()) == (None, False, [])
        store.recruiting.pause()
        store.recruiting.invite(["Ada"], cohort="", now=NOON)
    with Store.open(url) as store:  # and once more, now that it has the new layout
        assert store.recruiting.paused()
        assert [each.name for each in store.recruiting.invitations()] == ["Ada"]
        assert len(list(store.all_answers(revisions=True))) == 3


def test_who_was_simulated_follows_from_earlier_answers(url: str) -> None:
    """Person 2 was simulated; person 3 left before the first answer, so nothing tells whether that was a person."""
    made_by_the_first_layout(url)
    opened = connect(url)
    with opened.writer.begin() as connection:
        client = '{"simulated":true,"age_ms":20}'
        connection.execute(sqlalchemy.text("UPDATE answers SET client = :said WHERE id = 3"), {"said": client})
        columns = "code, token_hash, cohort, slot, status, valid, started_at, last_seen_at"
        copied = "'p-third', 'third', cohort, 3, status, valid, started_at, last_seen_at"
        connection.execute(
            sqlalchemy.text(
                f"INSERT INTO participants (id, {columns}) SELECT 3, {copied} FROM participants WHERE id = 2"
            )
        )
    opened.dispose()
    with Store.open(url) as store:
        assert [person.simulated for person in store.participants()] == [False, True, False]
        assert store.set_simulated(3).simulated
        assert [person.simulated for person in store.participants()] == [False, True, True]


def test_slots_of_an_earlier_layout_are_counted_and_old_links_of_cohorts_stay_open(url: str) -> None:
    made_by_the_first_layout(url)
    opened = connect(url)
    with opened.writer.begin() as connection:
        connection.execute(sqlalchemy.text("UPDATE participants SET cohort = 'lay'"))
        if connection.dialect.name == "postgresql":  # the rows were inserted with their numbers
            connection.execute(sqlalchemy.text("SELECT setval(pg_get_serial_sequence('participants', 'id'), 2)"))
    opened.dispose()
    rules: dict[str, Any] = {"cohort": "lay", "release_after": timedelta(hours=1), "margin": 0}
    with Store.open(url) as store:
        assert store.recruiting.old_links_open()
        with pytest.raises(PlacesTaken):  # slot 1 is filled, and the second participant was seen a minute ago
            store.join([1, 2], now=NOON + timedelta(minutes=2), **rules)
        assert store.join([1, 2], now=NOON + timedelta(hours=2), **rules)[0].slot == 2
        store.recruiting.close_old_links()
    with Store.open(url) as store:
        assert not store.recruiting.old_links_open()


def test_old_links_were_never_given_out_in_a_new_store_or_without_cohorts(url: str) -> None:
    made_by_the_first_layout(url)
    with Store.open(url) as store:
        assert not store.recruiting.old_links_open()


def test_a_store_of_simulated_answers_alone_has_simulated_participants_alone(tmp_path: Path) -> None:
    url = sqlite_migrate(tmp_path / "answers.db")
    made_by_the_first_layout(url)
    with contextlib.closing(sqlite3.connect(tmp_path / "answers.db")) as connection:
        connection.execute("""UPDATE answers SET participant_id = 1, page = id, client = '{"simulated":true}'""")
        connection.commit()
    with Store.open(url) as store:
        assert [person.simulated for person in store.participants()] == [True, True]


def test_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    path.write_text("item,system,text\n" * 100)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"opened \(file is not a database\); .* damaged: 'textassay rescue'"):
        Store.open(sqlite_migrate(path))
    assert path.read_bytes() == before


def test_failed_step_leaves_nothing_behind(url: str) -> None:
    """Somebody's own table stands in the way: all steps or none."""
    opened = connect(url)
    with opened.writer.begin() as connection:
        connection.execute(sqlalchemy.text("CREATE TABLE secrets (mine INTEGER)"))
    with pytest.raises(StoreError, match="cannot be opened"):
        migrate(opened)
    with opened.reader.connect() as connection:
        assert sqlalchemy.inspect(connection).get_table_names() == ["secrets"]
    opened.dispose()


def test_server_that_is_not_there() -> None:
    pytest.importorskip("psycopg")
    told = r"postgresql://me@127\.0\.0\.1:1/db: cannot be opened .*refused\); start PostgreSQL, or correct host"
    with pytest.raises(StoreError, match=told):
        Store.open("postgresql://me:geheim@127.0.0.1:1/db")


@pytest.mark.postgres
def test_database_and_user_that_are_not_there(empty_postgres_database: str) -> None:
    known = sqlalchemy.make_url(empty_postgres_database)
    for wrong, remedy in (
        (known.set(database="nowhere"), "create it, for example with 'createdb'"),
        (known.set(username="nobody-known"), "correct the user in the address"),
        (sqlalchemy.make_url("postgresql:///?service=none-of-mine"), "add it to ~/.pg_service.conf"),
    ):
        with pytest.raises(StoreError, match=re.escape(remedy)) as error:
            Store.open(wrong.render_as_string(hide_password=False))
        assert "\n" not in str(error.value)


@pytest.mark.postgres
def test_service_file_says_where_the_database_is(
    empty_postgres_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = sqlalchemy.make_url(empty_postgres_database)
    host = known.query.get("host", known.host)
    lines = f"[study]\nhost={host}\nuser={known.username}\ndbname={known.database}\npassword=geheim\n"
    (tmp_path / "services").write_text(lines, encoding="utf-8")
    monkeypatch.setenv("PGSERVICEFILE", str(tmp_path / "services"))
    with Store.open("postgresql:///?service=study") as store:
        secret = store.secret("join")
    with Store.open(empty_postgres_database) as store:
        assert store.secret("join") == secret


def test_store_is_there_once_it_has_tables(url: str) -> None:
    assert not exists(url)
    Store.open(url).close()
    assert exists(url)


def test_several_databases_at_once(tmp_path: Path) -> None:
    failures: list[BaseException] = []

    def open_one(number: int) -> None:
        try:
            with Store.open(sqlite_migrate(tmp_path / f"{number % 3}.db")) as store:
                store.secret("join")
        except BaseException as error:  # shown below
            failures.append(error)

    threads = [threading.Thread(target=open_one, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_steps_run_from_another_folder_without_any_settings_file(tmp_path: Path) -> None:
    program = "from textassay.answers.store import Store; Store.open('sqlite:///here.db').close()"
    subprocess.run([sys.executable, "-W", "error", "-c", program], cwd=tmp_path, check=True)
    assert (tmp_path / "here.db").stat().st_size > 0
