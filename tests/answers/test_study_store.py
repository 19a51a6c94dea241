from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from small_study import write_csv, write_small_study

from textassay import pipeline
from textassay.answers.imports import import_table
from textassay.answers.records import Participant
from textassay.answers.store import Store, StudyFull
from textassay.answers.study_store import existing_store, has_store, open_store, store_verdicts, took_part_in
from textassay.errors import StoreError
from textassay.rehearsal.people import BehaviourShares
from textassay.screening.verdicts import Verdict, judge_all
from textassay.study.study import Study


def test_looking_makes_no_store(study: Study) -> None:
    assert not has_store(study)
    with existing_store(study) as store:
        assert store is None
    assert not has_store(study)


def test_store_in_the_study_directory(study: Study) -> None:
    with Store.open(study.store_url) as store:
        secret = store.secret("join")
    assert has_store(study)
    with existing_store(study) as found:
        assert found is not None
        assert found.secret("join") == secret


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("empty_postgres_database"))
    return f"sqlite:///{(tmp_path / 'elsewhere.db').as_posix()}"


def test_store_elsewhere(study: Study, elsewhere: str) -> None:
    there = replace(study, store=elsewhere)
    assert not has_store(there)
    with existing_store(there) as found:
        assert found is None
    open_store(there).close()
    assert has_store(there)
    assert not has_store(study)


def test_a_store_belongs_to_one_study(write_study: Callable[..., Study], elsewhere: str) -> None:
    def another(data: dict[str, Any]) -> None:
        data.update(title="Another one", seed=8)

    first, other = write_study(), write_study(another, "other")
    here, there = replace(first, store=elsewhere), replace(other, store=elsewhere)
    open_store(here).close()
    with open_store(there) as store:  # nobody has begun, so it may have been a mistake
        store.recruiting.invite(["Ada"], cohort="", now=datetime.now(UTC))
    with pytest.raises(StoreError, match=r"has answers of another study \('Another one'\); give each study a database"):
        open_store(here)
    moved = pipeline.load(other.directory.rename(other.directory.with_name("renamed")), elsewhere)
    open_store(moved).close()


def test_a_study_with_corrected_texts_keeps_its_store_and_one_with_new_texts_does_not(
    study: Study, taken: list[Participant]
) -> None:
    path = study.directory / "texts.csv"
    before = path.read_text(encoding="utf-8")
    open_store(study).close()
    path.write_text(before.replace("The human text", "A human text"), encoding="utf-8")
    open_store(pipeline.load(study.directory)).close()
    path.write_text(before.replace("text about", "Text über").replace("The", "Der"), encoding="utf-8")
    with pytest.raises(StoreError, match="this study with another design or other texts"):
        open_store(pipeline.load(study.directory))


def test_store_that_the_other_study_names_is_searched(
    study: Study, write_study: Callable[..., Study], taken: list[Participant]
) -> None:
    other = write_study(lambda data: data.update(store="sqlite:///../study/answers.db"), "other")
    assert took_part_in("ada@uni-koeln.de", other.directory)
    assert not took_part_in("bob@uni-koeln.de", other.directory)


def test_found_by_any_way_to_write_the_address(study: Study, taken: list[Participant]) -> None:
    assert took_part_in("ADA+new@uni-koeln.de", study.directory)
    assert not took_part_in("bob@uni-koeln.de", study.directory)


def test_address_that_was_changed_later_is_found_too(study: Study, takers: Any, taken: list[Participant]) -> None:
    takers.fill_in(taken[0], "grace@uni-koeln.de")
    takers.fill_in(taken[1], "grace@uni-koeln.de")
    assert took_part_in("grace@uni-koeln.de", study.directory)
    assert took_part_in("ada@uni-koeln.de", study.directory)


def test_verdicts_change_only_those_who_completed_the_study(
    study: Study, store: Store, taken: list[Participant]
) -> None:
    excluded = [Verdict(person.code, valid=False) for person in taken]
    assert store_verdicts(study, excluded) == 1
    assert [(person.status, person.valid) for person in store.participants()] == [
        ("completed", False), ("active", True), ("withdrawn", True)
    ]  # fmt: skip
    assert store_verdicts(study, excluded) == 0  # nothing new
    assert store_verdicts(study, []) == 0  # of nobody


def test_found_among_the_imported(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "participants.csv"
    write_csv(path, ("participant", "email"), [("x1", "ada@uni-koeln.de")])
    import_table(study, path)
    assert took_part_in("ada@uni-koeln.de", study.directory)
    assert not took_part_in("bob@uni-koeln.de", study.directory)


def test_study_that_nobody_took(write_study: Callable[..., Study]) -> None:
    other = write_study(name="other")
    assert not took_part_in("ada@uni-koeln.de", other.directory)
    assert not (other.directory / "answers.db").exists()


# --- A verdict that changes after somebody finished opens the slot again, and closes it again -----------------------


NOBODY_WAYWARD = BehaviourShares(**dict.fromkeys(BehaviourShares.__dataclass_fields__, 0.0))


def test_a_rule_added_later_opens_the_slots(tmp_path: Path) -> None:
    from textassay.rehearsal import direct

    directory = write_small_study(tmp_path / "s", lambda data: data.update(screening={}))
    study = pipeline.load(directory)
    plan = pipeline.plan(study)
    now = datetime.now(UTC) + timedelta(days=400)
    hour = timedelta(hours=1)
    with Store.open(study.store_url) as store:
        direct.simulate(study, plan, store, crowd=NOBODY_WAYWARD)
        with pytest.raises(StudyFull):
            store.join(plan.slots, cohort="", now=now, release_after=hour, simulated=True)
    strict = pipeline.load(
        write_small_study(directory, lambda data: data.update(screening={"too-fast": {"seconds": 500}}))
    )
    data = pipeline.collect(strict)
    verdicts = judge_all(data.cases, strict)
    assert store_verdicts(strict, verdicts) == 6
    assert store_verdicts(strict, verdicts) == 0
    with Store.open(study.store_url) as store:
        assert [person.counted for person in store.participants()] == [False] * 6
        assert store.join(plan.slots, cohort="", now=now, release_after=hour, simulated=True)[0].slot == 1
    lenient = pipeline.screen(study, pipeline.collect(study))
    assert [verdict.valid for verdict in lenient] == [True] * 6 + [False]  # the one who has just joined is not done
    with Store.open(study.store_url) as store:
        assert sum(person.counted for person in store.participants()) == 6
