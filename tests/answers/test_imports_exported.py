"""What was exported and imported again is what it was, without what is personal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from textassay.answers.dataset import Dataset, load_dataset
from textassay.answers.export import export_files, export_study
from textassay.answers.imports import import_table
from textassay.answers.records import Participant
from textassay.answers.store import Store
from textassay.design.plan import Plan
from textassay.screening.verdicts import judge_all
from textassay.study.study import Study
from textassay.tables.writer import write_lines

TABLES = ("participants", "judgements", "judgements-unscored")


def imported(study: Study, folder: Path) -> Dataset:
    for name in TABLES:
        import_table(study, folder / f"{name}.csv")
    return load_dataset(study)


def shared(dataset: Dataset, name: str) -> list[dict[str, Any]]:
    """The rows of a table with what is neither personal nor empty."""
    columns = [column.name for column in dataset.schemas[name].columns if not column.personal]
    verdicts = ("verdict", "reasons")
    return [
        {each: row[each] for each in columns if each not in verdicts and row.get(each) not in (None, "")}
        for row in dataset.rows(name)
    ]


def test_nothing_is_lost_but_what_is_personal(
    study: Study, taken: list[Participant], write_study: Callable[..., Study], tmp_path: Path
) -> None:
    export_study(study, tmp_path / "export")
    other = write_study(name="other")
    here, there = load_dataset(study), imported(other, tmp_path / "export")
    assert len(there.participants) == len(taken)
    for name in TABLES:
        assert shared(there, name) == shared(here, name)
    assert [case.planned for case in there.cases] == [case.planned for case in here.cases]
    assert [[(each.kind, each.rt_ms) for each in case.trials] for case in there.cases] == [
        [(each.kind, each.rt_ms) for each in case.trials] for case in here.cases
    ]
    verdicts = judge_all(here.cases, study)
    assert {reason.rule for verdict in verdicts for reason in verdict.reasons} >= {"took-part-twice", "incomplete"}
    assert judge_all(there.cases, other) == verdicts


def test_table_of_another_plan_does_not_say_how_many_trials_were_planned(
    study: Study, taken: list[Participant], write_study: Callable[..., Study], tmp_path: Path
) -> None:
    del taken
    export_study(study, tmp_path / "export")
    other = write_study(lambda data: data.update(seed=8), name="other")
    planned = {bool(case.trials): case.planned for case in imported(other, tmp_path / "export").cases}
    assert planned[True] is None


def test_who_withdrew_is_counted_without_answers(
    study: Study,
    plan: Plan,
    store: Store,
    taken: list[Participant],
    write_study: Callable[..., Study],
    tmp_path: Path,
) -> None:
    gone = next(person for person in taken if person.status == "withdrawn")
    for name, lines in export_files(study, (plan, store), withdrawn=False).items():
        write_lines(tmp_path / "export" / name, lines())
    kept = (tmp_path / "export" / "answers-revisions.jsonl").read_text(encoding="utf-8")
    assert gone.code not in kept
    other = write_study(name="other")
    there = imported(other, tmp_path / "export")
    row = next(row for row in there.participants if row["participant"] == gone.code)
    assert (row["status"], row["native"], row["age"]) == ("withdrawn", "", None)
    assert judge_all(there.cases, other) == judge_all(load_dataset(study).cases, study)
