"""`textassay new`: which study is copied, and what to do next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from textassay import ready_studies

Command = Callable[..., Any]


@pytest.mark.parametrize(("flags", "copied"), [([], "rating-scale"), (["-t", "demo"], "demo")])
def test_ready_study_is_copied_with_its_schema(
    textassay: Command, tmp_path: Path, flags: list[str], copied: str
) -> None:
    directory = tmp_path / "mine"
    ran = textassay("new", directory, *flags)
    assert ready_studies.is_copy(copied, directory)
    assert (directory / "study.schema.json").is_file()
    assert ran.out == (
        f"Created {directory} from {copied!r}. Edit {directory / 'study.yaml'}, then:\n"
        f"  textassay check {directory}\n"
        f"  textassay serve {directory}\n"
    )


def test_without_a_directory_the_ready_studies_are_listed(textassay: Command) -> None:
    out = textassay("new").out
    lines = {line.split()[0]: " ".join(line.split()) for line in out.splitlines() if line.split()}
    assert lines["decision"] == f"decision {ready_studies.ABOUT['decision']} 9 3 12"
    assert set(ready_studies.names()) <= set(lines)
    assert "textassay new my-study --template NAME" in out


def test_nearest_ready_study_is_suggested(textassay: Command, tmp_path: Path) -> None:
    ran = textassay("new", tmp_path / "mine", "-t", "b10-ratng")
    assert (ran.code, ran.err) == (2, "textassay: there is no ready study 'b10-ratng'; did you mean 'b10-rating'?\n")


@pytest.mark.parametrize("command", ["links", "export", "screen"])
def test_commands_take_the_study_in_the_current_directory(
    textassay: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(ready_studies.copy("rating-scale", tmp_path / "mine"))
    ran = textassay(command)
    assert "/join/" in ran.out or "has no answers yet" in ran.err
