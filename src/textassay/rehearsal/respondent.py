"""A simulated person in front of the trials: each task plays its own, the person's manner is laid over it."""

from __future__ import annotations

from dataclasses import replace

from textassay.design.plan import Slot, Trial
from textassay.errors import AnswerError
from textassay.rehearsal.people import Manner, Person
from textassay.seeds import Stream
from textassay.study.study import Block, Study
from textassay.tasks.contract import Payload, Played, Player


class Respondent:
    """Answers the trials of one slot as one person would."""

    def __init__(self, study: Study, person: Person, slot: Slot) -> None:
        self.person = person
        self.slot = slot
        self.stream = Stream(study.file.seed, "rehearsal", "answers")
        self.own = self.stream.child("manner", person.number)
        self.blocks: dict[str, Block] = {block.name: block for block in study.blocks}
        self.players: dict[str, Player] = {
            block.name: block.task.player(block, study, person.number, self.stream) for block in study.blocks
        }
        self.first: dict[str, Payload] = {}

    def play(self, trial: Trial) -> Played:
        """The person's answer to a trial."""
        played = self.players[trial.block].play(trial, trial.position)
        match self.person.manner:
            case Manner.CONSTANT:
                return replace(played, payload=self.first.setdefault(trial.block, played.payload))
            case Manner.TOO_FAST:
                return replace(played, rt_ms=round(200 + 500 * self.own.child(trial.key).uniform(), 1))
            case Manner.INATTENTIVE if trial.kind == "check":
                return self._without_reading(trial, played)
        return played

    def _without_reading(self, trial: Trial, played: Played) -> Played:
        """An attention check answered as one of the other trials is, so that its answer is wrong."""
        block = self.blocks[trial.block]
        for other in self.slot.trials:
            if other.block == trial.block and other.kind == "main":
                payload = self.players[trial.block].play(other, other.position).payload
                if not _passes(block, trial, payload):
                    return replace(played, payload=payload)
        return played


def _passes(block: Block, trial: Trial, payload: Payload) -> bool:
    """Whether the answer is right, or could not be given at all."""
    try:
        answer = block.task.read(block, trial, payload)
    except AnswerError:
        return True
    return block.task.passed(block, block.task.rows(block, trial, answer))
