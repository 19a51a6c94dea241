"""How a simulated person answers pages: each task simulates its own trials, modified by the person's behaviour."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from textassay.design.plan import Slot, Trial
from textassay.errors import AnswerError
from textassay.rehearsal.people import Behaviour, SimulatedPerson
from textassay.seeds import Stream
from textassay.serve.session import Page, pages
from textassay.study.study import Block, Study
from textassay.tasks.contract import Payload, SimulatedParticipant, SimulatedResponse

CLIENT: Mapping[str, Any] = {"simulated": True}
"""Client information of simulated answers, so that they can be distinguished from real ones."""
_SECONDS: Mapping[str, float] = {"consent": 15, "questionnaire": 30, "instructions": 40, "break": 20, "sitting": 30}
"""Typical seconds on pages without a trial."""
_TIME_SD = 0.3
"""Standard deviation of the logarithm of those times."""


class Respondent:
    """Answers the pages of one slot like one simulated person."""

    def __init__(self, study: Study, person: SimulatedPerson, slot: Slot) -> None:
        self.person = person
        self.slot = slot
        self.pages: dict[str, Page] = {page.key: page for page in pages(study, slot)}
        self.blocks: dict[str, Block] = {block.name: block for block in study.blocks}
        stream = Stream(study.file.seed, "rehearsal", "answers")
        self.own = stream.child("manner", person.number)
        self.participants: dict[str, SimulatedParticipant] = {
            block.name: block.task.simulated_participant(person.number, stream) for block in study.blocks
        }
        self.first: dict[str, Payload] = {}

    def answer(self, key: str) -> SimulatedResponse | None:
        """What the person's browser would send for the page with this key; None if the person has dropped out."""
        page = self.pages[key]
        if self.person.stops_at is not None and page.number > self.person.stops_at * len(self.pages):
            return None
        if page.trial is not None:
            return self.respond(page.trial)
        return SimulatedResponse(self._filled_in(page), self._time(page))

    def respond(self, trial: Trial) -> SimulatedResponse:
        """The person's answer to a trial."""
        response = self.participants[trial.block].respond(trial, trial.position)
        match self.person.behaviour:
            case Behaviour.CONSTANT:
                first = self.first.setdefault(trial.block, response.payload)
                return replace(response, payload=self.participants[trial.block].repeat_response(first, trial))
            case Behaviour.TOO_FAST:
                return replace(response, rt_ms=round(200 + 500 * self.own.child(trial.key).uniform(), 1))
            case Behaviour.INATTENTIVE if trial.kind == "check":
                return self._without_reading(trial, response)
        return response

    def _without_reading(self, trial: Trial, response: SimulatedResponse) -> SimulatedResponse:
        """An attention check answered like one of the other trials, so that the answer is wrong."""
        block = self.blocks[trial.block]
        for other in self.slot.trials:
            if other.block == trial.block and other.kind == "main":
                participant = self.participants[trial.block]
                payload = participant.repeat_response(participant.respond(other, other.position).payload, trial)
                if not _passes(block, trial, payload):
                    return replace(response, payload=payload)
        return response

    def _filled_in(self, page: Page) -> dict[str, Any]:
        match page.kind:
            case "consent":
                return {"agreed": True}
            case "questionnaire":  # fields hold text, whatever they ask for
                answers = self.person.questionnaire.items()
                return {name: "" if answer is None else str(answer) for name, answer in answers}
        return {}

    def _time(self, page: Page) -> float:
        spread = math.exp(self.own.child("time", page.key).normal(sd=_TIME_SD))
        return round(1000 * _SECONDS[page.kind] * self.person.pace * spread, 1)


def _passes(block: Block, trial: Trial, payload: Payload) -> bool:
    """Whether the answer is correct, or not possible at all."""
    try:
        answer = block.task.read(trial, payload)
    except AnswerError:
        return True
    return block.task.passed_attention_check(block.task.rows(trial, answer))
