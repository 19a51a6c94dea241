"""`textassay simulate`: every option reaches the simulation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from small_study import write_small_study

from textassay import pipeline

Command = Callable[..., Any]
USUAL = {"participants": None, "over_http": False, "among_others": False}


@pytest.mark.parametrize(
    ("flags", "changed"),
    [
        ([], {}),
        (["-n", 3], {"participants": 3}),
        (["--participants", 4], {"participants": 4}),
        (["--http"], {"over_http": True}),
        (["--among-others"], {"among_others": True}),
    ],
)
def test_options_are_passed_on(
    textassay: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, flags: list[Any], changed: dict[str, Any]
) -> None:
    seen: list[Any] = []

    def simulate(study: Any, **options: Any) -> Any:
        seen.append((study.directory, options))
        return SimpleNamespace(people=[1, 2, 3])

    monkeypatch.setattr(pipeline, "simulate", simulate)
    directory = write_small_study(tmp_path)
    assert textassay("simulate", directory, *flags).out == (
        f"Simulated 3 participants. Next: textassay report {directory}\n"
    )
    assert seen == [(directory, {**USUAL, **changed})]
    assert textassay("simulate", directory, *flags, "--quiet").out == ""


def test_study_with_participants_is_left_alone_unless_asked(textassay: Command, tmp_path: Path) -> None:
    directory = write_small_study(tmp_path)
    assert textassay("simulate", directory, "-n", 2).out.startswith("Simulated 2 participants.")
    ran = textassay("simulate", directory, "-n", 1)
    assert ran.code == 2
    assert "has 2 participants already, who may be real" in ran.err
    assert "add --among-others" in ran.err
    assert textassay("simulate", directory, "-n", 1, "--among-others").code == 0
    assert len(pipeline.collect(pipeline.load(directory)).participants) == 3
