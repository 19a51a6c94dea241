"""`textassay new`: which study is copied, and what to do next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from textassay import ready_studies

Command = Callable[..., Any]


@pytest.mark.parametrize(("flags", "copied"), [([], "rating-scale"), (["-t", "demo"], "demo")])
def test_ready_study_is_copied_with_its_schema(
    textassay: Command, tmp_path: Path, flags: list[str], copied: str
) -> None:
    directory = tmp_path / "mine"
    ran = textassay("new", directory, *flags)
    assert ready_studies.is_copy(copied, directory)
    assert (directory / "study.schema.json").is_file()
    assert ran.out == (
        f"Created {directory} from {copied!r}. Edit {directory / 'study.yaml'}, then:\n"
        f"  textassay check {directory}\n"
        f"  textassay serve {directory}\n"
    )
