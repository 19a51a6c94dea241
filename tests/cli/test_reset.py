"""`textassay reset`: a rehearsal can be removed, and nobody but simulated participants with it."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from textassay import pipeline
from textassay.answers.records import NewAnswer, Participant
from textassay.answers.store import Store
from textassay.study.study import Study

Command = Callable[..., Any]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def take_part(study: Study, client: dict[str, Any] | None = None, *, simulated: bool = False) -> Participant:
    """Somebody comes to the study and answers one page."""
    with Store.open(study.store_url) as store:
        slots, hour = pipeline.plan(study).slots, timedelta(hours=1)
        person, _ = store.join(slots, cohort="", now=NOW, release_after=hour)
        if simulated:
            store.set_simulated(person.id)
        store.opened(person.id, "consent", NOW)
        answer = NewAnswer(f"id-{person.code}", "consent", {"agreed": True}, None, NOW, None, client or {})
        store.save(person.id, answer, now=NOW)
    return person


def everybody(study: Study) -> list[str]:
    with Store.open(study.store_url) as store:
        return [person.code for person in store.participants()]


def test_a_rehearsal_is_removed_and_a_real_participant_stays(textassay: Command, answered: Path) -> None:
    study = pipeline.load(answered)
    simulated = len(everybody(study))
    real = take_part(study)  # the plan is full of simulated participants, and still there is a place
    assert real.slot == 1
    ran = textassay("reset", answered, "--yes")
    assert ran.code == 0, ran.err
    assert f"{answered}: {simulated} simulated participants with " in ran.out
    assert "1 other participant stays." in ran.out
    assert everybody(study) == [real.code]
    assert not study.simulated_path.exists()
    with Store.open(study.store_url) as store:
        assert [answer.answer_id for _, answer in store.all_answers(revisions=True)] == [f"id-{real.code}"]
    again = textassay("reset", answered, "--yes")
    assert (again.code, again.out) == (0, f"{answered} has no simulated participants; nothing was removed.\n")


@pytest.mark.parametrize(
    ("simulated", "client"), [(True, {}), (False, {"simulated": True})], ids=["flag alone", "answers alone"]
)
def test_nothing_is_removed_where_nobody_can_know(
    textassay: Command, answered: Path, simulated: bool, client: dict[str, Any]
) -> None:
    study = pipeline.load(answered)
    unclear = take_part(study, client, simulated=simulated)
    before = everybody(study)
    ran = textassay("reset", answered, "--yes")
    assert ran.code == 1
    assert f"whether {unclear.code} was simulated cannot be told: the flag and the answers disagree" in ran.err
    assert everybody(study) == before
    assert study.simulated_path.exists()


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_it_asks_first(textassay: Command, answered: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = pipeline.load(answered)
    before = everybody(study)
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    ran = textassay("reset", answered)
    assert (ran.code, ran.err.strip()) == (2, "textassay: nobody can be asked here; add --yes to remove them")
    monkeypatch.setattr("sys.stdin", _Terminal("\n"))
    assert textassay("reset", answered).out.endswith("Nothing was removed.\n")
    assert everybody(study) == before
    monkeypatch.setattr("sys.stdin", _Terminal("y\n"))
    assert f"Next: textassay serve {answered}" in textassay("reset", answered).out
    assert everybody(study) == []
