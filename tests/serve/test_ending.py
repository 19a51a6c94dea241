"""How taking part ended, told from what is stored."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study

from textassay.answers.records import Participant, Status
from textassay.serve.ending import outcome_of
from textassay.study.load import load_study
from textassay.study.study import Study

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_small_study(tmp_path_factory.mktemp("study")))


@pytest.mark.parametrize(
    ("status", "done", "answered", "expected"),
    [
        ("active", False, {"consent"}, None),
        ("completed", True, {"consent"}, "completed"),
        ("excluded", False, {"consent", "questionnaire"}, "screened_out"),
        ("withdrawn", False, {"consent", "questionnaire"}, "withdrawn"),
        ("withdrawn", False, set(), "no_consent"),
        # the work was done, whatever came afterwards
        ("withdrawn", True, {"consent"}, "completed"),
        ("excluded", True, {"consent"}, "completed"),
    ],
)
def test_outcomes(study: Study, status: Status, done: bool, answered: set[str], expected: str | None) -> None:
    person = Participant(1, "", "", 1, status, True, False, NOON, NOON, NOON if done else None)
    assert outcome_of(study, person, answered) == expected


def test_screening_takes_nobodys_completion_away(study: Study) -> None:
    left_out = Participant(1, "", "", 1, "completed", False, False, NOON, NOON, NOON)
    assert outcome_of(study, left_out, {"consent"}) == "completed"


def test_study_without_consent_has_nobody_who_refuses_it(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        del data["consent"]

    person = Participant(1, "", "", 1, "withdrawn", True, False, NOON, NOON)
    assert outcome_of(load_study(write_small_study(tmp_path, change)), person, set()) == "withdrawn"
