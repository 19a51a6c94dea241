"""`textassay forget`: whom, what is asked, and what is told."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study

from textassay import pipeline
from textassay.answers.records import NewAnswer, Participant
from textassay.answers.store import Store

Command = Callable[..., Any]
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return write_small_study(tmp_path / "study")


@pytest.fixture
def ada(study: Path) -> Participant:
    loaded = pipeline.load(study)
    with Store.open(loaded.store_url) as store:
        store.recruiting.invite(["Grace Hopper"], cohort="", now=NOON)
        slots, hour = pipeline.plan(loaded).slots, timedelta(hours=1)
        person, _ = store.join(slots, cohort="", now=NOON, release_after=hour, external_id="Ada Lovelace")
        store.save(person.id, NewAnswer("id", "consent", {"agreed": True}, None, NOON, None, {"w": 800}), now=NOON)
        return person


def everybody(study: Path) -> list[str | None]:
    with Store.open(pipeline.load(study).store_url) as store:
        return [person.external_id for person in store.participants()]


def test_personal_data_go_and_answers_stay(textassay: Command, study: Path, ada: Participant) -> None:
    (study / "people.txt").write_text("Ada Lovelace\nGrace Hopper\n", encoding="utf-8")
    ran = textassay("forget", study, ada.code, "--yes")
    assert ran.code == 0, ran.err
    assert ran.out == (
        f"{study}: the personal data of participant {ada.code} with 1 stored answer will be erased; answers to trials, "
        "code, slot, status and times stay, without anything personal.\n"
        "Erased.\n"
        "These files still hold something of the person; write them again or delete them:\n"
        f"  {study / 'people.txt'}\n"
        "Copies elsewhere, backups, logs of a database server and the platform's own list are yours to look after.\n"
    )
    assert everybody(study) == [None]


def test_in_the_current_directory_by_name_and_with_everything(
    textassay: Command, study: Path, ada: Participant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(study)
    assert textassay("forget", ada.code, "--yes", "--quiet").out == ""
    assert everybody(study) == [None]
    ran = textassay("forget", "--external-id", "Grace Hopper", "--yes")
    assert "the personal data of the invitation of 'Grace Hopper' will be erased." in ran.out
    assert textassay("forget", ada.code, "--everything", "-y").out.startswith(
        f".: participant {ada.code} with 1 stored answer will be erased with everything that is stored.\n"
    )
    assert everybody(study) == []


@pytest.mark.parametrize(("said", "left"), [("y\n", [None]), ("\n", ["Ada Lovelace"])])
def test_it_asks_first(
    textassay: Command,
    study: Path,
    ada: Participant,
    monkeypatch: pytest.MonkeyPatch,
    said: str,
    left: list[str | None],
) -> None:
    terminal = io.StringIO(said)
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdin", terminal)
    assert textassay("forget", study, ada.code).code == 0
    assert everybody(study) == left


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "say whom to forget, by the code in the tables or by --external-id, and not by both"),
        (["p-x", "--external-id", "x"], "say whom to forget"),
        (["p-nobody"], "no participant has the code 'p-nobody'"),
        (["--external-id", "x"], "nobody has the id or name 'x'"),
    ],
)
@pytest.mark.usefixtures("ada")
def test_wrong_usage(textassay: Command, study: Path, arguments: list[str], message: str) -> None:
    ran = textassay("forget", study, *arguments, "--yes")
    assert ran.code == 2
    assert message in ran.err


def test_nobody_can_be_asked(textassay: Command, study: Path, ada: Participant) -> None:
    ran = textassay("forget", study, ada.code)
    assert ran.code == 2
    assert "nobody can be asked here; add --yes" in ran.err
    assert everybody(study) == ["Ada Lovelace"]
