"""What is made of a program that is no browser, or hangs; real ones are in tests/browser/test_local_browser.py."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from textassay.errors import BrowserError
from textassay.local_browser.devtools import LocalBrowser

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs programs made of a shell script")


def program(path: Path, lines: str) -> str:
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(0o755)
    return str(path)


def runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "zombie" not in Path(f"/proc/{pid}/status").read_text() if Path("/proc").is_dir() else True


def test_a_browser_that_hangs_is_ended_with_its_helpers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textassay.local_browser.devtools._SECONDS_TO_END", 0.05)
    hangs = program(tmp_path / "hangs", f"sleep 60 &\necho $$ $! > {tmp_path}/pids\nwait")
    begin = time.monotonic()
    with (
        pytest.raises(BrowserError, match=r"hangs did not finish within 0.5 seconds"),
        LocalBrowser(seconds=0.5, program=hangs),
    ):
        pass
    assert time.monotonic() - begin < 10
    started = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    deadline = time.monotonic() + 5
    while any(map(runs, started)) and time.monotonic() < deadline:
        time.sleep(0.02)  # a killed process is gone when the system has seen to it
    assert not any(map(runs, started))


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("echo 'cannot open display' >&2; exit 1", "cannot open display"),
        ("exit 0", "it ended without a message"),
        ("echo 'DevTools listening on ws://127.0.0.1:9/x' >&2; exec sleep 60", "cannot be used"),
    ],
)
def test_a_browser_that_fails_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: str, problem: str
) -> None:
    monkeypatch.setattr("textassay.local_browser.devtools._SECONDS_TO_END", 0.05)
    fails = program(tmp_path / "fails", lines)
    with pytest.raises(BrowserError, match=problem), LocalBrowser(seconds=5, program=fails):
        pass


def test_a_program_that_cannot_be_started_is_an_error_in_words(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no program")
    with (
        pytest.raises(BrowserError, match="text cannot be used"),
        LocalBrowser(seconds=5, program=str(tmp_path / "text")),
    ):
        pass
