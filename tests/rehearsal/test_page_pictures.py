"""Pictures of participants' pages: what happens without them. tests/browser/test_page_pictures.py takes some."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from small_study import write_small_study

from textassay.rehearsal import page_pictures
from textassay.serve.session import pages
from textassay.study.load import load_study
from textassay.study.planning import stored_plan
from textassay.study.study import Study


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_small_study(tmp_path_factory.mktemp("study")))


def test_without_a_browser_there_is_a_sentence(study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXTASSAY_BROWSER", str(tmp_path / "gone"))
    screens = page_pictures.page_pictures(study, stored_plan(study), tmp_path / "screens")
    assert screens.pictures == ()
    assert screens.missing.startswith("The pages of participants are not pictured: TEXTASSAY_BROWSER is ")
    assert not (tmp_path / "screens").exists()


@pytest.mark.skipif(os.name == "nt", reason="needs a program made of a shell script")
def test_a_browser_that_hangs_costs_a_sentence(study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hangs = tmp_path / "hangs"
    hangs.write_text("#!/bin/sh\nexec sleep 60\n")
    hangs.chmod(0o755)
    monkeypatch.setenv("TEXTASSAY_BROWSER", str(hangs))
    monkeypatch.setattr("textassay.local_browser.devtools._SECONDS_TO_END", 0.05)
    screens = page_pictures.page_pictures(study, stored_plan(study), tmp_path / "screens", seconds=0.2)
    assert screens.missing == f"The pages of participants are not pictured: {hangs} did not finish within 0.2 seconds."


def test_one_page_of_each_kind_is_pictured_and_a_typical_trial(study: Study) -> None:
    own = pages(study, stored_plan(study).slot(1))
    subjects = page_pictures._subjects(study, own)
    assert [subject.title for subject in subjects.values()] == [
        "Consent", "Questionnaire", "Instructions", "Practice trial", "Trial",
    ]  # fmt: skip
    (chosen,) = (page for page in own if page.trial and page.key in subjects and not page.practice)
    assert chosen.trial is not None
    assert chosen.trial.kind == "main"
    # the texts differ in the names of the systems alone: human (5 letters), neural (6), template (8)
    assert chosen.trial.systems == ("neural",)


def test_codes_at_the_end_are_hidden(study: Study) -> None:
    told = {**study.pages, "finish": "Your code is SMALL-42, keep it."}
    hidden = page_pictures._without_codes(replace(study, pages=told))
    assert hidden.file.finish.code("completed") == "(hidden)"
    assert hidden.file.finish.code("withdrawn") is None
    assert hidden.pages["finish"] == "Your code is (hidden), keep it."
    assert study.file.finish.code("completed") == "SMALL-42"
