"""What is wrong with a database is told once, with what to do."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from textassay.answers.trouble import FileIdentity, StoreTroubleError, TroubleWatch, kind_of


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("database or disk is full", "disk full"),
        ('could not extend file "base/5/16384": No space left on device', "disk full"),
        ("attempt to write a readonly database", "read-only"),
        ("cannot execute INSERT in a read-only transaction", "read-only"),
        ("database disk image is malformed", "damaged"),
        ("file is not a database", "not a database"),
        ("disk I/O error", "disk error"),
        ("database is locked", "busy"),
        ("connection to server at 127.0.0.1 failed: Connection refused", "unreachable"),
        ("terminating connection due to administrator command", "unreachable"),
        ("unable to open database file", "unreachable"),
        ("the database file was moved away or replaced while it was open", "moved away"),
        ("something that nobody has seen yet", "failing"),
    ],
)
def test_kind_follows_from_what_the_database_says(said: str, expected: str) -> None:
    assert kind_of(OSError(said)).name == expected


def test_message_names_the_place_the_reason_and_the_remedy() -> None:
    error = StoreTroubleError("sqlite:///answers.db", "written", OSError("database or disk is full"))
    assert str(error) == (
        "sqlite:///answers.db: could not be written (database or disk is full); "
        "free some space on the disk that holds the database"
    )


def test_log_has_one_line_when_trouble_begins_and_one_when_it_is_over(caplog: pytest.LogCaptureFixture) -> None:
    watch, full = TroubleWatch(), StoreTroubleError("db", "written", OSError("disk full"))
    with caplog.at_level(logging.WARNING, "textassay"):
        watch.worked()
        for _ in range(3):
            watch.failed(full)
        assert watch.current is full
        watch.worked()
        watch.worked()
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]
    assert watch.current is None


def test_files_that_were_moved_away_or_replaced_are_noticed_and_may_come_back(tmp_path: Path) -> None:
    file, wal, away = tmp_path / "a.db", tmp_path / "a.db-wal", tmp_path / "away.db"
    file.write_bytes(b"x")
    wal.write_bytes(b"y")
    identity = FileIdentity(file)
    identity.check()
    identity.check()
    file.rename(away)
    with pytest.raises(OSError, match="moved away"):
        identity.check()
    file.write_bytes(b"x")
    with pytest.raises(OSError, match="replaced"):
        identity.check()
    file.unlink()
    away.rename(file)
    identity.check()
    wal.unlink()
    with pytest.raises(OSError, match="moved away"):
        identity.check()
