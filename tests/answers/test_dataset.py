from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from small_study import ITEMS, write_csv

from textassay.answers.backup import backup_study
from textassay.answers.dataset import load_dataset, make_dataset
from textassay.answers.records import Participant
from textassay.answers.store import Store
from textassay.design.plan import Plan
from textassay.errors import StoreError, TableError, UsageError
from textassay.screening.verdicts import judge_all
from textassay.study.study import Study


def test_nobody_has_come_yet(study: Study) -> None:
    empty = load_dataset(study)
    assert (empty.participants, empty.tables, empty.cases) == ([], {"judgements": []}, [])
    assert not (study.directory / "answers.db").exists()
    assert not study.plan_path.exists()
    assert list(empty.frame("judgements").columns[:5]) == ["participant", "item", "system", "criterion", "value"]
    assert len(empty.frame("judgements")) == 0


def test_one_row_a_person(study: Study, taken: list[Participant]) -> None:
    rows = load_dataset(study).participants
    assert [row["participant"] for row in rows] == [person.code for person in taken]
    assert [row["status"] for row in rows] == ["completed", "active", "withdrawn"]
    assert [row["counted"] for row in rows] == [True, False, False]
    assert [row["slot"] for row in rows] == [1, 2, 3]
    assert [row["email_plausible"] for row in rows] == [True, True, False]
    assert rows[0]["email"] == rows[1]["email"] != rows[2]["email"]
    assert "@" not in repr(rows)


def test_rows_of_answers(study: Study, plan: Plan, taken: list[Participant]) -> None:
    dataset = load_dataset(study)
    rows = [row for row in dataset.tables["judgements"] if row["participant"] == taken[0].code]
    trials = [trial for trial in plan.slot(1).trials if trial.kind in ("main", "repeat")]
    # six items once and one of them twice, two criteria each
    assert [(row["trial"], row["criterion"]) for row in rows] == [
        (trial.key, criterion) for trial in trials for criterion in ("clarity", "fluency")
    ]
    assert len(rows) == 2 * (len(ITEMS) + 1)
    first = trials[0]
    assert {
        key: rows[0][key] for key in ("item", "system", "value", "block", "position", "kind", "repeat", "rt_ms")
    } == {
        "item": first.item,
        "system": first.systems[0],
        "value": 3,
        "block": "quality",
        "position": first.position,
        "kind": "main",
        "repeat": 0,
        "rt_ms": 2500.5,
    }
    assert [row["repeat"] for row in rows].count(1) == 2
    unscored = [row for row in dataset.unscored["judgements"] if row["participant"] == taken[0].code]
    assert {(row["kind"], row["item"], row["system"], row["practice"]) for row in unscored} == {
        ("practice", "p1", "", True),
        ("practice", "p2", "", True),
        ("check", "check-1", "", False),
    }


def test_latest_revision_counts_and_all_are_kept(
    study: Study, plan: Plan, store: Store, taken: list[Participant]
) -> None:
    dataset = load_dataset(study)
    changed = plan.slot(2).trials[3].key
    rows = [
        row for row in dataset.tables["judgements"] if row["participant"] == taken[1].code and row["trial"] == changed
    ]
    assert [(row["value"], row["revision"], row["comment"]) for row in rows] == [(5, 1, "changed"), (50, 1, "changed")]
    kept = [
        answer.payload["ratings"]["clarity"]
        for number, answer in store.all_answers(revisions=True, page=changed)
        if number == taken[1].id
    ]
    assert kept == [4, 5]


def test_cases_for_screening(study: Study, plan: Plan, taken: list[Participant]) -> None:
    cases = load_dataset(study).cases
    planned = len(plan.slot(1).trials)
    assert [(case.status, len(case.trials), case.planned) for case in cases] == [
        ("completed", planned, planned),
        ("active", 5, planned),
        ("withdrawn", 0, planned),
    ]
    assert cases[0].questionnaire["native"] == "yes"
    assert cases[0].trials[0].rt_ms == 2500.5
    hashes = [case.questionnaire["email"]["hash"] for case in cases]
    assert [own in case.earlier for own, case in zip(hashes, cases, strict=True)] == [False, True, False]
    broken = [{reason.rule for reason in verdict.reasons} for verdict in judge_all(cases, study)]
    assert broken[1] >= {"took-part-twice", "incomplete"}
    assert broken[2] == {"withdrawn", "fake-email"}


def test_simulated_participants_are_left_out_once_a_real_one_has_completed(
    study: Study, plan: Plan, store: Store, takers: Any
) -> None:
    real, simulated, now = takers.join(), takers.join(1), datetime.now(UTC)
    store.set_simulated(simulated.id)
    store.finish(simulated.id, "completed", now)
    dataset = load_dataset(study)
    assert [row["simulated"] for row in dataset.participants] == [False, True]
    assert [case.simulated for case in dataset.cases] == [False, False]
    store.finish(real.id, "completed", now)
    assert [case.simulated for case in load_dataset(study).cases] == [False, True]


def test_codes_lead_back_to_the_store(study: Study, store: Store, taken: list[Participant]) -> None:
    dataset = load_dataset(study)
    assert dataset.codes == {person.code: person.id for person in taken}
    store.set_valid(dataset.codes[taken[0].code], False)
    assert load_dataset(study).participants[0]["counted"] is False


def test_loading_and_an_open_store_agree(study: Study, plan: Plan, store: Store, taken: list[Participant]) -> None:
    assert make_dataset(study, plan, store) == load_dataset(study)


def test_frames(study: Study, taken: list[Participant]) -> None:
    dataset = load_dataset(study)
    frame = dataset.frame("judgements")
    assert len(frame) == len(dataset.tables["judgements"])
    assert frame["value"].dtype == "float64"
    assert str(frame["answered_at"].dtype) == "datetime64[us, UTC]"
    assert len(dataset.frame("judgements-unscored")) == len(dataset.unscored["judgements"])
    assert list(dataset.frame("participants")["age"]) == [34.0, 34.0, 34.0]
    with pytest.raises(UsageError, match="no table 'rankings'; use one of: participants, judgements"):
        dataset.frame("rankings")


def test_imported_people_come_too(study: Study, taken: list[Participant]) -> None:
    (study.directory / "imported").mkdir()
    row = ("x-1", "i1", "human", "clarity", 5)
    write_csv(
        study.directory / "imported" / "judgements.csv", ("participant", "item", "system", "criterion", "value"), [row]
    )
    dataset = load_dataset(study)
    assert [each["participant"] for each in dataset.participants] == ["x-1", *(person.code for person in taken)]
    assert dataset.tables["judgements"][0]["value"] == 5
    assert "x-1" not in dataset.codes
    # Whose start is known comes where it belongs.
    started = [("x-1", "2099-01-01T00:00:00Z")]
    write_csv(study.directory / "imported" / "participants.csv", ("participant", "started_at"), started)
    people = [each["participant"] for each in load_dataset(study).participants]
    assert people == [*(person.code for person in taken), "x-1"]


def test_code_of_the_store_in_an_imported_table_is_an_error(study: Study, taken: list[Participant]) -> None:
    (study.directory / "imported").mkdir()
    rows = [(taken[2].code, "i1", "human", "clarity", 5), (taken[2].code, "i1", "human", "fluency", 5)]
    write_csv(
        study.directory / "imported" / "judgements.csv", ("participant", "item", "system", "criterion", "value"), rows
    )
    with pytest.raises(TableError) as error:
        load_dataset(study)
    assert str(error.value) == (
        f"imported/judgements.csv:2: participant: participant {taken[2].code!r} is also in the store; "
        "if it is the same person, export the store; if not, change the code here (1 more rows)"
    )


def test_loads_without_pandas(study: Study, taken: list[Participant]) -> None:
    program = (
        "import sys; from textassay.study.load import load_study; from textassay.answers.dataset import load_dataset;"
        f"assert load_dataset(load_study({str(study.directory)!r})).cases;"
        "assert not {'pandas', 'scipy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_rows_of_one_block(write_study: Callable[..., Study]) -> None:
    def two(data: dict[str, Any]) -> None:
        data["blocks"].append({**data["blocks"][0], "name": "again"})

    study = write_study(two)
    data = load_dataset(study)
    rows = [{"participant": "p", "item": "i1", "system": "human", "criterion": "clarity", "value": 3.0}]
    data.tables["judgements"] = [{**row, "block": block} for row in rows for block in ("quality", "again", "")]
    assert list(data.of_block(study.block("again"))["block"]) == ["again", ""]
    data.tables["judgements"] = rows
    assert len(data.of_block(study.block("quality"))) == 1


def test_damage_of_any_kind_is_told_with_the_remedy(study: Study, taken: list[Participant], tmp_path: Path) -> None:
    backup_study(study, tmp_path / "copy.db")
    sound, told = (tmp_path / "copy.db").read_bytes(), []
    for seed in range(20):
        data, rng = bytearray(sound), random.Random(seed)
        for length in (rng.choice([1, 4, 16, 64, 512, 4096]) for _ in range(9)):
            start = rng.randrange(100, len(data) - length)
            garbage = rng.choice([b"\0", b"\xff", b"2", rng.randbytes(length)])
            data[start : start + length] = (garbage * length)[:length]
        path = tmp_path / f"{seed}.db"
        path.write_bytes(data)
        try:
            load_dataset(replace(study, store=f"sqlite:///{path.as_posix()}"))
        except StoreError as error:
            told.append(str(error))
    assert len(told) > 10
    assert [text for text in told if "'textassay rescue' writes out what is readable" not in text] == []
