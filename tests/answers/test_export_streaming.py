"""What is sent while it is made is what an export writes, and it is never held whole."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from small_study import write_csv

from textassay.answers.export import export_files, export_study
from textassay.answers.imports import import_table
from textassay.answers.records import Participant
from textassay.study.study import Study


def sent(files: Any) -> dict[str, str]:
    return {name: "".join(lines()) for name, lines in files.items()}


def exported(study: Study, directory: Path, *, personal: bool) -> dict[str, str]:
    paths = export_study(study, directory, personal=personal)
    return {path.name: path.read_bytes().decode() for path in paths}


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


def test_study_without_practice_and_checks_has_no_table_for_them(write_study: Callable[..., Study]) -> None:
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
