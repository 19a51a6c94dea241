"""A study and participants for the rules to judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from small_study import write_small_study

from textassay.design.plan import Trial, TrialKind
from textassay.screening.contract import AnsweredTrial, Case
from textassay.study.load import load_study
from textassay.study.study import Study

Answered = Callable[..., AnsweredTrial]
Load = Callable[..., Study]


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_small_study(tmp_path_factory.mktemp("small")))


@pytest.fixture
def load(tmp_path: Any) -> Load:
    """Loads the small study after a change to its file."""

    def loaded(change: Callable[[dict[str, Any]], None]) -> Study:
        return load_study(write_small_study(tmp_path / "changed", change))

    return loaded


@pytest.fixture(scope="session")
def answered(study: Study) -> Answered:
    """One answered trial of the block `quality`."""

    def made(
        clarity: float = 4,
        fluency: float = 60,
        kind: TrialKind = "main",
        rt_ms: float | None = 9000.0,
        item: str = "i1",
    ) -> AnsweredTrial:
        block = study.blocks[0]
        trial = Trial("quality-1", "quality", kind, 1, item, ("human",) if kind in ("main", "repeat") else ())
        rows = block.task.rows(trial, {"ratings": {"clarity": clarity, "fluency": fluency}})
        return AnsweredTrial(block, kind, rows, rt_ms)

    return made


@pytest.fixture(scope="session")
def case() -> Callable[..., Case]:
    """A participant who completed the study."""

    def made(trials: Sequence[AnsweredTrial] = (), **more: Any) -> Case:
        return Case(**{"participant": "p-1", "status": "completed", "questionnaire": {}, "trials": trials, **more})

    return made
