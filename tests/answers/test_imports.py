from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from small_study import write_csv

from textassay.answers.dataset import load_dataset
from textassay.answers.emails import hash_email
from textassay.answers.imports import import_table, without_addresses
from textassay.answers.records import Participant
from textassay.answers.store import Store
from textassay.errors import TableError, UsageError
from textassay.screening.verdicts import judge_all
from textassay.study.planning import stored_plan
from textassay.study.study import Study

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HEADER = ("participant", "item", "system", "criterion", "value")
GOOD = [
    ("x1", "i1", "human", "clarity", 6),
    ("x1", "i1", "human", "fluency", 55),
    ("x1", "i2", "neural", "clarity", 2),
    ("x2", "i1", "template", "clarity", 1),
]


def judgements(tmp_path: Path, rows: list[tuple[Any, ...]], header: tuple[str, ...] = HEADER) -> Path:
    path = tmp_path / "judgements.csv"
    write_csv(path, header, rows)
    return path


def problems(study: Study, path: Path, table: str | None = None) -> list[str]:
    with pytest.raises(TableError) as error:
        import_table(study, path, table)
    assert not (study.directory / "imported").exists()
    return [str(problem) for problem in error.value.problems]


# --- what is taken --------------------------------------------------------------------------------------------------


def test_each_text_of_an_item_is_a_trial_of_its_own_where_trials_show_one(study: Study, tmp_path: Path) -> None:
    rows = [("r1", "i1", system, "clarity", 5) for system in study.systems]
    import_table(study, judgements(tmp_path, rows))
    (case,) = load_dataset(study).cases
    assert [len(trial.rows) for trial in case.trials] == [1] * len(study.systems)


def test_bare_judgements(study: Study, tmp_path: Path) -> None:
    report = import_table(study, judgements(tmp_path, GOOD))
    assert (report.table, report.rows, report.participants) == ("judgements", 4, 2)
    assert report.path == study.directory / "imported" / "judgements.csv"
    assert str(report) == f"judgements: imported 4 rows of 2 participants as {report.path}"
    dataset = load_dataset(study)
    assert [row["participant"] for row in dataset.participants] == ["x1", "x2"]
    assert [tuple(row[name] for name in HEADER) for row in dataset.tables["judgements"]] == GOOD
    # what the web pages would have said is filled in as far as it is sure
    assert {(row["block"], row["kind"], row["practice"], row["repeat"]) for row in dataset.tables["judgements"]} == {
        ("quality", "main", False, 0)
    }
    first = dataset.cases[0]
    assert (first.participant, first.status, first.planned) == ("x1", "completed", None)
    assert [len(trial.rows) for trial in first.trials] == [2, 1]
    assert len(dataset.frame("judgements")) == 4
    assert not (study.directory / "answers.db").exists()


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl"])
def test_formats(study: Study, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"judgements{suffix}"
    if suffix == ".jsonl":
        path.write_text("".join(json.dumps(dict(zip(HEADER, row, strict=True))) + "\n" for row in GOOD))
    else:
        mark = "," if suffix == ".csv" else "\t"
        path.write_text("".join(mark.join(map(str, row)) + "\n" for row in (HEADER, *GOOD)))
    assert import_table(study, path).rows == 4
    assert [row["value"] for row in load_dataset(study).tables["judgements"]] == [6, 55, 2, 1]


def test_values_outside_the_scale_are_for_screening(study: Study, tmp_path: Path) -> None:
    import_table(study, judgements(tmp_path, [*GOOD, ("x3", "i1", "human", "clarity", 99)]))
    verdicts = {verdict.participant: verdict for verdict in judge_all(load_dataset(study).cases, study)}
    assert "outside-scale" in {reason.rule for reason in verdicts["x3"].reasons}
    assert "outside-scale" not in {reason.rule for reason in verdicts["x1"].reasons}


def test_further_columns_are_carried_along_and_named(study: Study, tmp_path: Path) -> None:
    rows = [(*row, "quiet") for row in GOOD]
    report = import_table(study, judgements(tmp_path, rows, (*HEADER, "room")))
    assert report.unknown == ("room",)
    assert str(report).endswith("; unknown columns, kept: room")
    assert {row["room"] for row in load_dataset(study).tables["judgements"]} == {"quiet"}


def test_table_is_told_by_its_columns(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "collected-in-may.csv"
    write_csv(path, HEADER, GOOD)
    assert import_table(study, path).table == "judgements"
    write_csv(path, ("participant", "native"), [("x1", "yes"), ("x2", "no")])
    with pytest.raises(UsageError, match=r"collected-in-may\.csv: not clear which table this is; rename it to one of"):
        import_table(study, path)
    assert import_table(study, path, "participants").table == "participants"


def test_participants_and_their_questionnaire(study: Study, tmp_path: Path) -> None:
    import_table(study, judgements(tmp_path, GOOD))
    path = tmp_path / "participants.csv"
    write_csv(path, ("participant", "native", "age", "status"), [("x2", "no", 17, "withdrawn"), ("x1", "yes", "", "")])
    import_table(study, path)
    dataset = load_dataset(study)
    assert [case.participant for case in dataset.cases] == ["x2", "x1"]
    assert dataset.cases[0].questionnaire == {"native": "no", "age": 17}
    assert dataset.cases[0].status == "withdrawn"
    assert dataset.cases[1].questionnaire == {"native": "yes"}
    assert [len(case.trials) for case in dataset.cases] == [1, 2]


def test_repeats_practice_and_checks(study: Study, tmp_path: Path) -> None:
    rows = [(*GOOD[0], 0), (*GOOD[0], 1)]
    import_table(study, judgements(tmp_path, rows, (*HEADER, "repeat")))
    unscored = tmp_path / "judgements-unscored.csv"
    header = ("participant", "item", "system", "criterion", "value")
    write_csv(unscored, header, [("x1", "p1", "", "clarity", 3), ("x1", "check-1", "", "clarity", 2)])
    import_table(study, unscored)
    dataset = load_dataset(study)
    assert [row["kind"] for row in dataset.tables["judgements"]] == ["main", "repeat"]
    assert [row["kind"] for row in dataset.unscored["judgements"]] == ["practice", "check"]
    (case,) = dataset.cases
    assert sorted(trial.kind for trial in case.trials) == ["check", "main", "practice", "repeat"]
    check = next(trial for trial in case.trials if trial.kind == "check")
    assert check.block.task.passed_attention_check(check.rows)


def test_items_of_practice_and_of_main_trials_are_not_mixed_up(study: Study, tmp_path: Path) -> None:
    for name, item, known in (("judgements-unscored", "i1", "p1"), ("judgements", "p1", "i1")):
        path = tmp_path / f"{name}.csv"
        write_csv(path, HEADER, [("x1", item, "template", "clarity", 3)])
        (problem,) = problems(study, path)
        assert f"item {item!r} is unknown in this study; use one of: {known!r}" in problem


def test_second_import_replaces_only_if_told(study: Study, tmp_path: Path) -> None:
    import_table(study, judgements(tmp_path, GOOD))
    with pytest.raises(UsageError, match=r"imported/judgements\.csv exists; replace it with --replace"):
        import_table(study, judgements(tmp_path, GOOD[:1]))
    assert len(load_dataset(study).tables["judgements"]) == 4
    assert import_table(study, judgements(tmp_path, GOOD[:1]), replace=True).rows == 1
    assert len(load_dataset(study).tables["judgements"]) == 1


# --- what is refused ------------------------------------------------------------------------------------------------


ITEMS_SHOWN = "'i1', 'i2', 'i3', 'i4', 'i5' …"


@pytest.mark.parametrize(
    ("row", "column", "value", "known"),
    [
        (("x1", "i99", "human", "clarity", 3), "item", "i99", ITEMS_SHOWN),
        (("x1", "p1", "human", "clarity", 3), "item", "p1", ITEMS_SHOWN),  # a practice item
        (("x1", "i1", "gpt", "clarity", 3), "system", "gpt", "'human', 'neural', 'template'"),
        (("x1", "i1", "human", "beauty", 3), "criterion", "beauty", "'clarity', 'fluency'"),
    ],
)
def test_name_that_the_study_does_not_know(
    study: Study, tmp_path: Path, row: tuple[Any, ...], column: str, value: str, known: str
) -> None:
    assert problems(study, judgements(tmp_path, [row, *GOOD])) == [
        f"judgements.csv:2: {column}: {column} {value!r} is unknown in this study; use one of: {known}"
    ]


@pytest.mark.parametrize(
    ("row", "place"),
    [
        (("x1", "i1", "human", "clarity", "good"), "judgements.csv:2:21: value: "),
        (("", "i1", "human", "clarity", 3), "judgements.csv:2:1: participant: "),
    ],
)
def test_wrong_value(study: Study, tmp_path: Path, row: tuple[Any, ...], place: str) -> None:
    (found,) = problems(study, judgements(tmp_path, [row, *GOOD]))
    assert found.startswith(place)


def test_all_problems_at_once_each_value_once(study: Study, tmp_path: Path) -> None:
    rows = [("x1", "i1", "gpt", "clarity", 1), ("x1", "i2", "gpt", "clarity", 1), ("x2", "i7", "human", "clarity", 1)]
    found = problems(study, judgements(tmp_path, rows))
    assert len(found) == 2
    assert found[0].startswith("judgements.csv:2: system: system 'gpt'")
    assert found[0].endswith("(1 more rows)")
    assert found[1].startswith("judgements.csv:4: item: item 'i7'")


def test_same_question_answered_twice(study: Study, tmp_path: Path) -> None:
    found = problems(study, judgements(tmp_path, [GOOD[0], GOOD[1], ("x1", "i1", "human", "clarity", 2)]))
    what = "participant 'x1', item 'i1', system 'human', criterion 'clarity'"
    remedy = "remove one, or mark a repeat with repeat 1"
    assert found == [f"judgements.csv:4: {what} is already in line 2; {remedy}"]


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("block", "other", "block 'other' is unknown in this study; use one of: 'quality'"),
        ("kind", "check", "kind 'check' is unknown in this study; use one of: 'main', 'repeat'"),
        ("kind", "again", "kind 'again' is unknown in this study"),
        ("repeat", "maybe", "'maybe' is not a number"),
        ("answered_at", "yesterday", "'yesterday' is not a time"),
    ],
)
def test_wrong_trial_column(study: Study, tmp_path: Path, column: str, value: str, message: str) -> None:
    (found,) = problems(study, judgements(tmp_path, [(*GOOD[0], value)], (*HEADER, column)))
    assert message in found


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        (
            "native",
            "No",
            "participants.csv:2: native: native 'No' is unknown in this study; use one of: 'yes', 'no'",
        ),
        ("age", "young", "participants.csv:2:4: age: 'young' is not a number; write a number"),
        ("status", "done", "status 'done' is unknown in this study; use one of: 'active', 'completed'"),
        ("cohort", "experts", "cohort 'experts' is unknown in this study; use one of: ''"),
    ],
)
def test_wrong_participant(study: Study, tmp_path: Path, column: str, value: str, message: str) -> None:
    path = tmp_path / "participants.csv"
    write_csv(path, ("participant", column), [("x1", value)])
    (found,) = problems(study, path)
    assert message in found


def test_everybody_who_answered_must_be_among_the_participants(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "participants.csv"
    write_csv(path, ("participant",), [("x1",)])
    import_table(study, path)
    with pytest.raises(TableError) as error:
        import_table(study, judgements(tmp_path, GOOD))
    assert str(error.value) == (
        "judgements.csv:5: participant: participant 'x2' is not in imported/participants.csv; "
        "add a row for this participant there"
    )
    write_csv(path, ("participant",), [("x1",), ("x2",)])
    import_table(study, path, replace=True)
    import_table(study, judgements(tmp_path, GOOD))
    write_csv(path, ("participant",), [("x2",)])
    with pytest.raises(
        TableError, match=r"imported/judgements\.csv:2: participant: participant 'x1' is not in participants\.csv"
    ):
        import_table(study, path, replace=True)


def test_code_that_the_store_has_is_refused(study: Study, taken: list[Participant], tmp_path: Path) -> None:
    (found,) = problems(study, judgements(tmp_path, [(taken[0].code, "i1", "human", "clarity", 3), *GOOD]))
    assert f"participant {taken[0].code!r} is also in the store" in found


def test_several_blocks_must_be_told_apart(write_study: Callable[..., Study], tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        second = {**data["blocks"][0], "name": "style"}
        second["criteria"] = [{"name": "beauty", "question": "How beautiful?"}]
        second["attention_checks"] = []
        data["blocks"].append(second)

    study = write_study(change)
    (found,) = problems(study, judgements(tmp_path, GOOD))
    assert (
        found == "judgements.csv:1: block: several blocks have this table (quality, style); fill in the column 'block'"
    )
    rows = [
        (*GOOD[0], "quality"),
        ("x1", "i1", "human", "beauty", 4, "style"),
        ("x1", "i2", "human", "beauty", 4, "quality"),
    ]
    (found,) = problems(study, judgements(tmp_path, rows, (*HEADER, "block")))
    assert "criterion 'beauty' is unknown" in found
    import_table(study, judgements(tmp_path, rows[:2], (*HEADER, "block")))
    assert [trial.block.name for trial in load_dataset(study).cases[0].trials] == ["quality", "style"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("judgements.csv", ""),
        ("judgements.csv", "participant,item,system,criterion,value\n"),
        ("judgements.csv", "participant,item,system,value\n1,2,3,4\n"),
        ("judgements.xlsx", "x"),
        ("other.jsonl", "[1]\n"),
    ],
)
def test_not_a_table(study: Study, tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert problems(study, path)[0].startswith(name)


def test_unknown_table(study: Study, tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match="no table 'rankings'; use one of: participants, judgements, judgements-unscored"
    ):
        import_table(study, judgements(tmp_path, GOOD), "rankings")


def test_stray_file_among_the_imported(study: Study) -> None:
    (study.directory / "imported").mkdir()
    (study.directory / "imported" / "notes.csv").write_text("a\n1\n")
    with pytest.raises(TableError, match=r"imported/notes\.csv: this study has no such table; remove the file"):
        load_dataset(study)


def test_address_is_hashed_with_the_key_of_the_study(study: Study) -> None:
    rows = [{"participant": "x1", "email": "Ada@uni-koeln.de"}, {"participant": "x2", "email": ""}]
    first, second = without_addresses(study, rows)
    with Store.open(study.store_url) as store:
        assert first["email"] == hash_email("ada@uni-koeln.de", store.secret("email"))
    assert first["email_plausible"] is True
    assert second["email"] is None
    assert rows[0]["email"] == "Ada@uni-koeln.de"  # the caller's rows are left alone


def test_hash_stays_and_no_store_is_made_for_it(study: Study) -> None:
    rows = [{"participant": "x1", "email": "0" * 64, "email_plausible": False}]
    assert without_addresses(study, rows) == rows
    assert not (study.directory / "answers.db").exists()


def test_no_address_reaches_the_study_directory(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "participants.csv"
    write_csv(path, ("participant", "email"), [("x1", "ada@uni-koeln.de"), ("x2", "test@test.com")])
    import_table(study, path)
    for file in study.directory.rglob("*"):
        assert file.is_dir() or b"uni-koeln" not in file.read_bytes()
    rules = [{reason.rule for reason in verdict.reasons} for verdict in judge_all(load_dataset(study).cases, study)]
    assert ["fake-email" in broken for broken in rules] == [False, True]


def test_person_of_an_imported_table_is_known_in_the_store(
    study: Study, taken: list[Participant], tmp_path: Path
) -> None:
    path = tmp_path / "participants.csv"
    write_csv(path, ("participant", "email"), [("x1", "ADA@uni-koeln.de")])
    import_table(study, path)
    verdicts = judge_all(load_dataset(study).cases, study)
    twice = [
        verdict.participant for verdict in verdicts if "took-part-twice" in {each.rule for each in verdict.reasons}
    ]
    assert twice == [taken[0].code, taken[1].code]  # the imported one has no time, so it was before


def test_store_elsewhere_has_the_key_and_the_codes_that_are_taken(study: Study, tmp_path: Path) -> None:
    url = f"sqlite:///{(tmp_path / 'elsewhere.db').as_posix()}"
    study = replace(study, store=url)
    with Store.open(url) as store:
        code = store.join(stored_plan(study).slots, cohort="", now=NOON, release_after=timedelta(hours=1))[0].code
        key = store.secret("email")
    path = tmp_path / "participants.csv"
    write_csv(path, ("participant", "email"), [(code, "")])
    with pytest.raises(TableError, match="is also in the store"):
        import_table(study, path)
    write_csv(path, ("participant", "email"), [("x1", "ada@uni-koeln.de")])
    import_table(study, path)
    assert hash_email("ada@uni-koeln.de", key) in (study.directory / "imported" / "participants.csv").read_text()
    assert not (study.directory / "answers.db").exists()


def test_domain_that_excludes_is_known_of_imported_people_too(
    write_study: Callable[..., Study], tmp_path: Path
) -> None:
    def barring(data: dict[str, Any]) -> None:
        data["questionnaire"][3]["exclude"] = ["uni-koeln.de"]

    study = write_study(barring)
    path = tmp_path / "participants.csv"
    write_csv(path, ("participant", "email"), [("x1", "ada@uni-koeln.de"), ("x2", "bob@uni-bonn.de")])
    import_table(study, path)
    data = load_dataset(study)
    assert [cells["email_domain"] or None for cells in data.participants] == ["uni-koeln.de", None]
    rules = [{reason.rule for reason in verdict.reasons} for verdict in judge_all(data.cases, study)]
    assert ["questionnaire" in broken for broken in rules] == [True, False]


def test_ending_of_a_file_may_be_in_capitals(study: Study, tmp_path: Path) -> None:
    path = judgements(tmp_path, GOOD).rename(tmp_path / "FROM-PAPER.CSV")
    assert import_table(study, path).table == "judgements"
