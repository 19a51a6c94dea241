"""Simulated participants written directly to the store: the server's pages, validation and rules, without HTTP.

Times come from a simulated clock, so that an hour is simulated in a second.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from textassay.answers.emails import stored_email
from textassay.answers.records import Participant, Status, StoredAnswer
from textassay.answers.store import Store
from textassay.design.plan import Plan
from textassay.rehearsal import recruiting
from textassay.rehearsal.people import BehaviourShares, SimulatedPerson, person
from textassay.rehearsal.recruiting import Rehearsal, SimulatedVisit
from textassay.rehearsal.respondent import CLIENT, Respondent
from textassay.rehearsal.true_effects import with_true_effects
from textassay.seeds import Stream
from textassay.serve import questionnaire, session
from textassay.serve.session import Page
from textassay.serve.site import is_valid
from textassay.study.model import EmailField
from textassay.study.study import Study
from textassay.tasks.contract import Payload, SimulatedResponse

BEGIN = datetime(2026, 1, 5, 9, tzinfo=UTC)
_BETWEEN_ARRIVALS = timedelta(minutes=6)


def simulate(
    study: Study,
    plan: Plan,
    store: Store,
    *,
    count: int | None = None,
    crowd: BehaviourShares | None = None,
    begin: datetime = BEGIN,
) -> Rehearsal:
    """Simulate participants until every slot is filled.

    Args:
        study: The study.
        plan: Its plan.
        store: The store for the answers.
        count: The largest number of participants; by default as many as needed.
        crowd: Shares of behaviours.
        begin: When the simulated clock starts; later if the store has later participants.
    """
    study = with_true_effects(study)
    crowd = crowd or BehaviourShares()
    known = store.participants()
    clock = max([begin, *(each.last_seen_at for each in known)])
    release_after = timedelta(minutes=study.file.participants.release_after_minutes)
    visits: list[SimulatedVisit] = []
    unfilled = recruiting.open_slots(plan, store)
    for number in range(len(known) + 1, len(known) + 1 + recruiting.most(plan, count)):
        cohort = recruiting.neediest(unfilled)
        if cohort is None:
            break
        simulated = person(study, number, crowd)
        clock += _gap(study, number)
        numbers = plan.numbers(cohort)
        participant, _ = store.join(numbers, cohort=cohort, now=clock, release_after=release_after, simulated=True)
        unfilled[cohort] -= _Visit(study, plan, store, participant, simulated).take(clock)
        visits.append(SimulatedVisit(participant.code, number, simulated.behaviour))
    return recruiting.result(plan, store, visits)


def _gap(study: Study, number: int) -> timedelta:
    """Time to the next arrival, exponentially distributed."""
    draw = Stream(study.file.seed, "rehearsal", "arrival", number).uniform()
    return _BETWEEN_ARRIVALS * -math.log(1 - draw)


class _Visit:
    """One simulated participation."""

    def __init__(
        self, study: Study, plan: Plan, store: Store, participant: Participant, simulated: SimulatedPerson
    ) -> None:
        self.study = study
        self.store = store
        self.participant = participant
        self.slot = plan.slot(participant.slot)
        self.respondent = Respondent(study, simulated, self.slot)

    def take(self, clock: datetime) -> bool:
        """Answer all pages, or until the person drops out, starting at that time; says whether it fills the slot."""
        answers: list[StoredAnswer] = []
        excluded = False
        for page in self.respondent.pages.values():
            response = self.respondent.answer(page.key)
            if response is None or excluded:
                break
            answers.append(self._answer(page, response, clock))
            clock = answers[-1].answered_at
            excluded = page.kind == "questionnaire" and session.is_excluded(self.study, answers[-1].payload)
        status: Status = "active"
        valid = True
        if excluded:
            status = "excluded"
        elif len(answers) == len(self.respondent.pages):
            status = "completed"
            given = {answer.page: answer for answer in answers}
            valid = is_valid(self.study, self.slot, self.store, self.participant, given)
        left = replace(self.participant, status=status, valid=valid, last_seen_at=clock)
        return self.store.save_visit(left, answers).counted

    def _answer(self, page: Page, response: SimulatedResponse, clock: datetime) -> StoredAnswer:
        answered = clock + timedelta(milliseconds=response.rt_ms)
        payload = self._read(page, response.payload)
        answer_id = str(uuid4())
        return StoredAnswer(
            answer_id, page.key, payload, clock, answered, response.rt_ms, CLIENT, 0, received_at=answered,
            opened_at=clock,
        )  # fmt: skip

    def _read(self, page: Page, payload: Payload) -> Payload:
        """The answer in the form in which it is stored."""
        if page.trial is not None:
            block = self.study.block(page.block)
            return block.task.read(page.trial, payload)
        if page.kind == "questionnaire":
            return questionnaire.read(self.study.file.questionnaire, payload, self._kept_email)
        return payload

    def _kept_email(self, field: EmailField, email: str) -> Mapping[str, Any]:
        # Simulated people never took part in other studies, so none is checked.
        return stored_email(email, self.store.secret("email"), barred=field.exclude)
