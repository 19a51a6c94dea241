"""Registering a study: refused once a real participant has begun, and rehearsed, so that its analyses are known."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from textassay.answers.imports import imported_participants, imported_tables
from textassay.answers.study_store import existing_store
from textassay.design.plan import Plan
from textassay.errors import DataError, UsageError
from textassay.report.summary import Findings
from textassay.sharing.registration import (
    DOCUMENT,
    REGISTRATION,
    Registration,
    make_registration,
    read_registration,
    registration_text,
)
from textassay.sharing.registration_document import registration_document
from textassay.study import settled
from textassay.study.study import Study
from textassay.tables.writer import write_text


def participants(study: Study) -> list[Mapping[str, Any]]:
    """Who has begun: whether simulated, and when, as far as that is known; participants of imported tables too."""
    with existing_store(study) as store:
        joined = store.participants() if store is not None else []
    imported = imported_participants(study, imported_tables(study), taken={each.code for each in joined})
    return [
        *({"simulated": each.simulated, "started_at": each.started_at} for each in joined),
        *({"simulated": each.cells.get("simulated"), "started_at": each.cells.get("started_at")} for each in imported),
    ]


def refuse_if_late(study: Study, *, replace_earlier: bool) -> None:
    """Refuse to register a study that has begun or is registered.

    Raises:
        DataError: a real participant has begun.
        UsageError: there is a registration already, and it is not to be replaced.
    """
    real = [row for row in participants(study) if not row["simulated"]]
    if real:
        known = [row["started_at"] for row in real if row["started_at"] is not None]
        since = f", the first on {min(known):%Y-%m-%d at %H:%M} UTC" if known else ""
        people = "1 real participant has begun" if len(real) == 1 else f"{len(real)} real participants have begun"
        remedy = "a registration comes before the first one; say in your report that the study was not registered"
        if (study.directory / REGISTRATION).exists():
            remedy = "the registration stays as it is, and the report lists what changes from now on"
        raise DataError(f"{study.directory}: {people}{since}; {remedy}")
    if (study.directory / REGISTRATION).exists() and not replace_earlier:
        earlier = read_registration(study)
        when = f" of {earlier.when}" if earlier is not None else ""
        raise UsageError(f"{study.directory} has a registration{when}; add --replace to register it again")


@contextmanager
def rehearsal_copy(study: Study) -> Iterator[Study]:
    """The study in a directory of its own, without answers, while the `with` block runs."""
    with TemporaryDirectory(prefix="textassay-") as folder:
        directory = Path(folder) / study.directory.resolve().name
        for name in (*settled.named_files(study), study.plan_path.name):
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(study.directory / name, directory / name)
        yield replace(study, directory=directory, store="")


def register_study(
    study: Study,
    plan: Callable[[Study], Plan],
    rehearse: Callable[[Study], Findings],
    *,
    replace_earlier: bool = False,
    document: Path | None = None,
    now: datetime | None = None,
) -> tuple[Registration, Sequence[Path]]:
    """Write `registration.json` and the document; returns the registration and both paths.

    Args:
        study: The study.
        plan: Its plan, stored if there is none yet.
        rehearse: What comes out of a copy of the study when simulated participants have taken it.
        replace_earlier: Whether an earlier registration is replaced.
        document: File for the document, if not the one in the study directory.
        now: The time; by default that of the clock.

    Raises:
        DataError: a real participant has begun.
        UsageError: there is a registration already, and it is not to be replaced.
    """
    refuse_if_late(study, replace_earlier=replace_earlier)
    own = plan(study)
    with rehearsal_copy(study) as copy:
        rehearsed = rehearse(copy)
    simulated = sum(bool(row["simulated"]) for row in participants(study))
    made = make_registration(study, own, rehearsed, simulated=simulated, now=now or datetime.now(UTC))
    paths = study.directory / REGISTRATION, document or study.directory / DOCUMENT
    write_text(paths[1], registration_document(made, study, own))
    write_text(paths[0], registration_text(made))  # last: where it is, the document is
    return made, paths
