"""A study file that changes while it is served is noticed, by its contents."""

from __future__ import annotations

import logging
import os
import threading
from pathlib import Path

import pytest
from small_study import write_small_study

from textassay.serve import watching
from textassay.serve.watching import StudyFiles, watched
from textassay.study.load import load_study


def test_only_contents_count(tmp_path: Path) -> None:
    directory = write_small_study(tmp_path)
    files = StudyFiles(load_study(directory))
    assert files.changed() == ()
    study_file, texts = directory / "study.yaml", directory / "texts.csv"
    os.utime(study_file, ns=(1, 1))  # saved again
    assert files.changed() == ()
    before = texts.read_bytes()
    texts.write_bytes(before + b"\n")
    study_file.unlink()
    assert files.changed() == ("study.yaml", "texts.csv")
    texts.write_bytes(before)
    assert files.changed() == ("study.yaml",)


def test_a_change_is_told_once_and_so_is_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(watching, "SECONDS_BETWEEN", 0.01)
    directory = write_small_study(tmp_path)
    told: list[tuple[str, ...]] = []
    heard = threading.Event()

    def tell(names: tuple[str, ...]) -> None:
        told.append(names)
        heard.set()

    study_file = directory / "study.yaml"
    before = study_file.read_bytes()
    with caplog.at_level(logging.WARNING, "textassay.serve"), watched(load_study(directory), tell):
        for contents in (before + b"# more\n", before):
            study_file.write_bytes(contents)
            assert heard.wait(5)
            heard.clear()
    assert told == [("study.yaml",), ()]
    assert caplog.messages[0] == (
        "Note: study.yaml has changed since the server started; "
        "stop the server with Ctrl-C and start it again to use the new version."
    )
