"""Stores of the small study as each release left them: one dump per revision of the tables, kept in `tests/golden/`.

A dump holds what its revision can hold of one and the same content: participants in every status and a simulated one,
changed and late answers, pages that were opened, invitations, settings and secrets. Whoever adds a revision adds to
`content` what is new in it, and writes its dump, once; the dumps of earlier revisions are never written again:

    python tests/support/old_stores.py 0006
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import sqlalchemy
from alembic import command
from alembic.config import Config
from small_study import write_small_study
from sqlalchemy import Boolean, Connection, DateTime, MetaData

from textassay.answers.database import connect
from textassay.study.load import load_study
from textassay.study.planning import stored_plan

GOLDEN = Path(__file__).parents[1] / "golden"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
TABLES = ("participants", "answers", "openings", "invitations", "settings", "secrets")
Rows = dict[str, list[dict[str, Any]]]


def dump_of(revision: str) -> Path:
    """The file with the store as that revision has it."""
    return GOLDEN / f"store_{revision}.sql"


def load_dump(revision: str, url: str) -> None:
    """Make the store of that revision at an address: from the dump itself in SQLite, from its rows in PostgreSQL."""
    text = dump_of(revision).read_text(encoding="utf-8")
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            connection.executescript(text)
        return
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(text)
        connection.row_factory = sqlite3.Row
        there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        rows = {table: [dict(row) for row in connection.execute(f"SELECT * FROM {table}")] for table in there}
    _make(revision, url, {table: rows[table] for table in TABLES if table in rows})


def write_dump(revision: str) -> None:
    """Write the dump of a revision."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.db"
        _make(revision, f"sqlite:///{path.as_posix()}", content())
        with closing(sqlite3.connect(path)) as connection:
            dump_of(revision).write_text("\n".join(connection.iterdump()) + "\n", encoding="utf-8")


def _make(revision: str, url: str, rows: Rows) -> None:
    """Run the real steps up to a revision, then insert what it can hold of the rows."""
    opened = connect(url)
    with opened.writer.begin() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", "textassay.answers:migrations")
        config.set_main_option("path_separator", "os")
        command.upgrade(config, revision)
        _insert(connection, rows)
    opened.dispose()


def _insert(connection: Connection, rows: Rows) -> None:
    known = MetaData()
    known.reflect(connection)
    for table in known.sorted_tables:  # those that are referred to come first
        if rows.get(table.name):
            connection.execute(table.insert(), [_fitting(table, row) for row in rows[table.name]])


def _fitting(table: sqlalchemy.Table, row: dict[str, Any]) -> dict[str, Any]:
    return {column.name: _value(column, row[column.name]) for column in table.columns if column.name in row}


def _value(column: sqlalchemy.Column[Any], value: Any) -> Any:
    if value is None:
        return None
    if isinstance(column.type, Boolean):
        return bool(value)
    if isinstance(column.type, DateTime):
        moment = datetime.fromisoformat(value) if isinstance(value, str) else value
        aware = bool(getattr(column.type, "timezone", False))
        return moment.replace(tzinfo=UTC if aware else None)
    return value


# --- the content ------------------------------------------------------------------------------------------------------


def content() -> Rows:
    """All rows, with every column of the newest revision."""
    with tempfile.TemporaryDirectory() as folder:
        plan = stored_plan(load_study(write_small_study(Path(folder))))
    people = [
        # code, slot, status, valid, minutes until completed, external id
        ("p-first2", 1, "completed", True, 10, "5f3c"),
        ("p-again3", 1, "completed", True, 20, "77aa"),
        ("p-unfit4", 2, "completed", False, 30, None),
        ("p-under5", 3, "active", True, None, "Ada Lovelace"),
        ("p-leave6", 4, "withdrawn", True, None, None),
        ("p-bared7", 5, "excluded", True, None, "9b1d"),
        ("p-robot8", 6, "completed", True, 40, None),
        ("p-empty9", 2, "active", True, None, None),
    ]
    rows: Rows = {table: [] for table in TABLES}
    for number, (code, slot, status, valid, minutes, external_id) in enumerate(people, 1):
        rows["participants"].append(
            {
                "id": number,
                "code": code,
                "token_hash": f"{number:064x}",
                "cohort": "",
                "slot": slot,
                "status": status,
                "valid": valid,
                "started_at": NOON + timedelta(minutes=number),
                "last_seen_at": NOON + timedelta(minutes=number + 5, microseconds=250),
                "completed_at": None if minutes is None else NOON + timedelta(minutes=minutes),
                "external_id": external_id,
                "platform_study": "the-hit" if external_id else None,
                "platform_session": f"session-{number}" if external_id else None,
                "platform_return": "https://platform.example/submit" if external_id else None,
                "simulated": code == "p-robot8",
                "version": number,
                "released_at": NOON + timedelta(minutes=50) if code == "p-empty9" else None,
            }
        )
        if code != "p-empty9":
            pages = [trial.key for trial in plan.slot(slot).trials]
            _answers(rows, number, code, pages if status == "completed" else pages[: {"active": 4}.get(status, 0)])
    rows["invitations"] = [
        {"name": "Ada Lovelace", "cohort": "", "token_hash": f"{4:064x}", "created_at": NOON},
        {"name": "Grace Hopper", "cohort": "", "token_hash": "0" * 64, "created_at": NOON},
    ]
    rows["settings"] = [{"name": "recruiting-paused", "value": "true"}]
    names = ("join", "board", "email", "invited", "platform", "media")
    rows["secrets"] = [{"name": name, "value": f"secret-of-{name}"} for name in names]
    return rows


def _answers(rows: Rows, number: int, code: str, trials: list[str]) -> None:
    """Consent, a questionnaire that was changed, trials; the second trial changed, the third also answered too late."""
    native = '"no"' if code == "p-bared7" else '"yes"'
    email = f'{{"hash":"{number:032x}","plausible":true,"elsewhere":[]}}'
    form = f'{{"native":{native},"age":%d,"job":"Gärtnerin, \\"frei\\"","email":{email}}}'
    given = [("consent", 0, '{"agreed":true}'), ("questionnaire", 0, form % 33), ("questionnaire", 1, form % 34)]
    for place, page in enumerate(trials):
        rating = '{"ratings":{"clarity":%d,"fluency":%d},"comment":"=%d, schön"}'
        given.append((page, 0, rating % (1 + (place + number) % 7, 10 * (place % 10), place)))
        if place == 1:
            given.append((page, 1, rating % (5, 55, 100 + place)))
        if place == 2:
            given.append((page, -1, rating % (6, 66, 200 + place)))
    client = '{"simulated":true}' if code == "p-robot8" else '{"pointer":"fine","age_ms":20}'
    for place, (page, revision, payload) in enumerate(given):
        received = NOON + timedelta(minutes=number, seconds=10 * place)
        rows["answers"].append(
            {
                "id": len(rows["answers"]) + 1,
                "participant_id": number,
                "page": page,
                "revision": revision,
                "answer_id": f"{code}-{place}",
                "payload": payload,
                "started_at": None if place == 0 else received - timedelta(seconds=9),
                "answered_at": received - timedelta(seconds=1, milliseconds=125),
                "rt_ms": None if place == 0 else 7875.5,
                "client": client,
                "received_at": received,
            }
        )
        if revision == 0:
            opened = received - timedelta(seconds=9, milliseconds=500)
            rows["openings"].append({"participant_id": number, "page": page, "opened_at": opened})
    rows["openings"].append({"participant_id": number, "page": "quality-unseen", "opened_at": NOON})


if __name__ == "__main__":
    for asked in sys.argv[1:]:
        write_dump(asked)
