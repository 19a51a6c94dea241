"""What participants were given is kept, and a change of it is told by name."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from small_study import write_csv, write_small_study
from task_studies import write_task_study

from textassay import catalogue
from textassay.answers.dataset import load_dataset
from textassay.answers.records import NewAnswer
from textassay.answers.served_material import changed_material, material, record_material
from textassay.answers.store import Store
from textassay.study.load import load_study
from textassay.study.planning import stored_plan
from textassay.study.study import Study

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
PART = "text of item 'i1' by system 'human'"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = f"sqlite:///{(tmp_path / 'answers.db').as_posix()}"
    if request.param == "postgresql":
        url = str(request.getfixturevalue("postgres_database"))
    with Store.open(url) as opened:
        yield opened


def study_of(tmp_path: Path, text: str | None = None, **changes: Any) -> Study:
    directory = write_small_study(tmp_path / "study", lambda data: data["blocks"][0].update(changes))
    if text is not None:
        path = directory / "texts.csv"
        lines = path.read_text(encoding="utf-8").splitlines()
        place = next(n for n, line in enumerate(lines) if line.startswith("i1,human,"))
        lines[place] = f"i1,human,{text}"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return load_study(directory)


def answer(store: Store, study: Study, now: datetime) -> None:
    person, _ = store.join(stored_plan(study).slots, cohort="", now=now, release_after=HOUR)
    store.save(person.id, NewAnswer(f"a{person.id}", "consent", {"agreed": True}, None, now, None, {}), now=now)


def test_everything_may_change_before_anybody_begins(store: Store, tmp_path: Path) -> None:
    assert record_material(study_of(tmp_path), store, NOON) == ()
    assert record_material(study_of(tmp_path, "Better words."), store, NOON + HOUR) == ()
    assert changed_material(study_of(tmp_path), store) == ()


def test_change_after_people_began_names_the_text(store: Store, tmp_path: Path) -> None:
    study = study_of(tmp_path)
    record_material(study, store, NOON)
    answer(store, study, NOON)
    assert record_material(study, store, NOON + HOUR) == ()
    changed = study_of(tmp_path, "Better words.")
    (told,) = changed_material(changed, store)
    assert told.startswith(
        f"changed since the first participant: {PART} (differs from what was served) (answers before and after"
    )
    (told,) = record_material(changed, store, NOON + 2 * HOUR)
    assert f"{PART} (new version served from 2026-03-01 14:00 UTC)" in told
    # Restored before anybody answered: as if nothing had been.
    assert record_material(study, store, NOON + 3 * HOUR) == ()


def test_what_somebody_answered_stays_told_after_it_is_restored(store: Store, tmp_path: Path) -> None:
    study, changed = study_of(tmp_path), study_of(tmp_path, "Better words.")
    for hours, served in enumerate((study, changed, study)):
        record_material(served, store, NOON + hours * HOUR)
        answer(store, study, NOON + hours * HOUR + timedelta(minutes=5))
    (told,) = changed_material(study, store)
    assert f"{PART} (new version served from 2026-03-01 13:00 UTC and 2026-03-01 14:00 UTC)" in told


def test_store_of_an_earlier_release_has_nothing_to_compare_with(store: Store, tmp_path: Path) -> None:
    study = study_of(tmp_path)
    answer(store, study, NOON)
    assert changed_material(study, store) == ()
    assert record_material(study, store, NOON + HOUR) == ()
    assert len(changed_material(study_of(tmp_path, "Other."), store)) == 1


def test_many_changes_are_counted(store: Store, tmp_path: Path) -> None:
    study = study_of(tmp_path)
    record_material(study, store, NOON)
    answer(store, study, NOON)
    path = study.directory / "texts.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(".", "!"), encoding="utf-8")
    (told,) = changed_material(load_study(study.directory), store)
    assert f"; and {len(study.texts) - 8} more (" in told


def test_answers_come_with_the_warning(tmp_path: Path) -> None:
    study = study_of(tmp_path)
    with Store.open(study.store_url) as store:
        record_material(study, store, NOON)
        answer(store, study, NOON)
    assert load_dataset(study).warnings == ()
    (told,) = load_dataset(study_of(tmp_path, "Better words.")).warnings
    assert PART in told


# --- Everything that participants see has a name and a digest; what they do not see has none ------------------------


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {part for part in before.keys() & after.keys() if before[part] != after[part]}


@pytest.mark.parametrize("task", catalogue.names("task"))
def test_same_study_has_the_same_material(task: str, tmp_path: Path) -> None:
    found = [material(load_study(write_task_study(task, tmp_path / name))) for name in ("one", "other")]
    assert found[0] == found[1]
    assert len(found[0]) > 20


def test_changes_are_told_apart(tmp_path: Path) -> None:
    def altered(data: dict[str, Any]) -> None:
        data["blocks"][0]["criteria"][0]["scale"]["to"] = 6
        data["blocks"][0]["criteria"][0]["scale"]["labels"] = {1: "not clear", 6: "clear"}
        data["questionnaire"][1]["question"] = "Your age?"
        data["participants"]["release_after_minutes"] = 7
        data["screening"] = {}

    before = material(load_study(write_small_study(tmp_path / "one")))
    directory = write_small_study(tmp_path / "other", altered)
    instructions = directory / "instructions.md"
    instructions.write_text(instructions.read_text(encoding="utf-8") + "\nTake your time.\n", encoding="utf-8")
    after = material(load_study(directory))
    assert changed(before, after) == {
        "'criteria' of block 'quality'", "question 'age' of the questionnaire", "instructions of block 'quality'"
    }  # fmt: skip


def test_what_only_the_analysis_uses_is_no_material(tmp_path: Path) -> None:
    directory = write_task_study("decision", tmp_path)
    before = material(load_study(directory))
    header = ("item", "appropriate", "inappropriate", "target")
    write_csv(directory / "targets.csv", header, [(f"case{n}", "call", "feed", "call") for n in range(1, 7)])
    assert changed(before, material(load_study(directory))) == set()
    actions = directory / "actions.csv"
    actions.write_text(actions.read_text(encoding="utf-8").replace("Raise the oxygen", "More oxygen"), encoding="utf-8")
    assert changed(before, material(load_study(directory))) == {"table 'actions' of block 'ward'"}
