"""`textassay prereg`: frozen before the first participant; the report says what changed afterwards."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from registered_study import REHEARSED, write_registered_study
from small_study import write_small_study
from svg_only import svg_only

from textassay import pipeline
from textassay.answers.store import Store

Command = Callable[..., Any]


def brief(data: dict[str, Any]) -> None:
    """A study that is analysed quickly."""
    data["blocks"][0]["criteria"] = data["blocks"][0]["criteria"][:1]
    data["metrics"] = []


@svg_only()
def test_a_registered_study_whose_analysis_changed_is_told_so_in_its_report(textassay: Command, tmp_path: Path) -> None:
    directory = write_small_study(tmp_path / "study", brief)
    ran = textassay("prereg", directory)
    assert (ran.code, ran.out.splitlines()[:2]) == (
        0, [str(directory / "registration.json"), str(directory / "registration.md")]
    )  # fmt: skip
    content = json.loads((directory / "registration.json").read_text(encoding="utf-8"))
    assert f"Checksum: {content['checksum']}" in ran.out
    titles = [each["title"] for each in content["analyses"]]
    assert titles[:2] == ["Systems compared", "Systems, texts and evaluators, as published (Belz & Kow 2010)"]
    assert {path.name for path in directory.iterdir()} & {"answers.db", "SIMULATED.txt"} == set()  # rehearsed elsewhere

    def changed(data: dict[str, Any]) -> None:
        brief(data)
        data["analysis"] = {"alpha": 0.01}

    write_small_study(directory, changed)
    assert "analysis.alpha (changed): registered 0.05, now 0.01" in textassay("check", directory).out
    assert textassay("simulate", directory, "-q").code == 0
    assert textassay("report", directory, "-q").code == 0
    page = (directory / "report.html").read_text(encoding="utf-8")
    block = page[page.index('<section id="registration"') : page.index('<section id="key"')]
    words = " ".join(unescape(re.sub(r"<[^>]+>", " ", block)).split())
    assert "Since then: 1 changed." in words
    assert "What Difference Registered Now analysis.alpha changed 0.05 0.01 Settings by their path" in words


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a rehearsal."""
    monkeypatch.setattr(pipeline, "simulate", lambda *_, **__: None)
    monkeypatch.setattr(pipeline, "findings", lambda *_, **__: REHEARSED)


@pytest.mark.usefixtures("quick")
def test_one_registration_until_it_is_to_be_replaced(textassay: Command, tmp_path: Path) -> None:
    directory = write_registered_study(tmp_path / "study")
    again = textassay("prereg", directory)
    assert (again.code, "add --replace to register it again" in again.err) == (2, True)
    document = tmp_path / "document.md"
    ran = textassay("prereg", directory, "--replace", "-q", "-o", document)
    assert (ran.code, ran.out) == (0, f"{directory / 'registration.json'}\n{document}\n")
    assert document.read_text(encoding="utf-8").startswith("# Registration: Small study\n")
    study = pipeline.load(directory)
    with Store.open(study.store_url) as store:
        store.join(pipeline.plan(study).slots, cohort="", now=datetime.now(UTC), release_after=timedelta(hours=1))
    late = textassay("prereg", directory, "--replace")
    assert (late.code, "1 real participant has begun, the first on 20" in late.err) == (1, True)


def test_check_tells_how_things_stand(textassay: Command, tmp_path: Path) -> None:
    plain = write_small_study(tmp_path / "plain")
    assert f"Not registered; 'textassay prereg {plain}'" in " ".join(textassay("check", plain).out.split())
    directory = write_registered_study(tmp_path / "study")
    assert "Nothing has changed since then." in " ".join(textassay("check", directory).out.split())
    path = directory / "registration.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"items": 6', '"items": 5'), encoding="utf-8")
    words = " ".join(textassay("check", directory).out.split())
    assert "registration.json has been altered since it was written" in words
    assert "items (changed): registered 5, now 6" in words
    path.write_text("{}", encoding="utf-8")
    assert "not a registration that this release" in " ".join(textassay("check", directory).out.split())
    assert "registr" not in textassay("check", directory, "-f", "json").out
