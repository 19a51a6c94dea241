"""A simulated participant for self-paced reading, and the effects that simulation puts in.

The time of a unit is (a start-up time + a time for each character) × system × item × participant × noise. The noise is
lognormal with mean 1, so that means come out as they were put in; now and then the participant looks up from the text,
and a unit takes several times as long, which is what the replacement of outliers is for. Texts that take longer are
also understood a little less well.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

from typing_extensions import override

from textassay.design.plan import Trial
from textassay.seeds import Stream
from textassay.tasks.contract import Payload, SimulatedParticipant, SimulatedResponse, Task
from textassay.tasks.participants import placed, stated_qualities, text_quality
from textassay.tasks.reading.settings import Question, ReadingSettings, questions_of

START_MS = 250.0
CHARACTER_MS = 40.0
SYSTEM_REACH = 0.15
"""The slowest and the fastest system differ by so much from the mean, as a share of the time."""
ITEM_SD, PARTICIPANT_SD, NOISE_SD = 0.05, 0.20, 0.30
"""Of the logarithm of a time."""
DISTRACTED = 0.01
"""Share of units at which the participant looks up."""
RIGHT = 0.90
"""Share of questions answered rightly."""
RIGHT_LOST = 0.30
"""What a text loses of it that takes twice the time."""
_DELAY_MS = 25.0
_QUESTION_MS = 2500.0


@dataclass(frozen=True)
class Effects:
    """What simulation puts in."""

    systems: Mapping[str, float]
    """Difference of each system's times from the mean, as a share of it; they sum to 0 unless the study states them."""
    items: Mapping[str, float]
    """The factor of each item's times."""

    def slowdown(self, systems: Sequence[str], quality: float = 0.0) -> float:
        """Difference of the time of a text with that quality from the mean, as a share of it."""
        slower = sum(self.systems[system] for system in systems)
        return (1 + slower) * (1 + _slower(quality)) - 1 if quality else slower

    def right(self, systems: Sequence[str], quality: float = 0.0) -> float:
        """Share of questions answered rightly after a text of that system and quality."""
        return min(1.0, max(0.0, RIGHT - RIGHT_LOST * self.slowdown(systems, quality)))


@lru_cache(maxsize=4)  # the same for all participants of a study
def effects(task: Task[ReadingSettings]) -> Effects:
    """The effects put in: a function of the study's seed, systems and items."""
    stream = Stream(task.study.file.seed, "rehearsal", "effects", task.block.name)
    drawn = stream.child("items")
    places = placed(task.study.systems, stream.child("systems"))
    stated = stated_qualities(task)
    slower = {system: place * SYSTEM_REACH for system, place in places.items()}
    return Effects(
        systems=slower if stated is None else {system: _slower(quality) for system, quality in stated.items()},
        items={item: _lognormal(drawn, ITEM_SD) for item in task.study.items_in_order},
    )


def _slower(quality: float) -> float:
    """The better a text, the faster it is read."""
    return math.exp(-SYSTEM_REACH * quality) - 1


def _lognormal(stream: Stream, sd: float) -> float:
    """A factor with mean 1."""
    return math.exp(stream.normal(-sd * sd / 2, sd))


class ReadingParticipant(SimulatedParticipant):
    """One simulated participant: reads by the effects put in, answers attention checks rightly."""

    def __init__(self, task: Task[ReadingSettings], number: int, stream: Stream) -> None:
        self.task = task
        self.effects = effects(task)
        self.stream = stream.child("participant", number, task.block.name)
        self.limit_ms = 1000 * (task.settings.limit_seconds or math.inf)
        self.pace = _lognormal(self.stream.child("pace"), PARTICIPANT_SD)

    @override
    def respond(self, trial: Trial, position: int) -> SimulatedResponse:
        del position
        # A stream for each trial: an answer does not depend on what was answered before it.
        stream = self.stream.child("trial", trial.key)
        factor = self.pace * self.effects.items.get(trial.item, 1.0)
        factor *= 1 + self.effects.slowdown(trial.systems, self._quality(trial))
        times = [self._time(length, factor, stream) for _, length, _ in trial.randomised["units"]]
        read, over = self._within_limit(times)
        share = len(read) / len(times) if times else 1.0
        answers = [self._answer(question, trial, stream, share) for question in questions_of(self.task, trial)]
        begin = 1000 * _lognormal(stream, NOISE_SD)
        reading = min(sum(times) + _DELAY_MS * len(times), self.limit_ms)
        total = begin + reading + sum(each["rt_ms"] for each in answers)
        return SimulatedResponse({**_payload(read, answers), **over}, round(total, 1))

    def repeat_response(self, payload: Payload, trial: Trial) -> Payload:
        """The same rhythm, and the same answers where they can be given, else the first that can."""
        before = [unit["rt_ms"] for unit in payload["units"]] or [START_MS]
        times = [before[place % len(before)] for place, _ in enumerate(trial.randomised["units"])]
        given = [each["answer"] for each in payload["answers"]] or [""]
        answers = [
            {"answer": answer if answer in question.choices else question.choices[0], "rt_ms": _QUESTION_MS}
            for place, question in enumerate(questions_of(self.task, trial))
            for answer in [given[place % len(given)]]
        ]
        read, over = self._within_limit(times)
        return {**_payload(read, answers), **over}

    def _within_limit(self, times: Sequence[float]) -> tuple[list[float], dict[str, bool]]:
        """The times of the units that were read before a time limit; and whether it ended the text, if there is one."""
        if self.limit_ms == math.inf:
            return list(times), {}
        ends = accumulate(time + _DELAY_MS for time in times)
        read = [time for time, end in zip(times, ends, strict=True) if end <= self.limit_ms]
        return read, {"timed_out": len(read) < len(times)}

    def _quality(self, trial: Trial) -> float:
        return sum(text_quality(self.task, trial.item, system) for system in trial.systems)

    def _time(self, length: int, factor: float, stream: Stream) -> float:
        time = (START_MS + CHARACTER_MS * length) * factor * _lognormal(stream, NOISE_SD)
        return round(time * (3 + 4 * stream.uniform() if stream.uniform() < DISTRACTED else 1), 3)

    def _answer(self, question: Question, trial: Trial, stream: Stream, read: float) -> dict[str, Any]:
        """An answer after that share of the text; what was not read can only be guessed."""
        right = self.effects.right(trial.systems, self._quality(trial))
        right = read * right + (1 - read) / len(question.choices)
        knows = trial.kind == "check" or stream.uniform() < right
        others = [choice for choice in question.choices if choice != question.correct]
        answer = question.correct if knows else stream.choice(others)
        return {"answer": answer, "rt_ms": round(_QUESTION_MS * self.pace * _lognormal(stream, NOISE_SD), 3)}


def _payload(times: Sequence[float], answers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    units = [{"position": place, "rt_ms": time, "delay_ms": _DELAY_MS} for place, time in enumerate(times, 1)]
    counts = dict.fromkeys(("hidden", "blurred", "ignored", "restarts"), 0)
    return {"units": units, "answers": list(answers), **counts, "refresh_ms": 16.667, "resolution_ms": 0.005}
