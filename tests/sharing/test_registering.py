"""A study is registered before its first real participant, once."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from registered_study import NOON, REHEARSED
from small_study import write_csv

from textassay.answers.imports import import_table
from textassay.answers.store import Store
from textassay.errors import DataError, UsageError
from textassay.sharing.registering import refuse_if_late, register_study, rehearsal_copy
from textassay.sharing.registration import REGISTRATION
from textassay.study.load import load_study
from textassay.study.planning import stored_plan
from textassay.study.study import Study


def join(study: Study, *, simulated: bool, minutes: int = 0) -> None:
    now = NOON + timedelta(minutes=minutes)
    with Store.open(study.store_url) as store:
        release = timedelta(hours=1)
        store.join(stored_plan(study).slots, cohort="", now=now, release_after=release, simulated=simulated)


def test_an_earlier_registration_is_replaced_only_if_asked(registered: Path) -> None:
    study = load_study(registered)
    with pytest.raises(UsageError, match="has a registration of 2026-03-01 at 12:00 UTC; add --replace to register"):
        refuse_if_late(study, replace_earlier=False)
    refuse_if_late(study, replace_earlier=True)
    later = NOON + timedelta(days=1)
    document = registered / "d.md"
    made, paths = register_study(
        study, stored_plan, lambda _: REHEARSED, replace_earlier=True, now=later, document=document
    )
    assert [path.name for path in paths] == [REGISTRATION, "d.md"]
    assert made.is_intact
    assert json.loads(paths[0].read_text(encoding="utf-8"))["registered_at"] == "2026-03-02T12:00:00+00:00"


def test_refused_once_a_real_participant_has_begun(registered: Path) -> None:
    study = load_study(registered)
    join(study, simulated=True)
    refuse_if_late(study, replace_earlier=True)
    join(study, simulated=False, minutes=1)
    join(study, simulated=False, minutes=2)
    said = "2 real participants have begun, the first on 2026-03-01 at 12:01 UTC; "
    with pytest.raises(DataError, match=f"{said}the registration stays as it is"):
        refuse_if_late(study, replace_earlier=True)
    (registered / REGISTRATION).unlink()
    with pytest.raises(DataError, match=f"{said}a registration comes before the first one"):
        refuse_if_late(study, replace_earlier=False)


def test_participants_of_imported_tables_are_real_unless_their_table_says_otherwise(
    registered: Path, tmp_path: Path
) -> None:
    study = load_study(registered)
    path = tmp_path / "participants.csv"
    write_csv(path, ("participant", "simulated"), [("x1", "true")])
    import_table(study, path)
    refuse_if_late(study, replace_earlier=True)
    write_csv(path, ("participant", "simulated"), [("x1", "true"), ("x2", "")])
    import_table(study, path, replace=True)
    with pytest.raises(DataError, match="1 real participant has begun; the registration stays"):
        refuse_if_late(study, replace_earlier=True)


def test_the_rehearsal_is_in_another_directory_without_answers(registered: Path) -> None:
    study = load_study(registered)
    join(study, simulated=True)
    with rehearsal_copy(study) as copy:
        names = {path.name for path in copy.directory.iterdir()}
        assert names >= {"study.yaml", "texts.csv", "plan.json", "consent.md"}
        assert not names & {"answers.db", REGISTRATION}
        assert stored_plan(copy) == stored_plan(study)
    assert not copy.directory.exists()
