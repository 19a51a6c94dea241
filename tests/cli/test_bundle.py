"""`textassay bundle`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study

from textassay import pipeline


@pytest.mark.parametrize(("flags", "noted"), [((), True), (("--quiet",), False)])
def test_says_where_it_is_and_what_to_look_at(
    flags: tuple[str, ...],
    noted: bool,
    tmp_path: Path,
    textassay: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pipeline, "bundle", lambda study, to, **_: to or study.directory / "bundle.zip")
    study = write_small_study(tmp_path / "study")
    ran = textassay("bundle", study, *flags)
    assert (ran.code, ran.out.strip()) == (0, str(study / "bundle.zip"))
    assert ("look through them before you pass it on" in ran.err) == noted
    assert textassay("bundle", study, "-o", "elsewhere.zip").out.strip() == "elsewhere.zip"


def test_study_without_answers(tmp_path: Path, textassay: Callable[..., Any]) -> None:
    ran = textassay("bundle", write_small_study(tmp_path / "study"), "-o", tmp_path / "bundle.zip")
    assert ran.code == 1
    assert "has no answers yet" in ran.err
    assert not (tmp_path / "bundle.zip").exists()
