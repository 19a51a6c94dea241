from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from textassay.cli import COMMANDS

Command = Callable[..., Any]


def test_the_script_knows_every_command(textassay: Command) -> None:
    script = textassay("completion", "bash").out
    assert [name for commands in COMMANDS.values() for name in commands if name not in script] == []


def test_the_script_is_installed_where_it_is_asked_for(
    textassay: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    ran = textassay("completion", "fish", "--install")
    path = tmp_path / ".config" / "fish" / "completions" / "textassay.fish"
    assert ran.out == f"Installed in {path}; open a new terminal to use it.\n"
    assert "serve" in path.read_text(encoding="utf-8")


def test_a_shell_that_is_not_recognised_has_to_be_named(textassay: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    from cyclopts.completion import detect

    def fail() -> None:
        raise detect.ShellDetectionError

    monkeypatch.setattr("cyclopts.completion.detect_shell", fail)
    ran = textassay("completion")
    assert ran.code == 2
    assert "name it: bash, zsh, fish or powershell" in ran.err
