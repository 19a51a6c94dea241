"""A database in trouble: participants are asked for patience, the researcher is told, and nothing is lost."""

from __future__ import annotations

import logging
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from served_study import Person, Served, serving

from textassay.answers.trouble import StoreTroubleError


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of four megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "textassay-test", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def asks_for_patience(person: Person, expected: str) -> None:
    """Whatever writes gets 503 with Retry-After, pages that only read go on, and the researcher is told."""
    served = person.served
    refused = person.send(person.key(), {"agreed": True})
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
    client = served.client()
    joined = client.post(served.server.links.join[""])
    assert (joined.status_code, joined.headers["retry-after"]) == (503, "10")
    assert "tries again by itself" in joined.text
    assert 'http-equiv="refresh" content="10"' in joined.text
    health = client.get("/health")
    assert (health.status_code, health.json()["status"]) == (503, expected)
    board = served.researcher().get("/board")
    assert "Answers cannot be stored at the moment" in board.text


def works_again(person: Person, key: str) -> None:
    identifier = str(uuid.uuid4())
    assert person.send(key, {"agreed": True}, answer_id=identifier).status_code == 200
    assert person.answers[key].answer_id == identifier
    assert person.client.get("/health").json()["status"] == "ok"
    assert "Answers cannot be stored" not in person.served.researcher().get("/board").text


def test_full_disk(small_disk: Path, caplog: pytest.LogCaptureFixture) -> None:
    with serving(small_disk / "study") as served, caplog.at_level(logging.WARNING, "textassay.answers"):
        person = served.join()
        filler = small_disk / "filler"
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(4096))
        for _ in range(40):  # what is left in the last block of the journal
            if person.send("consent", {"agreed": True}).status_code == 503:
                break
            person = served.join()
        asks_for_patience(person, "disk full")
        filler.unlink()
        works_again(person, "consent")
    told = [record for record in caplog.records if record.name == "textassay.answers.trouble"]
    assert [record.levelname for record in told] == ["ERROR", "WARNING"]
    assert "free some space on the disk" in told[0].getMessage()


def test_read_only_file_system(small_disk: Path) -> None:
    with serving(small_disk / "study") as served:
        person = served.join()
        assert person.send("consent", {"agreed": True}).status_code == 200
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    export = subprocess.run(
        [
            sys.executable,
            "-m",
            "textassay",
            "export",
            str(served.study.directory),
            "--to",
            str(small_disk.parent / "out"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert export.returncode == 1
    assert "Traceback" not in export.stderr
    assert "check that the database is there and can be written" in export.stderr


def test_database_that_was_moved_away(tmp_path: Path) -> None:
    with serving(tmp_path / "study") as served:
        person = served.join()
        assert person.send("consent", {"agreed": True}).status_code == 200
        database, away = served.study.directory / "answers.db", tmp_path / "away.db"
        database.rename(away)
        unsaved = str(uuid.uuid4())
        refused = person.send("questionnaire", person.questionnaire, answer_id=unsaved)
        assert refused.status_code == 503
        assert person.client.get("/health").json()["status"] == "moved away"
        shutil.copy(away, database)  # another file in its place is not the one that the server writes to
        assert person.send("questionnaire", person.questionnaire, answer_id=unsaved).status_code == 503
        away.replace(database)
        assert person.send("questionnaire", person.questionnaire, answer_id=unsaved).status_code == 200
        assert person.answers["questionnaire"].answer_id == unsaved


def test_health_tells_of_a_database_that_nobody_writes_to(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with serving(tmp_path / "study") as served, caplog.at_level(logging.ERROR, "textassay.answers"):
        database, away = served.study.directory / "answers.db", tmp_path / "away.db"
        database.rename(away)
        health = served.client().get("/health")
        assert (health.status_code, health.json()["status"]) == (503, "moved away")
        assert [record.name for record in caplog.records] == ["textassay.answers.trouble"]
        away.replace(database)
        assert served.client().get("/health").status_code == 200


def test_changed_answer_in_a_file_that_was_deleted_is_never_acknowledged(tmp_path: Path) -> None:
    with serving(tmp_path / "study", lambda data: data["participants"].update(may_go_back=True)) as served:
        person = served.join()
        assert person.send("consent", {"agreed": True}).status_code == 200
        assert person.send("questionnaire", person.questionnaire).status_code == 200
        (served.study.directory / "answers.db").unlink()
        again = {"answer_id": str(uuid.uuid4()), "replaces": person.answers["questionnaire"].answer_id}
        other = {**person.questionnaire, "age": "35"}
        sent = [person.send("questionnaire", other, **again).status_code for _ in range(3)]
        assert sent == [503, 503, 503]


def test_page_of_a_database_that_cannot_be_read(
    serve: Callable[..., Served], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    served = serve()
    person = served.join()
    path = served.study.directory / "answers.db"
    damaged = bytearray(path.read_bytes())
    assert damaged  # the file is there; what follows damages what the server reads, not what it has in memory

    def broken(*_args: Any, **_more: Any) -> Any:
        from sqlalchemy.exc import DatabaseError

        raise DatabaseError("SELECT", {}, Exception("database disk image is malformed"))

    monkeypatch.setattr("sqlalchemy.engine.Connection.execute", broken)
    page = served.client().get(f"/p/{'x' * 32}")
    assert page.status_code == 503
    assert "rescue" not in page.text
    assert served.client().get(f"/p/{'y' * 32}").status_code == 503
    told = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert len(told) == 1
    assert "textassay rescue" in told[0]
    assert served.client().get("/health").status_code == 200  # answers can be stored
    board = served.client().get(served.server.links.board, follow_redirects=True)
    assert board.status_code == 503
    assert "textassay rescue" in board.text
    assert person is not None


def test_page_that_cannot_be_read_tells_that_nothing_can_be_written_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_args: Any, **_more: Any) -> Any:
        raise StoreTroubleError("my_study", "read", OSError("connection refused"))

    with serving(tmp_path / "study") as served:
        monkeypatch.setattr(served.server.store, "participation", broken)
        database, away = served.study.directory / "answers.db", tmp_path / "away.db"
        database.rename(away)
        for letter in "xyz":
            assert served.client().get(f"/p/{letter * 32}").status_code == 503
        assert "Answers cannot be stored at the moment" in served.researcher().get("/board").text
        told = [record.name for record in caplog.records if record.levelname == "ERROR"]
        assert told == ["textassay.answers.trouble"]
        away.replace(database)
