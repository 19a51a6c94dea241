"""What the command says beside its result: what the imported tables lack."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from small_study import write_small_study

Command = Callable[..., Any]


def test_import_tells_what_rules_miss(textassay: Command, answered: Path, tmp_path: Path) -> None:
    textassay("export", answered)
    other = write_small_study(tmp_path / "other")
    export = answered / "export"
    ran = textassay("import", other, export / "participants.csv", export / "judgements.csv")
    assert ran.code == 0
    assert "Note: the rule took-part-twice cannot be applied" in ran.err
    assert "Note: the rule attention-checks cannot be applied" in ran.err
    textassay("export", answered, "--personal")
    tables = [export / f"{name}.csv" for name in ("participants", "judgements", "judgements-unscored")]
    again = textassay("import", other, *tables)
    assert again.code == 2
    assert "imported/participants.csv exists; replace it with --replace" in again.err
    whole = textassay("import", other, *tables, "--replace")
    assert (whole.code, whole.err) == (0, "")
