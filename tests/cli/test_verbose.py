"""-v tells what happens, and shows the traceback of an error; without it nobody sees either."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest
from small_study import write_small_study

from textassay import pipeline
from textassay.cli import run


def test_steps_are_told_with_their_times(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    directory = str(write_small_study(tmp_path))
    assert run(["-v", "check", directory, "-f", "json"]) == 0
    told = capsys.readouterr().err.splitlines()
    assert all(re.match(r" *\d+\.\d{3} s  ", line) for line in told)
    steps = [line.partition(" s  ")[2] for line in told]
    assert steps[0].startswith("textassay ")
    assert [step for step in steps if step.startswith("read texts.csv: rows ")]
    assert [step for step in steps if step.startswith(f"read the study {directory}")]
    assert steps[-1] == "exit code 0"
    assert run(["check", directory, "-f", "json"]) == 0
    assert capsys.readouterr().err == ""
    assert logging.getLogger("textassay").handlers == []


@pytest.mark.parametrize("error", ["usage", "fault"])
def test_a_traceback_is_shown_with_it_only(
    error: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    message = "no such file"
    if error == "fault":
        monkeypatch.setattr(pipeline, "load", lambda _: {}["gone"])
        message = (
            "textassay: unexpected error, a fault of textassay (KeyError: 'gone'); "
            "run the same command with -v, and report what it prints"
        )
    assert run(["check", str(tmp_path / "nowhere")]) == 1
    plain = capsys.readouterr().err
    assert message in plain
    assert "Traceback" not in plain
    assert run(["check", str(tmp_path / "nowhere"), "--verbose"]) == 1
    full = capsys.readouterr().err
    assert "Traceback (most recent call last)" in full
    assert message in full
