"""`textassay judge`."""

from __future__ import annotations

from pathlib import Path

import pytest

from textassay.cli import run


def tables(folder: Path) -> list[str]:
    people, judge = folder / "people.csv", folder / "judge.csv"
    rows = [
        f"p{who},i{n},{value}" for who, given in enumerate(("00110", "00111", "00110")) for n, value in enumerate(given)
    ]
    people.write_text("\n".join(["participant,item,value", *rows]), encoding="utf-8")
    said = [f"i{n},{value}" for n, value in enumerate("00110")]
    judge.write_text("\n".join(["item,value", *said]), encoding="utf-8")
    return [str(people), str(judge)]


def test_on_the_terminal_and_as_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = tables(tmp_path)
    assert run(["judge", *given, "--draws", "0"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "can stand in for a person" in printed
    assert "fewer than 30 items" in printed
    assert run(["judge", *given, "--draws", "0", "--epsilon", "0.2", "--format", "json"]) == 0
    assert '"epsilon' not in capsys.readouterr().err


def test_what_is_wrong_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people, judge = tables(tmp_path)
    assert run(["judge", people, judge, "--epsilon", "1.5"]) == 2
    assert "epsilon is 1.5" in capsys.readouterr().err
    assert run(["judge", judge, people]) == 1
    assert "participant" in capsys.readouterr().err
