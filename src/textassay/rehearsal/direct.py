"""Simulated participants straight into the store: the pages, checks and rules of the server, without the web.

Times come from a simulated clock, so that a rehearsal of an hour takes a second.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from textassay.answers.emails import stored_email
from textassay.answers.records import NewAnswer, Participant
from textassay.answers.store import Store
from textassay.design.plan import Plan
from textassay.rehearsal import recruiting
from textassay.rehearsal.people import Crowd, Person, person
from textassay.rehearsal.recruiting import Came, Rehearsal
from textassay.rehearsal.respondent import CLIENT, Respondent
from textassay.seeds import Stream
from textassay.serve import questionnaire, session
from textassay.serve.session import Page
from textassay.serve.site import is_valid
from textassay.study.model import EmailField
from textassay.study.study import Study
from textassay.tasks.contract import Payload, Played

BEGIN = datetime(2026, 1, 5, 9, tzinfo=UTC)
_BETWEEN_ARRIVALS = timedelta(minutes=6)


def simulate(
    study: Study,
    plan: Plan,
    store: Store,
    *,
    count: int | None = None,
    crowd: Crowd | None = None,
    begin: datetime = BEGIN,
) -> Rehearsal:
    """Let people take the study until every slot is filled.

    Args:
        study: The study.
        plan: Its plan.
        store: Where answers go.
        count: The most people to come; by default as many as it takes.
        crowd: Which share of them is wayward.
        begin: When the simulated clock starts; later where the store knows people who were there later.
    """
    # In a thread of its own, because a notebook has an event loop already.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, _people(study, plan, store, count, crowd or Crowd(), begin)).result()


async def _people(
    study: Study, plan: Plan, store: Store, count: int | None, crowd: Crowd, begin: datetime
) -> Rehearsal:
    known = store.participants()
    clock = max([begin, *(each.last_seen_at for each in known)])
    release_after = timedelta(minutes=study.file.participants.release_after_minutes)
    came: list[Came] = []
    for number in range(len(known) + 1, len(known) + 1 + recruiting.most(plan, count)):
        cohort = recruiting.wanted(plan, store, {})
        if cohort is None:
            break
        somebody = person(study, number, crowd)
        clock += _gap(study, number)
        participant, _ = store.join(plan.slots, cohort=cohort, now=clock, release_after=release_after)
        await _Visit(study, plan, store, participant, somebody).take(clock)
        came.append(Came(participant.code, number, somebody.manner))
    return recruiting.result(plan, store, came)


def _gap(study: Study, number: int) -> timedelta:
    """Time to the next arrival: exponential, as of people who know nothing of each other."""
    draw = Stream(study.file.seed, "rehearsal", "arrival", number).uniform()
    return _BETWEEN_ARRIVALS * -math.log(1 - draw)


class _Visit:
    """One person's way through the pages."""

    def __init__(self, study: Study, plan: Plan, store: Store, participant: Participant, somebody: Person) -> None:
        self.study = study
        self.store = store
        self.participant = participant
        self.slot = plan.slot(participant.slot)
        self.respondent = Respondent(study, somebody, self.slot)

    async def take(self, clock: datetime) -> None:
        """Pass all pages, or as many as the person does, beginning at that time."""
        answers: list[NewAnswer] = []
        excluded = False
        for page in self.respondent.pages.values():
            played = self.respondent.answer(page.key)
            if played is None or excluded:
                break
            answers.append(self._answer(page, played, clock))
            clock = answers[-1].answered_at
            excluded = page.kind == "questionnaire" and session.is_excluded(self.study, answers[-1].payload)
        # Queued at once, so that they share a commit; the queue keeps their order.
        save = self.store.asynchronously
        await asyncio.gather(*(save(self.store.save, self.participant.id, a, now=a.answered_at) for a in answers))
        if excluded:
            self.store.finish(self.participant.id, "excluded", clock)
        elif len(answers) == len(self.respondent.pages):
            stored = self.store.answers(self.participant.id)
            valid = is_valid(self.study, self.slot, self.store, self.participant, stored)
            self.store.finish(self.participant.id, "completed", clock, valid)

    def _answer(self, page: Page, played: Played, clock: datetime) -> NewAnswer:
        answered = clock + timedelta(milliseconds=played.rt_ms)
        payload = self._read(page, played.payload)
        return NewAnswer(str(uuid4()), page.key, payload, clock, answered, played.rt_ms, CLIENT, clock)

    def _read(self, page: Page, payload: Payload) -> Payload:
        """The answer in the form in which it is kept."""
        if page.trial is not None:
            block = self.study.block(page.block)
            return block.task.read(page.trial, payload)
        if page.kind == "questionnaire":
            return questionnaire.read(self.study.file.questionnaire, payload, self._kept_email)
        return payload

    def _kept_email(self, field: EmailField, email: str) -> Mapping[str, Any]:
        # Simulated people never took part elsewhere, so no other study is asked.
        return stored_email(email, self.store.secret("email"), barred=field.exclude)
