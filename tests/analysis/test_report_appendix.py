from __future__ import annotations

import hashlib
from importlib.metadata import version
from pathlib import Path
from typing import Any

from small_study import write_small_study

from textassay import ready_studies
from textassay.analysis.report_appendix import asked_of_participants, checksums, commands_to_redo, shown_pages
from textassay.study.load import load_study
from textassay.study.planning import stored_plan


def test_pages_are_shown_safely_without_headings_and_codes(tmp_path: Path) -> None:
    def code(data: dict[str, Any]) -> None:
        data["finish"]["completion_code"] = "SECRET-1"

    directory = write_small_study(tmp_path / "study", code)
    (directory / "consent.md").write_text("# Do you agree?\n\n<script>alert(1)</script> *Yes*, code SECRET-1\n")
    study = load_study(directory)
    pages = {page.title: page.html for page in shown_pages(study)}
    assert "<p><strong>Do you agree?</strong></p>" in pages["Consent"]
    assert "<em>Yes</em>, code (hidden)" in pages["Consent"]
    assert "<script" not in pages["Consent"]
    assert list(pages)[-1] in ("Last page", "Instructions")


def test_the_questionnaire_with_how_it_can_be_answered(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path / "study"))
    asked = {question.name: question.scale for question in asked_of_participants(study)}
    assert asked["native"] == "yes / no"
    assert asked["email"].startswith("an e-mail address, stored only as a keyed hash")
    assert list(asked) == [field.name for field in study.file.questionnaire]


def test_commands_of_a_study_with_people_and_of_a_rehearsal(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path / "my study"))
    install, report = commands_to_redo(study, rehearsal=False)
    assert f"textassay=={version('textassay')}" in install
    assert report == "textassay report 'my study'"
    study.simulated_path.write_text("Participants in answers.db are simulated.\nEffect put in: length = -0.3\n")
    assert list(commands_to_redo(study, rehearsal=True))[1:] == [
        "textassay simulate 'my study' --effect length=-0.3",
        report,
    ]


def test_a_rehearsal_of_a_ready_study_begins_with_its_template(tmp_path: Path) -> None:
    study = load_study(ready_studies.copy("rating-scale", tmp_path / "first"))
    assert list(commands_to_redo(study, rehearsal=True))[1:] == [
        "textassay new first --template rating-scale",
        "textassay simulate first",
        "textassay report first",
    ]


def test_checksums_of_all_files_that_the_study_names(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path / "study"))
    stored_plan(study)
    found = checksums(study)
    assert {"study.yaml", "texts.csv", "plan.json"} <= found.keys()
    assert found["texts.csv"] == hashlib.sha256((study.directory / "texts.csv").read_bytes()).hexdigest()
    assert all((study.directory / name).is_file() for name in found)
