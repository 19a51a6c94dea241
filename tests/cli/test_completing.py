"""What shells are told when a word is completed, asked as they ask."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from textassay import catalogue, ready_studies

Command = Callable[..., Any]


def completed(textassay: Command, *words: str) -> list[str]:
    ran = textassay("__complete", *words)
    assert ran.code == 0, ran.err
    return [line.partition("\t")[0] for line in ran.out.splitlines() if line and line.strip() not in ("\x1fbegin",)]


def test_names_are_completed(textassay: Command) -> None:
    for words, known in (
        (["score", "-m", "b"], catalogue.names("metric")),
        (["new", "my-study", "--template", ""], ready_studies.names()),
        (["list", "rules", ""], catalogue.names("screening")),
        (["list", "templates", ""], ready_studies.names()),
        (["list", ""], ["metrics", "statistics", "tasks", "rules", "templates"]),
    ):
        assert [each for each in completed(textassay, *words) if each in known] == list(known)


def test_study_directories_are_completed(textassay: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two/inner", ".hidden"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "one" / "study.yaml").write_text("", encoding="utf-8")
    (tmp_path / "file.txt").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert "one\ta study" in textassay("__complete", "check", "").out.splitlines()
    assert completed(textassay, "serve", "")[-2:] == ["one", "two"]
    assert completed(textassay, "serve", "two/")[-1] == "two/inner"
    assert "inner" not in textassay("__complete", "serve", "nowhere/").out
