"""A finished study that commands only read from, and a way to run commands."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from analysed_once import analysed_once as analysed_once_only
from small_study import write_small_study

from textassay import pipeline
from textassay.cli import run


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


@pytest.fixture
def textassay(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run a command as the terminal does."""

    def call(*arguments: object) -> Ran:
        code = run([str(argument) for argument in arguments])
        seen = capsys.readouterr()
        assert "Traceback" not in seen.err
        return Ran(code, seen.out, seen.err)

    return call


@pytest.fixture(scope="session")
def _answered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = write_small_study(tmp_path_factory.mktemp("answered") / "study")
    pipeline.simulate(pipeline.load(directory))
    return directory


@pytest.fixture
def answered(_answered: Path, tmp_path: Path) -> Path:
    """A study that simulated participants have taken; a copy for each test."""
    return Path(shutil.copytree(_answered, tmp_path / "answered"))


def one_criterion(data: dict[str, Any]) -> None:
    """For tests that analyse a study several times, which takes twice as long with two criteria."""
    for block in data["blocks"]:
        block["criteria"] = block["criteria"][:1]


@pytest.fixture(scope="session")
def _brief(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = write_small_study(tmp_path_factory.mktemp("brief") / "study", one_criterion)
    pipeline.simulate(pipeline.load(directory))
    return directory


@pytest.fixture
def brief(_brief: Path, tmp_path: Path) -> Path:
    """Like `answered`, with one criterion."""
    return Path(shutil.copytree(_brief, tmp_path / "brief"))


@pytest.fixture
def analysed_once() -> Iterator[None]:
    """Within a test a study is analysed once, with and without exclusions, however often it is printed."""
    with analysed_once_only():
        yield
