"""A small study that was registered without a rehearsal, and what a rehearsal would have found."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from small_study import write_small_study

from textassay.report.summary import Section
from textassay.results import Analysis, Result
from textassay.sharing.registration import REGISTRATION, make_registration, registration_text
from textassay.study.load import load_study
from textassay.study.planning import stored_plan

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
"""When it was registered."""


def section(title: str, *methods: str, place: Any = "results") -> Section:
    """An analysis with these methods."""
    results = tuple(Result(method=method, settings={"alpha": 0.05, "n": 36}) for method in methods)
    return Section(title, Analysis(title.lower(), title, results=results, place=place))


REHEARSED: Any = SimpleNamespace(
    sections=(section("Systems compared", "ANOVA-type test", "linear mixed model"), section("Habits", place="details")),
    scores=({"metric": "rouge-l", "signature": "rouge-l|version:0"},),
)


def write_registered_study(directory: Path) -> Path:
    """Write the small study and its registration."""
    study = load_study(write_small_study(directory))
    made = make_registration(study, stored_plan(study), REHEARSED, simulated=2, now=NOON)
    (study.directory / REGISTRATION).write_text(registration_text(made), encoding="utf-8")
    return directory
