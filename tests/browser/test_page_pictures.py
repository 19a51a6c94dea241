"""Pictures of participants' pages, a report with them, and its PDF, with a browser of this machine."""

from __future__ import annotations

import copy
import hashlib
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_up_results import made_up
from reading_study import BLOCK as READING
from small_study import write_small_study
from svg_only import svg_only

from textassay import pipeline
from textassay.local_browser.devtools import printed
from textassay.rehearsal import page_pictures
from textassay.report.page import write_report
from textassay.report.summary import ScreensSummary
from textassay.study.study import Study


def with_reading(data: dict[str, Any]) -> None:
    """Fewer trials, then texts that are read sentence by sentence."""
    reading = copy.deepcopy(READING)
    for key in ("practice", "questions"):
        del reading[key]
    reading["units"] = "sentences"
    data["blocks"].append(reading)
    for block in data["blocks"]:
        block["design"] = {"items_per_participant": 3}


@pytest.fixture(scope="module")
def named_browser(chromium_path: str) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TEXTASSAY_BROWSER", chromium_path)
        yield chromium_path


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """A study with answers."""
    study = pipeline.load(write_small_study(tmp_path_factory.mktemp("study"), with_reading))
    pipeline.simulate(study, participants=1)
    return study


def contents(study: Study) -> dict[str, str]:
    """Digests of all files of the study but those of its report."""
    found = (path for path in study.directory.rglob("*") if path.is_file() and "report" not in str(path))
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


@pytest.fixture(scope="module")
def taken(study: Study, named_browser: str) -> tuple[ScreensSummary, dict[str, str], dict[str, str]]:
    """The pictures, and the study's files before and after."""
    before = contents(study)
    screens = page_pictures.page_pictures(study, pipeline.plan(study), folder(study), seconds=60)
    return screens, before, contents(study)


def folder(study: Study) -> Path:
    return study.directory / "report" / "screens"


def test_each_kind_of_page_is_pictured(taken: Any) -> None:
    screens = taken[0]
    assert screens.missing == ""
    assert [picture.title for picture in screens.pictures] == [
        "Start", "Consent", "Questionnaire",
        "Instructions of block quality", "Practice trial of block quality", "Trial of block quality",
        "Instructions of block texts", "Trial of block texts", "Last page",
    ]  # fmt: skip
    for picture in screens.pictures:
        content = picture.file.read_bytes()
        assert (content[:4], content[8:12]) == (b"RIFF", b"WEBP")
        assert 1_000 < len(content) < 150_000
        assert picture.width == 960
        assert 300 < picture.height <= 1500


def test_descriptions_say_what_is_on_the_page(taken: Any) -> None:
    said = {picture.title: picture.description for picture in taken[0].pictures}
    assert said["Consent"].startswith("Consent as participants saw it: Consent I agree to take part.")
    assert "How clear is the text?" in said["Trial of block quality"]
    assert "Your completion code: (hidden)" in said["Last page"]
    assert not any("SMALL-42" in text for text in said.values())
    # the text is being read, not about to be, and is told once
    assert said["Trial of block texts"].count("text about i") == 1


def test_nothing_of_the_study_changes(taken: Any) -> None:
    _, before, after = taken
    assert any(name.endswith("answers.db") for name in before)
    assert before == after


def test_pictures_are_taken_again_only_when_the_study_has_changed(
    study: Study, taken: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEXTASSAY_BROWSER", str(tmp_path / "gone"))
    plan = pipeline.plan(study)
    assert page_pictures.page_pictures(study, plan, folder(study)) == taken[0]
    words = replace(study, pages={**study.pages, "consent": "I do."})
    assert page_pictures.page_pictures(words, plan, folder(study)).pictures == ()
    texts = replace(study, texts={**study.texts, ("i1", "human"): "Another text."})
    assert page_pictures.page_pictures(texts, plan, folder(study)).pictures == ()


def test_a_report_has_the_pictures_and_is_printed_with_all_that_is_folded(taken: Any, tmp_path: Path) -> None:
    summary, sections = made_up()
    with svg_only():
        page = write_report(replace(summary, screens=taken[0]), sections[:1], tmp_path)
    assert page.read_text(encoding="utf-8").count('src="data:image/webp;base64,') == len(taken[0].pictures)
    content = printed(page)
    assert content.startswith(b"%PDF")
    different = {picture.file.read_bytes() for picture in taken[0].pictures}
    assert content.count(b"/Subtype /Image") == len(different)  # what is folded is printed
    assert b"/MarkInfo" in content  # tagged, for screen readers
    (width, height), *_ = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", content)
    assert (float(width), float(height)) == pytest.approx((595, 842), abs=1.5)  # A4 in points
