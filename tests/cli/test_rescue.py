"""A damaged file: every command names the remedy, and the remedy works."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from textassay.answers.schema import STORED_TABLES


@pytest.fixture
def damaged(answered: Path) -> Path:
    """The study with every fourth page of its database overwritten."""
    with (answered / "answers.db").open("r+b") as file:
        for page in range(17, (answered / "answers.db").stat().st_size // 4096, 4):
            file.seek(page * 4096)
            file.write(b"\xa5" * 4096)
    return answered


def test_commands_name_the_remedy_and_it_works(textassay: Callable[..., Any], damaged: Path, tmp_path: Path) -> None:
    for command in ("export", "report", "backup"):
        ran = textassay(command, damaged)
        assert ran.code == 1
        assert "'textassay rescue' writes out what is readable" in ran.out + ran.err
    saved = textassay("rescue", damaged, "--to", tmp_path / "back", "-f", "csv")
    assert saved.code == 0, saved.err
    counts = {line.split(",")[0]: line.split(",")[1:] for line in saved.out.splitlines()[1:]}
    assert set(counts) >= {table.name for table in STORED_TABLES}
    assert int(counts["answers"][0]) > 0
    database = f"sqlite:///{(tmp_path / 'back' / 'answers.db').as_posix()}"
    assert textassay("screen", damaged, "--db", database).code == 0


def test_a_file_is_enough_and_a_missing_one_is_told(
    textassay: Callable[..., Any], damaged: Path, tmp_path: Path
) -> None:
    (damaged / "study.yaml").unlink()
    ran = textassay("rescue", damaged / "answers.db", "--to", tmp_path / "back")
    assert ran.code == 0
    assert str(tmp_path / "back" / "answers.jsonl") in ran.out.splitlines()
    assert "no such file" in textassay("rescue", damaged / "nothing.db", "--to", tmp_path / "x").err


def test_first_page_gone(textassay: Callable[..., Any], answered: Path, tmp_path: Path) -> None:
    with (answered / "answers.db").open("r+b") as file:
        file.write(bytes(4096))
    for command in ("export", "serve", "links"):
        ran = textassay(command, answered)
        assert ran.code == 1
        assert "'textassay rescue' writes out what is readable" in ran.err
    assert textassay("rescue", answered, "--to", tmp_path / "back").code == 0
