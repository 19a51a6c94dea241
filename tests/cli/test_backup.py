from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any


def test_a_copy_can_be_used_by_every_command(textassay: Callable[..., Any], answered: Path) -> None:
    path, told = textassay("backup", answered).out.splitlines()
    assert Path(path).parent == answered / "backups"
    assert told.endswith("answers; checked.")
    (answered / "answers.db").unlink()
    assert textassay("screen", answered).code == 1
    assert textassay("screen", answered, "--db", f"sqlite:///{path}").code == 0
