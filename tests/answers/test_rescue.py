"""Most answers of a damaged file come back, and none is invented."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study
from sqlalchemy import Connection

from textassay.answers import operations
from textassay.answers.records import Referral, StoredAnswer
from textassay.answers.rescue import LEFT_OVER, Rescued, rescue_file
from textassay.answers.study_store import open_store
from textassay.design.plan import Plan
from textassay.errors import StoreError, UsageError
from textassay.study.load import load_study
from textassay.study.planning import stored_plan
from textassay.study.study import Study

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PAGE = 4096
PEOPLE = 300


def take_part(connection: Connection, plan: Plan) -> None:
    """All people, in one transaction."""
    numbers = [slot.number for slot in plan.slots]
    for number in range(PEOPLE):
        person, _ = operations.join(
            connection, numbers, operations.Newcomer("", None, Referral()), now=NOON, silent_since=NOON, again=True
        )
        answers = [
            StoredAnswer(
                f"{person.code}-{trial.key}",
                trial.key,
                {"ratings": {"clarity": 3, "fluency": 50}, "comment": f"{number} " * (3000 if place == 5 else 9)},
                NOON,
                NOON,
                2500.5,
                {"userAgent": "Mozilla/5.0"},
                0,
                NOON,
                NOON,
            )
            for place, trial in enumerate(plan.slot(person.slot).trials)
        ]
        done = replace(person, status="completed", last_seen_at=NOON + timedelta(minutes=number + 1))
        operations.save_visit(connection, done, answers)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """300 people who gave 3,000 answers, a tenth of them longer than a page."""
    study = load_study(write_small_study(tmp_path_factory.mktemp("whole") / "study"))
    with open_store(study) as store:
        store.recruiting.invite(["Ada", "Grace"], cohort="", now=NOON)
        store.writer.submit(partial(take_part, plan=stored_plan(study))).result()
    return study


@pytest.fixture
def study(whole: Study, tmp_path: Path) -> Study:
    """A copy for each test."""
    return load_study(shutil.copytree(whole.directory, tmp_path / "study"))


def rows(path: Path, table: str) -> set[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return set(connection.execute(f"SELECT * FROM {table}"))


def overwrite(path: Path, pages: Iterable[int], content: bytes = b"\xff") -> None:
    with path.open("r+b") as file:
        for number in pages:
            file.seek((number - 1) * PAGE)
            file.write((content * PAGE)[:PAGE])


def rescued(study: Study, tmp_path: Path) -> tuple[Rescued, Path]:
    path = study.directory / "answers.db"
    before = path.read_bytes()
    found = rescue_file(path, tmp_path / "back", None)
    assert path.read_bytes() == before
    return found, tmp_path / "back"


def left_over(folder: Path) -> list[dict[str, Any]]:
    path = folder / LEFT_OVER
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def by_name(found: Rescued) -> dict[str, Any]:
    return {table.name: table for table in found.tables}


def test_everything_of_a_sound_file_comes_back(study: Study, tmp_path: Path) -> None:
    path = study.directory / "answers.db"
    found = rescue_file(path, tmp_path / "back", study)
    folder = tmp_path / "back"
    assert found.damaged_pages == 0
    for name, table in by_name(found).items():
        assert rows(folder / "answers.db", name) == rows(path, name)
        assert (table.unreadable, table.left_over) == (0, 0)
    assert found.notes == ()
    exported = (folder / "tables" / "judgements.csv").read_text(encoding="utf-8")
    assert len(exported.splitlines()) > 2 * PEOPLE


@pytest.mark.parametrize("content", [b"\xff", b"\0", b"\x0d", b'{"a": 1} '])
def test_pages_in_the_middle_cost_what_was_in_them(study: Study, tmp_path: Path, content: bytes) -> None:
    path = study.directory / "answers.db"
    people, answers = rows(path, "participants"), rows(path, "answers")
    hit = range(40, path.stat().st_size // PAGE, 17)
    overwrite(path, hit, content)
    found, folder = rescued(study, tmp_path)
    back, table = rows(folder / "answers.db", "answers"), by_name(found)["answers"]
    assert back <= answers
    assert rows(folder / "answers.db", "participants") <= people
    assert len(back) == table.readable
    written = {row["id"] for row in left_over(folder) if row["table"] == "answers"}
    assert len(written) == table.left_over
    assert written <= {row[0] for row in answers}
    # Nothing is lost but what was in these pages, some twelve answers in each.
    lost = len(answers) - table.readable - table.left_over
    assert 0 < lost <= 12 * len(hit)
    assert lost - 12 <= table.missing <= lost  # the last ones may be among them
    assert table.readable + table.left_over > 0.9 * len(answers)


def test_leaves_below_a_damaged_branch_are_found(study: Study, tmp_path: Path) -> None:
    path = study.directory / "answers.db"
    answers = rows(path, "answers")
    with closing(sqlite3.connect(path)) as connection:
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'answers'").fetchone()[0]
    overwrite(path, [root])
    found, folder = rescued(study, tmp_path)
    assert rows(folder / "answers.db", "answers") == answers  # the branch itself holds no rows
    assert by_name(found)["answers"].missing == 0


def test_without_the_first_page_rows_are_known_by_their_form(study: Study, tmp_path: Path) -> None:
    path = study.directory / "answers.db"
    before = {name: rows(path, name) for name in ("answers", "participants", "secrets", "invitations", "openings")}
    overwrite(path, [1])
    found, folder = rescued(study, tmp_path)
    assert {name: rows(folder / "answers.db", name) for name in before} == before
    assert found.notes[0].startswith("the list of tables is damaged")


def test_answers_whose_participant_is_lost_are_left_over(study: Study, tmp_path: Path) -> None:
    path = study.directory / "answers.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA foreign_keys=OFF")
        connection.execute("DELETE FROM participants WHERE id = 7")
    found, folder = rescued(study, tmp_path)
    lost = left_over(folder)
    assert {row["participant_id"] for row in lost} == {7}
    assert len(lost) == by_name(found)["answers"].left_over + by_name(found)["openings"].left_over
    assert by_name(found)["participants"].missing == 1


def test_removed_rows_stay_removed(study: Study, tmp_path: Path) -> None:
    path = study.directory / "answers.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM answers WHERE participant_id BETWEEN 20 AND 120")
    left = rows(path, "answers")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'answers'").fetchone()[0]
    overwrite(path, [root])
    _, folder = rescued(study, tmp_path)
    assert rows(folder / "answers.db", "answers") == left


def test_rows_as_they_are_without_the_study(study: Study, tmp_path: Path) -> None:
    path = study.directory / "answers.db"
    found = rescue_file(path, tmp_path / "back", None)
    lines = (tmp_path / "back" / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(rows(path, "answers"))
    assert json.loads(lines[0])["revision"] == 0
    assert not (tmp_path / "back" / "secrets.jsonl").exists()
    assert "the study could not be loaded" in found.notes[-1]


def test_what_is_no_store_is_told_and_nothing_is_overwritten(study: Study, tmp_path: Path) -> None:
    other = tmp_path / "texts.csv"
    other.write_text("item,system,text\n" * 5000, encoding="utf-8")
    with pytest.raises(StoreError, match="nothing in it is a row of answers"):
        rescue_file(other, tmp_path / "back", None)
    with pytest.raises(UsageError, match="is there already, and not empty"):
        rescue_file(study.directory / "answers.db", study.directory, study)
