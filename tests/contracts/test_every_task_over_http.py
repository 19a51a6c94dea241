"""Every kind of trial taken by 30 participants through the server: the tables hold what they did, and only that."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from task_studies import write_task_study

from textassay import catalogue
from textassay.answers.columns import UNSCORED, trial_time
from textassay.answers.dataset import load_dataset
from textassay.answers.export import export_study
from textassay.answers.imports import import_table
from textassay.answers.store import Store
from textassay.design.plan import Plan
from textassay.rehearsal import over_http
from textassay.rehearsal.people import ALL_ORDINARY, person
from textassay.rehearsal.recruiting import Rehearsal
from textassay.rehearsal.respondent import Respondent
from textassay.serve.server import ServerThread
from textassay.study.load import load_study
from textassay.study.planning import stored_plan
from textassay.study.study import Study
from textassay.tables.reader import convert, read_table
from textassay.tables.schema import Column, Kind, TableSchema

PEOPLE = 30
"""Each row is compared with what was simulated. More participants repeat the comparison and take longer; they would
give rare answers more chances to appear."""


def shortened(data: dict[str, Any]) -> None:
    """Nothing but trials, and few of them: the rest is the same for every task and tried elsewhere."""
    data["participants"] = {"wanted": PEOPLE}
    data["screening"] = {}
    data["questionnaire"] = []
    data.pop("consent", None)
    for block in data["blocks"]:
        block.pop("instructions", None)
        block["design"] = {**block.get("design", {}), "items_per_participant": 2, "repeats": 1}
        block["design"].pop("break_every", None)


Taken = tuple[Study, Plan, Rehearsal, Path]


@pytest.mark.parametrize("task", [*catalogue.names("task"), "together"])
def test_the_tables_hold_what_the_participants_did(task: str, tmp_path: Path) -> None:
    # One test: otherwise each worker would simulate the study again.
    taken = taken_by_all(task, tmp_path)
    the_table_fits_its_codebook(taken)
    what_was_simulated_can_be_read_back(taken)
    every_answer_knows_when_its_page_was_opened(taken)
    the_export_can_be_imported_into_a_copy_of_the_study(taken, task, tmp_path)


def taken_by_all(task: str, directory: Path) -> Taken:
    study = load_study(write_task_study(task, directory / "study", shortened))
    plan = stored_plan(study)
    with Store.open(study.store_url) as store, ServerThread(study, plan, store=store) as server:
        came = over_http.simulate(study, plan, store, server.links, crowd=ALL_ORDINARY, one_cache=True)
    export_study(study, directory / "export", personal=True)
    return study, plan, came, directory / "export"


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def the_table_fits_its_codebook(taken: Taken) -> None:
    study, _, _, export = taken
    schema = study.blocks[0].task.schema
    described = [row for row in read(export / "codebook.csv") if row["file"] == f"{schema.name}.csv"]
    # The table is read with what the codebook says, not with what the program knows.
    kinds: dict[str, Kind] = {row["column"]: row["type"] for row in described}  # type: ignore[misc]
    required = tuple(column.name for column in schema.columns if column.required and not column.undefined)
    columns = tuple(Column(name, kind, "", required=name in required) for name, kind in kinds.items())
    table = read_table(export / f"{schema.name}.csv", TableSchema(schema.name, "", columns))
    assert table.columns == tuple(kinds)
    assert all(row["description"] for row in described)
    for row in described:
        allowed = {value.partition(": ")[0] for value in row["values"].split("; ")} if row["values"] else set()
        seen = {str(each[row["column"]]) for each in table if each[row["column"]] not in (None, "")}
        if allowed and kinds[row["column"]] == "text":
            assert seen <= allowed, row["column"]


def expected_rows(study: Study, plan: Plan, came: Rehearsal, slots: Mapping[str, int]) -> Iterator[tuple[str, Any]]:
    """What the people did, played once more without server, store and export: trial and row."""
    block = study.blocks[0]
    for each in came.people:
        slot = plan.slot(slots[each.participant])
        respondent = Respondent(study, person(study, each.number, ALL_ORDINARY), slot)
        for trial in slot.trials:
            played = respondent.respond(trial)
            for row in block.task.rows(trial, block.task.read(trial, played.payload)):
                yield (
                    trial.kind,
                    {
                        "participant": each.participant,
                        "trial": trial.key,
                        "kind": trial.kind,
                        "position": trial.position,
                        trial_time(block.task.schema): played.rt_ms,
                        **row,
                    },
                )


def what_was_simulated_can_be_read_back(taken: Taken) -> None:
    study, plan, came, export = taken
    assert len(came.people) == PEOPLE
    assert came.full
    people = read(export / "participants.csv")
    assert {row["status"] for row in people} == {"completed"}
    slots = {row["participant"]: int(row["slot"]) for row in people}
    assert sorted(slots.values()) == list(range(1, PEOPLE + 1))
    schema = study.blocks[0].task.schema
    stored = [*read(export / f"{schema.name}.csv"), *read(export / f"{schema.name}{UNSCORED}.csv")]
    found: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    for row in stored:
        found[row["participant"], row["trial"]].append(row)
    wanted: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for _, row in expected_rows(study, plan, came, slots):
        wanted[row["participant"], row["trial"]].append(row)
    assert found.keys() == wanted.keys()
    for key, rows in wanted.items():
        assert len(found[key]) == len(rows)
        for there, row in zip(found[key], rows, strict=True):
            assert {name: _value(schema, name, there[name]) for name in row} == {
                name: "" if value is None else value for name, value in row.items()
            }


def _value(schema: TableSchema, name: str, text: str) -> Any:
    column = schema.column(name)
    assert column is not None
    return convert(text, column.kind) if text else ""


def every_answer_knows_when_its_page_was_opened(taken: Taken) -> None:
    study, _, _, export = taken
    limit = study.blocks[0].task.limit_seconds()
    rows = read(export / f"{study.blocks[0].task.schema.name}.csv")
    assert all(row["opened_at"] for row in rows)
    assert {row["late"] for row in rows} == ({""} if limit is None else {"false"})


def the_export_can_be_imported_into_a_copy_of_the_study(taken: Taken, kind: str, tmp_path: Path) -> None:
    study, _, _, export = taken
    task = study.blocks[0].task
    copy = load_study(write_task_study(kind, tmp_path / "copy", shortened))
    for table in ("participants", task.schema.name, task.schema.name + UNSCORED):
        assert import_table(copy, export / f"{table}.csv").participants == PEOPLE
    before, after = load_dataset(study), load_dataset(copy)
    own = [column.name for column in task.schema.columns]
    rows = [[{name: row.get(name) for name in own} for row in data.rows(task.schema.name)] for data in (before, after)]
    assert _sorted(rows[1]) == _sorted(rows[0])
    assert len(after.cases) == PEOPLE
    assert sum(len(case.trials) for case in after.cases) == sum(len(case.trials) for case in before.cases)


def _sorted(rows: list[dict[str, Any]]) -> list[list[tuple[str, str]]]:
    """Rows in an order that does not depend on who came first, as far as a file can tell values apart."""
    return sorted([(name, _written(value)) for name, value in row.items() if value not in (None, "")] for row in rows)


def _written(value: Any) -> str:
    return repr(float(value)) if type(value) in (int, float) else str(value)
