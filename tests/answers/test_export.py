from __future__ import annotations

import csv
import io
import json
import tracemalloc
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest
from small_study import write_csv

from textassay.answers import columns
from textassay.answers.dataset import Dataset, load_dataset
from textassay.answers.export import export_files, export_study
from textassay.answers.exported_columns import REVISIONS, column_values, personal_names
from textassay.answers.imports import import_table
from textassay.answers.records import NewAnswer, Participant, Status
from textassay.answers.store import Store
from textassay.design.plan import TrialKind
from textassay.screening.verdicts import judge_all
from textassay.study.study import Study
from textassay.tables.reader import read_table

HUBER = "Mrs Huber"
ORGANIST = "organist"


@pytest.fixture
def dataset(study: Study, taken: list[Participant]) -> Dataset:
    return load_dataset(study)


def names(paths: list[Path]) -> list[str]:
    return [path.name for path in paths]


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_files(study: Study, dataset: Dataset, tmp_path: Path) -> None:
    paths = export_study(study, tmp_path / "out")
    assert names(paths) == [
        "participants.csv",
        "judgements.csv",
        "judgements-unscored.csv",
        "answers-revisions.jsonl",
        "codebook.csv",
        "codebook.md",
    ]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(names(paths))


@pytest.mark.parametrize("personal", [False, True])
def test_every_table_validates_when_read_back(study: Study, dataset: Dataset, tmp_path: Path, personal: bool) -> None:
    export_study(study, tmp_path, personal=personal)
    for name, schema in columns.schemas(study).items():
        rows = read_table(tmp_path / f"{name}.csv", schema)
        written = dataset.rows(name)
        assert len(rows) == len(written)
        for row, source in zip(rows, written, strict=True):
            screened = ("verdict", "reasons")
            given = {key: value for key, value in row.values.items() if value not in (None, "") and key not in screened}
            assert given == {key: source[key] for key in given}  # the same values of the same types
    revisions = read_table(tmp_path / "answers-revisions.jsonl", REVISIONS)
    assert {row["participant"] for row in revisions} == {row["participant"] for row in dataset.participants}


def test_nothing_personal_unless_asked_for(study: Study, dataset: Dataset, tmp_path: Path) -> None:
    hidden = [HUBER, ORGANIST, "prolific-", dataset.participants[0]["email"], "Mozilla"]
    paths = export_study(study, tmp_path / "public")
    text = "".join(path.read_text(encoding="utf-8") for path in paths)
    assert [word for word in hidden if word in text] == []
    paths = export_study(study, tmp_path / "private", personal=True)
    text = "".join(path.read_text(encoding="utf-8") for path in paths)
    assert [word for word in hidden if word not in text] == []


def test_every_revision_is_there(study: Study, store: Store, taken: list[Participant], tmp_path: Path) -> None:
    export_study(study, tmp_path, personal=True)
    codes = {participant.id: participant.code for participant in taken}
    lines = [json.loads(line) for line in (tmp_path / "answers-revisions.jsonl").read_text("utf-8").splitlines()]
    assert [(line["participant"], line["page"], line["revision"], line["payload"]) for line in lines] == [
        (codes[number], answer.page, answer.revision, answer.payload)
        for number, answer in store.all_answers(revisions=True)
    ]
    assert {line["revision"] for line in lines} == {0, 1}
    for line, (_, answer) in zip(lines, store.all_answers(revisions=True), strict=True):
        for name in ("answer_id", "rt_ms", "client"):
            assert line[name] == getattr(answer, name)
        for name in ("started_at", "answered_at", "opened_at", "received_at"):
            moment = getattr(answer, name)
            assert line[name] == (moment and moment.isoformat()), name
    of_platforms = {"external_id", "platform_study", "platform_session"}
    assert personal_names(study) == {*of_platforms, "job", "email", "email_domain", "comment", "why"}


def test_times_of_a_revision_are_told_apart(
    study: Study, store: Store, taken: list[Participant], tmp_path: Path
) -> None:
    shown, answered, opened, received = (datetime(2026, 3, 1, 12, minute, tzinfo=UTC) for minute in (1, 2, 3, 4))
    store.opened(taken[0].id, "break:quality:9", opened)
    store.save(taken[0].id, NewAnswer("one", "break:quality:9", {}, shown, answered, 60_000.0), now=received)
    export_study(study, tmp_path)
    last = json.loads((tmp_path / "answers-revisions.jsonl").read_text("utf-8").splitlines()[-1])
    assert [last[name] for name in ("started_at", "answered_at", "opened_at", "received_at")] == [
        moment.isoformat() for moment in (shown, answered, opened, received)
    ]


def test_codebook_has_every_column_of_every_file(study: Study, dataset: Dataset, tmp_path: Path) -> None:
    paths = export_study(study, tmp_path)
    described = read_csv(tmp_path / "codebook.csv")
    for path in paths:
        if path.suffix == ".csv" and path.stem != "codebook":
            with path.open(encoding="utf-8", newline="") as stream:
                header = next(csv.reader(stream))
        elif path.suffix == ".jsonl":
            header = list(json.loads(path.read_text("utf-8").splitlines()[0]))
        else:
            continue
        entries = [row for row in described if row["file"] == path.name]
        assert [row["column"] for row in entries if row["exported"] == "true"] == header
        assert all(row["description"] for row in entries)
        assert {row["column"] for row in entries if row["exported"] == "false"} == {
            row["column"] for row in entries if row["personal"] == "true"
        }
    values = {(row["file"], row["column"]): row["values"] for row in described}
    assert values["participants.csv", "native"] == "yes; no: excludes"
    assert values["participants.csv", "age"] == "at least: 0; at most: 120; below excludes: 18"
    asked = values["judgements.csv", "criterion"]
    for words in (
        "clarity: How clear is the text?",
        "perfectly clear",
        "fluency: How well does it read?",
        "very badly",
    ):
        assert words in asked
    assert values["judgements.csv", "kind"] == "main: shown for the first time; repeat: shown a second time"
    assert values["judgements-unscored.csv", "kind"] == "practice: for practice; check: attention check"


def test_verdicts_of_screening(study: Study, dataset: Dataset, tmp_path: Path) -> None:
    export_study(study, tmp_path)
    rows = read_csv(tmp_path / "participants.csv")
    verdicts = judge_all(dataset.cases, study)
    assert [row["verdict"] == "valid" for row in rows] == [verdict.valid for verdict in verdicts]
    assert [row["reasons"] for row in rows] == [
        "; ".join(f"{reason.rule}: {reason.text}" for reason in verdict.reasons) for verdict in verdicts
    ]
    assert rows[2]["verdict"] == "excluded"
    assert rows[2]["reasons"].startswith("withdrawn: withdrew their answers; ")


def filled(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows without their empty cells: an export has columns for what a study did not ask, too."""
    return [{name: cell for name, cell in row.items() if cell not in (None, "")} for row in rows]


def test_export_can_be_imported_elsewhere(
    study: Study, store: Store, taken: list[Participant], write_study: Callable[..., Study], tmp_path: Path
) -> None:
    store.set_simulated(taken[1].id)
    dataset = load_dataset(study)
    export_study(study, tmp_path / "out", personal=True)
    other = write_study(name="other")
    for name in ("participants", "judgements", "judgements-unscored"):
        import_table(other, tmp_path / "out" / f"{name}.csv")
    again = load_dataset(other)
    for name in ("judgements", "judgements-unscored"):
        assert filled(again.rows(name)) == filled(dataset.rows(name))
    assert [case.questionnaire for case in again.cases] == [case.questionnaire for case in dataset.cases]
    assert [case.earlier for case in again.cases] == [case.earlier for case in dataset.cases]
    assert [row["simulated"] for row in again.participants] == [False, True, False]
    assert [case.simulated for case in again.cases] == [False, True, False]
    export_study(other, tmp_path / "again", personal=True)
    for name in ("judgements.csv", "judgements-unscored.csv"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()
    # How many trials were planned is not known elsewhere, so reasons differ.
    before, after = (read_csv(tmp_path / folder / "participants.csv") for folder in ("out", "again"))
    assert [{**row, "reasons": ""} for row in after] == [{**row, "reasons": ""} for row in before]


def test_unknown_columns_about_people_count_as_personal(study: Study, tmp_path: Path) -> None:
    people, answers = tmp_path / "participants.csv", tmp_path / "judgements.csv"
    write_csv(people, ("participant", "surname"), [("x1", "Huber")])
    write_csv(
        answers,
        ("participant", "item", "system", "criterion", "value", "room"),
        [("x1", "i1", "human", "clarity", 3, "B")],
    )
    import_table(study, people)
    import_table(study, answers)
    export_study(study, tmp_path / "out")
    assert "surname" not in read_csv(tmp_path / "out" / "participants.csv")[0]
    assert read_csv(tmp_path / "out" / "judgements.csv")[0]["room"] == "B"
    export_study(study, tmp_path / "out", personal=True)
    assert read_csv(tmp_path / "out" / "participants.csv")[0]["surname"] == "Huber"


def test_study_without_practice_and_checks_has_no_table_for_them(
    write_study: Callable[..., Study], tmp_path: Path
) -> None:
    def change(data: dict[str, Any]) -> None:
        del data["blocks"][0]["practice"]
        del data["blocks"][0]["attention_checks"]
        del data["screening"]["attention-checks"]

    study = write_study(change)
    assert "judgements-unscored.csv" not in names(export_study(study, tmp_path / "out"))


@pytest.mark.parametrize(
    "comment",
    [
        "one\rtwo", "one\r\ntwo", "\n", '"', '","', "tab\tbed", "line\u2028separator", "next\x85line", "form\x0cfeed",
        "=1+1", "🙂 한국어 עברית", "nul\0", "half \ud83d",
    ],
)  # fmt: skip
def test_whatever_people_write_comes_through(takers: Any, study: Study, tmp_path: Path, comment: str) -> None:
    person = takers.join()
    trial = next(each for each in takers.plan.slot(person.slot).trials if each.kind == "main")
    takers.rate(person, trial, 3, comment)
    export_study(study, tmp_path / "out", personal=True)
    rows = read_table(tmp_path / "out" / "judgements.csv", columns.schemas(study)["judgements"])
    # what no text file can hold was replaced when it was stored
    assert {row["comment"] for row in rows} == {comment.replace("\0", "\ufffd").replace("\ud83d", "\ufffd")}


def test_nobody_has_come_yet(study: Study, tmp_path: Path) -> None:
    export_study(study, tmp_path / "out")
    assert (tmp_path / "out" / "judgements.csv").read_text().startswith("participant,item,system,criterion,value,")
    assert (tmp_path / "out" / "answers-revisions.jsonl").read_text() == ""


# --- What is sent while it is made is what an export writes, and it is never held whole -----------------------------


def sent(files: Any) -> dict[str, str]:
    return {name: "".join(lines()) for name, lines in files.items()}


def exported(study: Study, directory: Path, *, personal: bool) -> dict[str, str]:
    paths = export_study(study, directory, personal=personal)
    return {path.name: path.read_bytes().decode() for path in paths}


def plainly(value: Any) -> str:
    """A cell, written as plainly as possible."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_same_bytes_as_a_dataset_written_plainly(takers: Any, taken: list[Participant], tmp_path: Path) -> None:
    study, store, plan = takers.study, takers.store, takers.plan
    trial = plan.slot(taken[1].slot).trials[-1]
    takers.rate(taken[1], trial, 2, 'a "quoted", comment\nof two lines')
    takers.rate(taken[1], trial, 4, "changed, later")
    dataset = load_dataset(study)
    verdicts = judge_all(dataset.cases, study)
    for row, verdict in zip(dataset.participants, verdicts, strict=True):
        reasons = "; ".join(f"{reason.rule}: {reason.text}" for reason in verdict.reasons)
        row.update(verdict="valid" if verdict.valid else "excluded", reasons=reasons)
    files = exported(study, tmp_path, personal=True)
    for name, schema in dataset.schemas.items():
        plain = io.StringIO()
        writer = csv.writer(plain, lineterminator="\n")
        writer.writerow([column.name for column in schema.columns])
        writer.writerows([[plainly(row.get(each.name)) for each in schema.columns] for row in dataset.rows(name)])
        assert files[f"{name}.csv"] == plain.getvalue()
    codes = {person.id: person.code for person in store.participants()}
    names = [column.name for column in REVISIONS.columns[1:]]
    lines = []
    for number, answer in store.all_answers(revisions=True):
        stored = {name: getattr(answer, name) for name in names}
        times = {name: plainly(value) for name, value in stored.items() if isinstance(value, datetime)}
        whole = {"participant": codes[number], **stored, **times, "payload": answer.payload, "client": answer.client}
        lines.append(json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n")
    assert files["answers-revisions.jsonl"] == "".join(lines)


@pytest.mark.parametrize("all_files", [False, True])
def test_a_file_is_the_same_alone_and_again(takers: Any, taken: list[Participant], all_files: bool) -> None:
    source = (takers.plan, takers.store)
    expected = sent(export_files(takers.study, source))
    files = export_files(takers.study, source, all_files=all_files)
    assert "".join(files["judgements.csv"]()) == expected["judgements.csv"]
    assert sent(files) == expected
    assert sent(files) == expected
    next(files["participants.csv"]())  # begun and given up
    assert sorted(path.name for path in takers.study.directory.glob("tmp*")) == []


@pytest.mark.parametrize("personal", [False, True])
def test_same_bytes_as_an_export(takers: Any, taken: list[Participant], tmp_path: Path, personal: bool) -> None:
    files = export_files(takers.study, (takers.plan, takers.store), personal=personal)
    expected = exported(takers.study, tmp_path, personal=personal)
    assert sent(files) == expected
    assert list(files) == list(expected)


def test_same_bytes_with_tables_from_elsewhere(takers: Any, taken: list[Participant], tmp_path: Path) -> None:
    people, answers = tmp_path / "participants.csv", tmp_path / "judgements.csv"
    # one who came before everybody, one whose time is not known
    rows = [("x1", "2026-02-28T12:00:00+00:00", "Huber"), ("x2", "", "Maier")]
    write_csv(people, ("participant", "started_at", "surname"), rows)
    judged = [(person, "i1", "human", "clarity", 3, "B") for person in ("x1", "x2")]
    write_csv(answers, ("participant", "item", "system", "criterion", "value", "room"), judged)
    import_table(takers.study, people)
    import_table(takers.study, answers)
    files = export_files(takers.study, (takers.plan, takers.store))
    assert sent(files) == exported(takers.study, tmp_path / "out", personal=False)
    codes = [line.partition(",")[0] for line in files["participants.csv"]()]
    assert codes == ["participant", "x2", "x1", *(person.code for person in taken)]


def test_study_without_practice_and_checks_has_no_table_for_them_streaming(write_study: Callable[..., Study]) -> None:
    from textassay.answers.store import Store
    from textassay.study.planning import stored_plan

    def change(data: dict[str, Any]) -> None:
        del data["blocks"][0]["practice"]
        del data["blocks"][0]["attention_checks"]
        del data["screening"]["attention-checks"]

    study = write_study(change)
    with Store.open(study.store_url) as store:
        assert "judgements-unscored.csv" not in export_files(study, (stored_plan(study), store))


def test_what_comes_while_it_is_sent_is_in_no_file(takers: Any, taken: list[Participant], tmp_path: Path) -> None:
    before = exported(takers.study, tmp_path, personal=False)
    files = export_files(takers.study, (takers.plan, takers.store))
    half_way = taken[1]
    trials = takers.plan.slot(half_way.slot).trials
    takers.rate(half_way, trials[0], 1)  # a change
    takers.rate(half_way, trials[6], 1)  # a new answer
    newcomer = takers.join(20)
    takers.rate(newcomer, takers.plan.slot(newcomer.slot).trials[0])
    assert sent(files) == before
    assert len(sent(export_files(takers.study, (takers.plan, takers.store)))["participants.csv"]) > len(
        before["participants.csv"]
    )


def greatest(lines: Iterable[str]) -> int:
    """The most memory that making the lines takes, in bytes."""
    tracemalloc.start()
    for _ in lines:
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def test_memory_does_not_grow_with_the_number_of_people(takers: Any) -> None:
    comment = "x" * 20_000

    def come(people: int) -> None:
        for _ in range(people):
            person = takers.join()
            for trial in takers.plan.slot(person.slot).trials:
                takers.rate(person, trial, 3, comment)

    come(2)
    assert takers.store.journal.extent().answers < 100

    def peak() -> int:
        return greatest(export_files(takers.study, (takers.plan, takers.store), personal=True)["judgements.csv"]())

    peak()  # what is imported and compiled at the first time
    few = peak()
    come(14)
    many = peak()
    # 8 times as many people, each with 11 comments of 20 kB twice: 3 MB of text more
    assert many < 1.5 * few


def test_values_stand_only_under_columns_that_are_there(study: Study) -> None:
    for schema in columns.schemas(study).values():
        assert column_values(study, schema).keys() <= {column.name for column in schema.columns}


def test_every_status_and_kind_is_explained(study: Study) -> None:
    schemas = columns.schemas(study)
    assert tuple(column_values(study, schemas["participants"])["status"]) == get_args(Status)
    kinds = [
        kind for name in ("judgements", "judgements-unscored") for kind in column_values(study, schemas[name])["kind"]
    ]
    assert sorted(kinds) == sorted(get_args(TrialKind))


def test_cohorts(write_study: Callable[..., Study]) -> None:
    def change(data: dict[str, Any]) -> None:
        data["participants"] = {"cohorts": [{"name": "experts", "wanted": 3}, {"name": "lay", "wanted": 6}]}

    study = write_study(change)
    found = column_values(study, columns.participants_schema(study))
    assert found["cohort"] == {"experts": "3 wanted", "lay": "6 wanted"}


def test_study_without_cohorts_has_no_values_for_them(study: Study) -> None:
    assert "cohort" not in column_values(study, columns.participants_schema(study))
