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
USUAL = {"participants": None, "effects": {}, "over_http": False, "among_others": False}


@pytest.mark.parametrize(
    ("flags", "changed"),
    [
        ([], {}),
        (["-n", 3], {"participants": 3}),
        (["--participants", 4], {"participants": 4}),
        (["--http"], {"over_http": True}),
        (
            ["--effect", "length=-0.3", "--effect", "systems.human=1"],
            {"effects": {"length": -0.3, "systems.human": 1.0}},
        ),
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
    assert "has 2 participants already, 0 of them real" in ran.err
    assert "add --among-others" in ran.err
    assert textassay("simulate", directory, "-n", 1, "--among-others").code == 0
    assert len(pipeline.collect(pipeline.load(directory)).participants) == 3


def test_an_effect_that_is_no_number_or_unknown_is_refused(textassay: Command, tmp_path: Path) -> None:
    directory = write_small_study(tmp_path)
    for effect, message in {
        "length": "--effect length: it has no value; write name=value, for example relevance=0.8",
        "length=much": "--effect length=much: 'much' is not a number; write name=value, for example relevance=0.8",
        "chrf=1": "--effect chrf: chrf is not among the study's metrics; add it to 'metrics'",
    }.items():
        ran = textassay("simulate", directory, "--effect", effect)
        assert ran.code != 0
        assert message in ran.err


def test_the_note_beside_the_answers_says_what_was_put_in(textassay: Command, tmp_path: Path) -> None:
    directory = write_small_study(tmp_path)
    textassay("simulate", directory, "-n", 1, "--effect", "systems.human=1")
    note = (directory / "SIMULATED.txt").read_text(encoding="utf-8")
    assert note == "Participants in answers.db are simulated.\nEffect put in: systems.human = 1\n"
