"""Answers go from one kind of database to the other, all or none of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from textassay.answers import copying, moving
from textassay.answers.copying import contents
from textassay.answers.database import connect
from textassay.answers.records import NewAnswer, Participant
from textassay.answers.study_store import has_store, open_store
from textassay.design.plan import Plan
from textassay.errors import StoreError, UsageError
from textassay.study.study import Study

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def held(study: Study) -> object:
    """Everything that the store of the study holds, without what a move writes of itself."""
    with connect(study.store_url) as engines, engines.writer.begin() as connection:
        return contents(connection, (moving.MOVED, moving.ARRIVING))


@pytest.mark.postgres
def test_there_and_back_again(
    study: Study, plan: Plan, taken: list[Participant], tmp_path: Path, empty_postgres_database: str
) -> None:
    with open_store(study) as store:
        store.recruiting.invite(["Ada"], cohort="", now=NOON)
        store.opened(taken[0].id, "quality-1", NOON)
    before = held(study)
    moved = moving.move_study(study, empty_postgres_database, now=NOON)
    assert (moved.rows["participants"], moved.rows["invitations"], moved.rows["openings"]) == (3, 1, 1)
    there = replace(study, store=empty_postgres_database)
    assert held(there) == before
    with open_store(there) as store:
        assert store.participants() == taken
        # The numbers go on after the last one.
        person, _ = store.join(plan.slots, cohort="", now=NOON, release_after=timedelta(hours=1))
        store.save(person.id, NewAnswer("new", "quality-1", {}, NOON, NOON))
        assert person.id == 4
    back = replace(study, store=f"sqlite:///{(tmp_path / 'back.db').as_posix()}")
    moving.move_study(there, back.store, now=NOON)
    assert held(back) == held(there)
    for old in (study, there):
        with pytest.raises(StoreError, match=r"its answers were moved to .* on 2026-03-01 at 12:00 UTC; write 'store"):
            open_store(old)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def target(request: pytest.FixtureRequest, study: Study, tmp_path: Path) -> Study:
    """The study with an empty database of each kind."""
    if request.param == "postgresql":
        return replace(study, store=str(request.getfixturevalue("empty_postgres_database")))
    return replace(study, store=f"sqlite:///{(tmp_path / 'new.db').as_posix()}")


def test_target_with_answers_and_nothing_to_move_are_refused(
    study: Study, plan: Plan, target: Study, write_study: Callable[..., Study]
) -> None:
    with pytest.raises(UsageError, match="no answers yet"):
        moving.move_study(study, target.store, now=NOON)
    open_store(study).close()
    with pytest.raises(UsageError, match="the answers are there already"):
        moving.move_study(study, study.store_url, now=NOON)
    with open_store(target) as store:
        store.join(plan.slots, cohort="", now=NOON, release_after=timedelta(hours=1))
    with pytest.raises(UsageError, match="has answers already; give an empty database"):
        moving.move_study(study, target.store, now=NOON)
    open_store(study).close()  # still usable


class Interrupted(BaseException):
    """As Ctrl-C would."""


@pytest.mark.parametrize("step", ["copying.copy_rows", "copying.contents", "store_setting", "remove_setting"])
def test_interrupted_anywhere_nothing_is_lost_and_it_can_be_done_again(
    study: Study, taken: list[Participant], target: Study, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    open_store(study).close()
    before = held(study)
    # store_setting writes the note in the target first; the second call would mark the source.
    calls = {"store_setting": 2, "copying.contents": 2}.get(step, 1)
    where, name = (copying, step.removeprefix("copying.")) if "." in step else (moving, step)
    original, count = getattr(where, name), iter(range(1, 99))

    def interrupted(*arguments: object) -> object:
        if next(count) == calls:
            raise Interrupted
        return original(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(where, name, interrupted)
        with pytest.raises(Interrupted):
            moving.move_study(study, target.store, now=NOON)
    if step == "remove_setting":
        with pytest.raises(StoreError, match="were moved to"):
            open_store(study)
    else:
        open_store(study).close()
    if step in ("store_setting", "remove_setting"):
        with pytest.raises(StoreError, match=r"being moved into it from .*; run the same 'textassay move' again"):
            open_store(target)
    assert has_store(target)
    moving.move_study(study, target.store, now=NOON)
    assert held(target) == before
    open_store(target).close()


def test_move_that_was_finished_says_where_the_answers_are(
    study: Study, taken: list[Participant], target: Study
) -> None:
    # As after a power cut just before the command printed the line for the study file.
    moving.move_study(study, target.store, now=NOON)
    before = held(target)
    with pytest.raises(StoreError, match=r"its answers were moved to .* on 2026-03-01 at 12:00 UTC; write 'store"):
        moving.move_study(study, target.store, now=NOON)
    assert held(target) == before
    open_store(target).close()


def test_rows_that_differ_are_noticed(
    study: Study, taken: list[Participant], target: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = copying.copy_rows

    def careless(source: object, target: object, without: object) -> None:
        original(source, target, without)  # type: ignore[arg-type]
        target.exec_driver_sql("UPDATE answers SET payload = '{}' WHERE id = 2")  # type: ignore[attr-defined]

    monkeypatch.setattr(copying, "copy_rows", careless)
    with pytest.raises(StoreError, match="the rows differ from those of"):
        moving.move_study(study, target.store, now=NOON)
    with open_store(target) as store:
        assert store.participants() == []
    open_store(study).close()
