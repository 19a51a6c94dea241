"""`textassay check`: the design in every format, with what to know about it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study

from textassay import pipeline
from textassay.study.overview import overview

Command = Callable[..., Any]


def seven(data: dict[str, Any]) -> None:
    data["participants"]["wanted"] = 7  # three systems cannot be balanced over seven people


@pytest.fixture
def uneven(tmp_path: Path) -> Path:
    return write_small_study(tmp_path / "study", seven)


def test_warnings_and_the_next_step_are_for_people(textassay: Command, uneven: Path) -> None:
    study = pipeline.load(uneven)
    warnings = overview(study, pipeline.plan(study)).warnings
    assert warnings
    words = " ".join(textassay("check", uneven).out.split())
    for warning in warnings:
        assert f"Note: {' '.join(warning.split())}" in words
    assert words.endswith(f"{uneven}: no problems found. Next: textassay serve {uneven}")
    for how in ("json", "csv", "latex"):
        out = textassay("check", uneven, "--format", how).out
        assert "Note:" not in out
        assert "no problems found" not in out
    assert json.loads(textassay("check", uneven, "-f", "json").out)


def test_stored_plan_is_the_one_that_is_shown(
    textassay: Command, uneven: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = pipeline.plan(pipeline.load(uneven))
    seen: list[Any] = []

    def remembered(study: Any, shown: Any) -> Any:
        seen.append(shown)
        return overview(study, shown)

    monkeypatch.setattr("textassay.cli.check.overview", remembered)
    monkeypatch.setattr("textassay.cli.check.draw_plan", lambda _study: pytest.fail("the stored plan was not read"))
    assert textassay("check", uneven).code == 0
    assert seen == [plan]


def test_current_directory_is_the_usual_study(
    textassay: Command, uneven: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(uneven)
    assert textassay("check").code == 0
