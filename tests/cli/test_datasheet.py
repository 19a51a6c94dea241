"""`textassay datasheet`: two files, and a list of what only the researcher can say."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from textassay import pipeline


def test_answers_of_the_researcher_are_kept(
    textassay: Callable[..., Any], brief: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(brief / "answers.db")) as store, store:
        store.execute("UPDATE participants SET simulated = 0")  # as if people had answered
    monkeypatch.setattr(pipeline, "analyse", lambda *_, **__: {})  # what it finds is tested with the datasheet itself
    (brief / "datasheet.yaml").write_text("5.1: The committee\n", encoding="utf-8")
    ran = textassay("datasheet", brief, "-o", tmp_path / "out")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[:2] == [str(tmp_path / "out" / "datasheet.md"), str(tmp_path / "out" / "datasheet.json")]
    assert "  1.1.1     Where is the experiment reported?" in lines
    assert not [line for line in lines if line.strip().startswith("5.1 ")]
    form = json.loads((tmp_path / "out" / "datasheet.json").read_text(encoding="utf-8"))
    assert form["heds-ethics-review_body"]["data"][""] == "The committee"
    assert int(form["heds-sample_evaluators_design-evaluators-number_of_evaluators"]["data"][""]) > 0


def test_an_unknown_question_is_refused(textassay: Callable[..., Any], brief: Path) -> None:
    (brief / "datasheet.yaml").write_text("7.1: what\n", encoding="utf-8")
    ran = textassay("datasheet", brief)
    assert ran.code == 1
    assert ran.err.startswith("textassay: datasheet.yaml:1:1: 7.1: there is no question 7.1;")
