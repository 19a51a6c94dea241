"""A copy of a store that is in use is of one moment, complete, and a store itself."""

from __future__ import annotations

import sqlite3
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from textassay.answers import backup
from textassay.answers.backup import backup_study
from textassay.answers.records import NewAnswer, Participant
from textassay.answers.study_store import open_store
from textassay.design.plan import Plan
from textassay.errors import StoreError, UsageError
from textassay.study.study import Study

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def study(request: pytest.FixtureRequest, study: Study) -> Study:
    """The study with its answers in each kind of database."""
    if request.param == "postgresql":
        return replace(study, store=str(request.getfixturevalue("empty_postgres_database")))
    return study


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "copies" / "copy.db"


def opened(study: Study, copy: Path) -> Study:
    return replace(study, store=f"sqlite:///{copy.as_posix()}")


def test_copy_is_one_file_for_its_owner_that_opens_as_a_store(
    study: Study, taken: list[Participant], copy: Path
) -> None:
    rows = backup_study(study, copy)
    assert rows["participants"] == 3
    assert [path.name for path in copy.parent.iterdir()] == ["copy.db"]
    if sys.platform != "win32":
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with open_store(opened(study, copy)) as store:
        assert store.participants() == taken
        assert len(list(store.all_answers(revisions=True))) == rows["answers"]


def test_nothing_is_overwritten_unless_that_is_said(study: Study, taken: list[Participant], copy: Path) -> None:
    backup_study(study, copy)
    before = copy.read_bytes()
    with pytest.raises(UsageError, match="exists; give another file with --to, or add --replace"):
        backup_study(study, copy)
    assert copy.read_bytes() == before
    backup_study(study, copy, replace=True)
    if study.store == "":
        with pytest.raises(UsageError, match="is the study's own database"):
            backup_study(study, study.directory / "answers.db", replace=True)


def test_nothing_to_copy_is_told(study: Study, copy: Path) -> None:
    with pytest.raises(UsageError, match="no answers yet"):
        backup_study(study, copy)
    assert not copy.exists()


def test_folder_that_cannot_be_written_is_told(study: Study, taken: list[Participant], copy: Path) -> None:
    copy.parent.write_text("a file")
    with pytest.raises(StoreError, match="cannot be written"):
        backup_study(study, copy)


@pytest.fixture
def writing(study: Study, plan: Plan) -> Iterator[threading.Event]:
    """Participants who join and give two answers each in one transaction, one after the other."""
    stop, begun = threading.Event(), threading.Event()

    def write() -> None:
        with open_store(study) as store:
            while not stop.is_set():
                person, _ = store.join(plan.slots, cohort="", now=NOON, release_after=timedelta(hours=1))
                pair = [NewAnswer(f"{person.code}-{page}", page, {"x": "y" * 2000}, NOON, NOON) for page in ("a", "b")]
                futures = [store.writer.submit(store.save.prepare(store, person.id, each)) for each in pair]  # type: ignore[attr-defined]
                for future in futures:
                    future.result()
                if person.id > 20:
                    begun.set()

    thread = threading.Thread(target=write)
    thread.start()
    assert begun.wait(30)
    yield stop
    stop.set()
    thread.join()


def test_copy_of_a_database_that_is_being_written_is_of_one_moment(
    study: Study, writing: threading.Event, copy: Path
) -> None:
    counts = []
    for _ in range(3):
        rows = backup_study(study, copy, replace=True)
        counts.append(rows["answers"])
        with closing(sqlite3.connect(copy)) as connection:
            people = [row[0] for row in connection.execute("SELECT id FROM participants ORDER BY id")]
            given = [row[0] for row in connection.execute("SELECT id FROM answers ORDER BY id")]
            lone = connection.execute(
                "SELECT count(*) FROM answers WHERE participant_id NOT IN (SELECT id FROM participants)"
            ).fetchone()
        # Everything up to some moment, nothing after it: no gaps, no answer without its participant, and all but the
        # last participant have both answers.
        assert people == list(range(1, len(people) + 1))
        assert given == list(range(1, len(given) + 1))
        assert lone == (0,)
        assert 2 * len(people) - 2 <= len(given) <= 2 * len(people)
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def test_a_copy_that_is_not_sound_does_not_get_the_name(
    study: Study, taken: list[Participant], copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = backup._checked

    def damaged(path: Path) -> dict[str, int]:
        with path.open("r+b") as file:
            file.seek(3 * 4096)
            file.write(b"\xff" * 4096)
        return original(path)

    monkeypatch.setattr(backup, "_checked", damaged)
    with pytest.raises(StoreError, match=r"could not be copied to .*the file is damaged: 'textassay rescue'"):
        backup_study(study, copy)
    assert list(copy.parent.iterdir()) == []
