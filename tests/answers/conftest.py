"""A small study that three people took: one to the end, one half-way with a changed answer, one who withdrew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study

from textassay.answers.emails import stored_email
from textassay.answers.records import NewAnswer, Participant
from textassay.answers.store import Store
from textassay.design.plan import Plan, Trial
from textassay.study.load import load_study
from textassay.study.planning import stored_plan
from textassay.study.study import Study

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
COMMENT = 'My neighbour, Mrs Huber, would say:\n"so, so"; I\'d say, well …'
JOB = "organist at St. Florian"


@pytest.fixture
def write_study(tmp_path: Path) -> Callable[..., Study]:
    """Writes the small study, changed or not, and loads it."""

    def write(change: Callable[[dict[str, Any]], None] | None = None, name: str = "study") -> Study:
        return load_study(write_small_study(tmp_path / name, change))

    return write


@pytest.fixture
def study(write_study: Callable[..., Study]) -> Study:
    return write_study()


@pytest.fixture
def plan(study: Study) -> Plan:
    return stored_plan(study)


@pytest.fixture
def store(study: Study) -> Iterator[Store]:
    with Store.open(study.store_url) as opened:
        yield opened


class Takers:
    """Lets people take the study."""

    def __init__(self, study: Study, plan: Plan, store: Store) -> None:
        self.study, self.plan, self.store = study, plan, store
        self.sent = 0

    def join(self, minutes: int = 0) -> Participant:
        now = NOON + timedelta(minutes=minutes)
        release_after = timedelta(minutes=30)
        return self.store.join(
            self.plan.slots, cohort="", now=now, release_after=release_after, external_id=f"prolific-{minutes}"
        )[0]

    def send(self, person: Participant, page: str, payload: dict[str, Any], rt_ms: float | None = None) -> None:
        self.sent += 1
        shown = NOON + timedelta(seconds=self.sent)
        new = NewAnswer(f"answer-{self.sent}", page, payload, shown, shown, rt_ms, {"userAgent": "Mozilla/5.0"})
        self.store.save(person.id, new, now=shown)

    def fill_in(self, person: Participant, email: str, job: str = JOB) -> None:
        form = stored_email(email, self.store.secret("email"))
        self.send(person, "questionnaire", {"native": "yes", "age": 34, "job": job, "email": form})

    def rate(self, person: Participant, trial: Trial, value: int = 3, comment: str = COMMENT) -> None:
        self.send(person, trial.key, {"ratings": {"clarity": value, "fluency": 10 * value}, "comment": comment}, 2500.5)


@pytest.fixture
def takers(study: Study, plan: Plan, store: Store) -> Takers:
    return Takers(study, plan, store)


@pytest.fixture
def taken(takers: Takers) -> list[Participant]:
    """Three people have been there."""
    done, half_way, gone = (takers.join(minutes) for minutes in (0, 1, 2))
    for person, email in ((done, "ada@uni-koeln.de"), (half_way, "Ada+2@Uni-Koeln.de"), (gone, "test@test.com")):
        takers.send(person, "consent", {"agreed": True})
        takers.fill_in(person, email)
    for trial in takers.plan.slot(done.slot).trials:
        takers.rate(done, trial)
    for trial in takers.plan.slot(half_way.slot).trials[:5]:
        takers.rate(half_way, trial, 4)
    takers.rate(half_way, takers.plan.slot(half_way.slot).trials[3], 5, "changed")
    takers.store.finish(done.id, "completed", NOON + timedelta(minutes=9))
    takers.store.finish(gone.id, "withdrawn", NOON + timedelta(minutes=9))
    return takers.store.participants()
