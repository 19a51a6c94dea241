"""A bundle holds what others need and nothing personal, and the same study gives the same bytes."""

from __future__ import annotations

import base64
import json
import re
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from bundled_study import Bundled
from small_study import write_csv, write_small_study
from svg_only import svg_only

import textassay
from textassay import pipeline
from textassay.answers.imports import import_table
from textassay.answers.records import NewAnswer
from textassay.answers.store import Store
from textassay.errors import DataError
from textassay.report.summary import Findings
from textassay.sharing.archive import checksum
from textassay.sharing.bundle import public_study_file, write_bundle, write_material
from textassay.study.load import load_study
from textassay.study.study import Study


def texts_of(path: Path) -> dict[str, str]:
    """Every file of an archive as text, with what its pages hold as `data:` addresses."""
    with zipfile.ZipFile(path) as archive:
        found = {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}
    for name, text in list(found.items()):
        inside = [base64.b64decode(each) for each in re.findall(r"base64,([A-Za-z0-9+/=]+)", text)]
        found[f"{name} (data)"] = "".join(each.decode("utf-8", "replace") for each in inside)
    return found


def test_nothing_personal_or_secret_is_in_it(bundled: Bundled) -> None:
    assert len(bundled.secrets) > 25
    texts = texts_of(bundled.path)
    assert any("clarity" in text for name, text in texts.items() if name.endswith("(data)"))
    found = [(name, secret) for name, text in texts.items() for secret in bundled.secrets if secret in text]
    assert found == []
    assert [name for name, text in texts.items() if str(bundled.study.directory.parent) in text] == []


def test_everything_that_others_need_is_in_it(bundled: Bundled) -> None:
    with zipfile.ZipFile(bundled.path) as archive:
        names = {name.removeprefix("small-study/") for name in archive.namelist()}
        about = json.loads(archive.read("small-study/bundle.json"))
        readme = archive.read("small-study/README.txt").decode()
    assert names >= {
        "README.txt", "SHA256SUMS", "SIMULATED.txt", "answers-revisions.jsonl", "bundle.json", "codebook.csv",
        "codebook.md", "consent.md", "finish.md", "imported/judgements-unscored.csv", "imported/judgements.csv",
        "imported/participants.csv", "instructions.md", "items.csv", "plan.json", "practice.csv", "references.csv",
        "report.html", "results.json", "scores.csv", "study.yaml", "texts.csv",
    }  # fmt: skip
    assert (about["kind"], about["format"], about["versions"]["textassay"]) == (
        "textassay bundle",
        1,
        textassay.__version__,
    )
    assert f"pip install textassay=={textassay.__version__}\n  textassay verify small-study\n" in readme
    listed = {line.split()[0] for line in readme.partition("-------------\n")[2].split("\n\n")[0].splitlines()}
    folders = {"report/", "imported/"}
    assert listed == {name for name in names if "/" not in name} - {"README.txt", "codebook.csv"} | folders


def test_page_says_how_to_redo_it_and_has_the_checksums_of_the_bundle(unpacked: Path) -> None:
    page = (unpacked / "report.html").read_text(encoding="utf-8")
    assert "textassay verify small-study\ntextassay report small-study" in page
    assert checksum(unpacked / "study.yaml") in page


def test_same_study_gives_the_same_bytes(bundled: Bundled, tmp_path: Path) -> None:
    later = replace(bundled.found.summary, made_at=None)
    with svg_only():
        path = write_bundle(bundled.study, lambda _: replace(bundled.found, summary=later), tmp_path / "again.zip")
    assert path.read_bytes() == bundled.path.read_bytes()


def test_unpacked_bundle_is_a_study(unpacked: Path, bundled: Bundled) -> None:
    study = load_study(unpacked)
    there, here = pipeline.collect(study), pipeline.collect(bundled.study)
    status = [row.get("status") or "" for row in there.participants]
    assert status == [row.get("status") or "" for row in here.participants]
    assert {"", "active", "completed", "withdrawn"} == set(status)
    assert pipeline.screen(study, there) == pipeline.screen(bundled.study, here)
    excluded = bundled.found.summary.participants.reasons
    assert {"took-part-twice", "questionnaire", "fake-email", "incomplete", "withdrawn"} <= excluded.keys()


def test_warnings_about_the_answers_go_along(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path / "study"))
    study.bundle_path.write_text(json.dumps({"warnings": ["changed since the first participant: a text"]}))
    header = ("participant", "item", "system", "criterion", "value")
    write_csv(tmp_path / "judgements.csv", header, [("x1", "i1", "human", "clarity", 6)])
    import_table(study, tmp_path / "judgements.csv")
    assert "changed since the first participant: a text" in pipeline.collect(study).warnings


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("ada@uni-koeln.de", "an e-mail address"),
        ("5f2a9c8e7b1d4a0012345678", "an id of Prolific"),
        ("A2XJMS2J2FMVXK", "an id of Mechanical Turk"),
    ],
)
def test_codes_that_say_who_somebody_is_are_refused(tmp_path: Path, code: str, kind: str) -> None:
    study = load_study(write_small_study(tmp_path / "study"))
    header = ("participant", "item", "system", "criterion", "value")
    write_csv(tmp_path / "judgements.csv", header, [(code, "i1", "human", "clarity", 6)])
    import_table(study, tmp_path / "judgements.csv")
    with pytest.raises(DataError, match=f"imported/judgements.csv:2: .* looks like {kind}"):
        pipeline.bundle(study)


def test_answers_that_arrive_meanwhile_are_noticed(bundled: Bundled, tmp_path: Path) -> None:
    study = load_study(shutil.copytree(bundled.study.directory, tmp_path / "study"))
    target = tmp_path / "bundle.zip"

    def findings(study: Study) -> Findings:
        with Store.open(study.store_url) as store:
            person, now = store.participants()[0], store.participants()[0].started_at
            store.save(person.id, NewAnswer("late", "break-9", {}, None, now), now=now)
        return bundled.found

    with svg_only(), pytest.raises(DataError, match="answers arrived while the bundle was made"):
        write_bundle(study, findings, target)
    assert not target.exists()


def test_file_with_the_name_of_one_of_the_bundle_is_refused(tmp_path: Path, bundled: Bundled) -> None:
    directory = write_small_study(tmp_path / "study", lambda data: data.update(consent="results.json"))
    (directory / "results.json").write_text("I agree.")
    with pytest.raises(DataError, match=r"names its own file 'results\.json'"):
        write_bundle(load_study(directory), lambda _: bundled.found, tmp_path / "bundle.zip")


def test_material_is_copied_byte_by_byte_where_it_holds_no_code(tmp_path: Path) -> None:
    directory = write_small_study(tmp_path / "study", lambda data: data["finish"].pop("completion_code"))
    (directory / "finish.md").write_bytes("\ufeff# Thank you\r\n".encode())
    for name in ("registration.md", "datasheet.json"):
        (directory / name).write_text("For others.")
    study = load_study(directory)
    pipeline.plan(study)
    write_material(study, tmp_path / "copy")
    copied = {path.name: path.read_bytes() for path in (tmp_path / "copy").iterdir()}
    assert copied == {path.name: path.read_bytes() for path in directory.iterdir()}


def test_code_in_a_page_is_hidden(tmp_path: Path) -> None:
    directory = write_small_study(tmp_path / "study")
    (directory / "finish.md").write_text("Your code is SMALL-42.")
    write_material(load_study(directory), tmp_path / "copy")
    assert (tmp_path / "copy" / "finish.md").read_text() == "Your code is (hidden 1)."


@pytest.mark.parametrize("code", ["SMALL-42", "e", "rating"])
def test_completion_codes_are_hidden_and_the_study_file_says_the_same(tmp_path: Path, code: str) -> None:
    finish = {"message": "finish.md", "completion_code": code, "codes": {"screened_out": f"{code}-out"}}
    study = load_study(write_small_study(tmp_path / "study", lambda data: data.update(finish=finish)))
    (tmp_path / "study" / "study.yaml").write_text(public_study_file(study), encoding="utf-8")
    hidden = load_study(tmp_path / "study").file
    assert (hidden.finish.completion_code, hidden.finish.codes.screened_out) == ("(hidden 2)", "(hidden 1)")
    kept = {"finish"}
    assert hidden.model_dump(exclude=kept) == study.file.model_dump(exclude=kept)


def test_codes_that_cannot_be_found_are_not_passed_on(tmp_path: Path) -> None:
    directory = write_small_study(tmp_path / "study")
    path = directory / "study.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("SMALL-42", '"SMALL-\\x34\\x32"'), encoding="utf-8")
    with pytest.raises(DataError, match="the codes under 'finish' cannot be hidden"):
        public_study_file(load_study(directory))


def test_where_the_answers_are_is_not_passed_on(tmp_path: Path) -> None:
    address = "postgresql://ada@db.example.org/study"
    study = load_study(write_small_study(tmp_path / "study", lambda data: data.update(store=address)))
    text = public_study_file(study)
    assert "example.org/study" not in text
    (tmp_path / "study" / "study.yaml").write_text(text, encoding="utf-8")
    assert load_study(tmp_path / "study").store == ""
