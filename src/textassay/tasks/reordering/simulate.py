"""A simulated participant for reordering, and the effects that simulation puts in.

There is one most coherent order of each item: that of the reference system, or of the first. A participant finds it,
but for slips: going through it once from the start, each unit changes places with the next with a probability that
depends on the condition. Each slip puts exactly one pair in the wrong order, because whatever has been carried along
comes from before whatever it is exchanged with. So with n units, s of them fixed (0 or 1), and probability p, the
number of pairs in the wrong order is binomial with n - 1 - s trials, and tau with the coherent order has the mean
1 - 4 p (n - 1 - s) / (n (n - 1)).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typing_extensions import override

from textassay.design.plan import Trial
from textassay.seeds import Stream
from textassay.study.units import shared_units
from textassay.tasks.contract import Payload, SimulatedResponse, Task
from textassay.tasks.participants import PacedParticipant, comment, stated_qualities, text_quality
from textassay.tasks.reordering.settings import ReorderingSettings

LEAST, MOST = 0.05, 0.35
"""Probability of a slip in the best and in the worst condition; evenly spread between them."""
REACH = (MOST - LEAST) / 2
"""What a quality of 1 takes off the probability of a slip."""
_FEWEST_SLIPS, _MOST_SLIPS = 0.01, 0.9
_COMMENTS = ("Reads well now.", "The third sentence fits nowhere.", "Two orders seem equally good.")


def slips(task: Task[ReorderingSettings]) -> dict[str, float]:
    """The probability of a slip put in for each condition: a function of the study's seed and systems."""
    stream = Stream(task.study.file.seed, "rehearsal", "effects", task.block.name)
    stated = stated_qualities(task)
    if stated is not None:
        return {system: (LEAST + MOST) / 2 - REACH * quality for system, quality in stated.items()}
    n = len(task.study.systems)
    shares = [place / (n - 1) for place in range(n)] if n > 1 else [0.5]
    return {
        system: LEAST + share * (MOST - LEAST)
        for system, share in zip(stream.child("slips").shuffled(task.study.systems), shares, strict=True)
    }


def slip_probability(of_system: float, quality: float) -> float:
    """The probability of a slip in a text: the better it is, the fewer there are."""
    return min(_MOST_SLIPS, max(_FEWEST_SLIPS, of_system - REACH * quality))


def coherent_order(task: Task[ReorderingSettings], item: str) -> list[str]:
    """Ids of the item's units in the order that participants look for."""
    system = task.study.file.tables.reference_system or task.study.systems[0]
    return [unit.id for unit in shared_units(task.study, item, system, task.settings.units_are)]


class ReorderingParticipant(PacedParticipant[ReorderingSettings]):
    """One simulated participant: finds the coherent order but for slips, and orders attention checks as they say."""

    def __init__(self, task: Task[ReorderingSettings], number: int, stream: Stream) -> None:
        super().__init__(task, number, stream)
        self.slips = slips(task)

    @override
    def respond(self, trial: Trial, position: int) -> SimulatedResponse:
        stream = self.of_trial(trial)
        page_id = dict(zip(trial.randomised["start"], trial.randomised["ids"], strict=True))
        order = [page_id[unit] for unit in self._order(trial, stream)]
        rt_ms = self.rt_ms(trial, position, stream)
        moves = moves_between(trial.randomised["ids"], order, rt_ms)
        said = comment(self.settings, _COMMENTS, stream)
        return SimulatedResponse({"order": order, "moves": moves, "confirmed": not moves, **said}, rt_ms)

    @override
    def repeat_response(self, payload: Payload, trial: Trial) -> Payload:
        """A participant who does not look leaves each text as it is, whatever its length."""
        return {**payload, "order": list(trial.randomised["ids"]), "moves": [], "confirmed": True}

    def _order(self, trial: Trial, stream: Stream) -> list[str]:
        start, fixed = list(trial.randomised["start"]), int(self.settings.first_fixed)
        if trial.kind == "check":
            return sorted(start, key=int)
        if trial.kind == "practice":
            return start
        coherent = coherent_order(self.task, trial.item)
        order = [*start[:fixed], *(unit for unit in coherent if unit not in start[:fixed])]
        slip = slip_probability(self.slips[trial.systems[0]], text_quality(self.task, trial.item, trial.systems[0]))
        for place in range(fixed, len(order) - 1):
            if stream.uniform() < slip:
                order[place], order[place + 1] = order[place + 1], order[place]
        return order


def moves_between(start: Sequence[str], order: Sequence[str], rt_ms: float) -> list[list[Any]]:
    """Moves that turn one order into the other from the top down, as `[id, from, to, milliseconds]`, places from 1.

    >>> moves_between("abc", "cab", 4000)
    [['c', 3, 1, 2000]]
    """
    now = list(start)
    moves: list[list[Any]] = []
    for to, name in enumerate(order):
        source = now.index(name)
        if source != to:
            now.insert(to, now.pop(source))
            moves.append([name, source + 1, to + 1, 0])
    for number, move in enumerate(moves, 1):
        move[3] = round(rt_ms * number / (len(moves) + 1))
    return moves
