from __future__ import annotations

from pathlib import Path

from small_study import write_csv

from textassay.answers.dataset import load_dataset
from textassay.answers.emails import hash_email
from textassay.answers.imports import import_table, without_addresses
from textassay.answers.records import Participant
from textassay.answers.store import Store
from textassay.screening.verdicts import judge_all
from textassay.study.study import Study


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
