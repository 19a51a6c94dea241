from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from textassay import pipeline
from textassay.serve.server import ServerThread


def test_what_to_write_is_told_and_the_old_place_is_closed(textassay: Callable[..., Any], answered: Path) -> None:
    new = f"sqlite:///{(answered / 'new.db').as_posix()}"
    assert "holds a password" in textassay("move", answered, "--to", "postgresql://a:b@h/d").err
    study = pipeline.load(answered)
    with ServerThread(study, pipeline.plan(study)):
        served = textassay("move", answered, "--to", new)
    assert served.code == 2
    assert "a server is using these answers; stop it first" in served.err
    moved = textassay("move", answered, "--to", new)
    assert "both sides hold the same rows" in moved.out
    line = moved.out.splitlines()[-1]
    assert line == f"store: {new}"
    for command in ("serve", "export", "report", "doctor"):
        ran = textassay(command, answered)
        assert ran.code == 1
        assert "moved to" in " ".join((ran.err + ran.out).split())
    file = answered / "study.yaml"
    file.write_text(file.read_text(encoding="utf-8") + f"{line}\n", encoding="utf-8")
    assert textassay("screen", answered).code == 0
    (answered / "answers.db").unlink()
    back = textassay("move", answered, "--to", f"sqlite:///{(answered / 'answers.db').as_posix()}")
    assert back.out.splitlines()[-1] == f"Now remove the line 'store' from {file}, if it has one."


@pytest.mark.postgres
def test_from_sqlite_to_postgresql(textassay: Callable[..., Any], answered: Path, empty_postgres_database: str) -> None:
    address = empty_postgres_database.replace("postgres:@", "postgres@")  # it has an empty password
    moved = textassay("move", answered, "--to", address)
    assert moved.code == 0, moved.err
    assert moved.out.splitlines()[-1] == f"store: {address}"
    assert textassay("screen", answered, "--db", address).code == 0
