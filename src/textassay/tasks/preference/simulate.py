"""A simulated participant for preferences, and the effects that simulation puts in.

How strongly the second system of a pair is preferred to the first is the difference of the two systems + a general lean
to the left + the participant's own lean + noise, in shares of the furthest that the slider goes. What is nearer to the
middle than `INDIFFERENT` is no preference at all; a forced choice then falls on the side where the noise lies. The best
system is preferred to the worst by 0.4, which is more than 2 standard deviations of everything random from the end: the
end cuts off about 1 in 70 of those answers, and moves their mean by about 0.001.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from typing_extensions import override

from textassay.design.plan import Trial
from textassay.seeds import Stream
from textassay.tasks.attention import check_of
from textassay.tasks.contract import SimulatedResponse, Task
from textassay.tasks.participants import (
    PacedParticipant,
    centred,
    comment,
    on_criterion,
    placed,
    reasons,
    some_unjudged,
    stated_qualities,
    text_quality,
)
from textassay.tasks.preference.settings import PreferenceSettings

BEST_OVER_WORST = 0.4
REACH = BEST_OVER_WORST / 2
"""What a quality of 1 is."""
LEAN_LEFT = 0.03
"""Everybody's, so that the test for it has something to find."""
PARTICIPANT_SD = 0.05
"""Of the participants' own leans."""
NOISE_SD = 0.25
INDIFFERENT = 0.04
_COMMENTS = ("Both are fine.", "The first one is too long.", "Hard to say.", "One word makes the difference.")


@dataclass(frozen=True)
class Effects:
    """What simulation puts in for one criterion, in shares of the furthest value."""

    systems: Mapping[str, float]
    """Quality of each system; the difference of two is the preference between them. They sum to 0."""

    def preference(self, first: str, second: str) -> float:
        """By how much the second is preferred, on average and on either side."""
        return self.systems[second] - self.systems[first]


@lru_cache(maxsize=4)  # the same for all participants of a study
def effects(task: Task[PreferenceSettings]) -> dict[str, Effects]:
    """The effects put in, by criterion: a function of the study's seed and systems."""
    stream = Stream(task.study.file.seed, "rehearsal", "effects", task.block.name)
    quality = placed(task.study.systems, stream.child("quality"))
    criteria = task.settings.criteria
    stated = stated_qualities(task)
    if stated is not None:
        fixed = Effects({system: REACH * place for system, place in stated.items()})
        return dict.fromkeys([criterion.name for criterion in criteria], fixed)
    return {criterion.name: _effects(quality, stream.child(criterion.name)) for criterion in criteria}


def _effects(quality: Mapping[str, float], stream: Stream) -> Effects:
    own = on_criterion(quality, stream)
    span = max(own.values()) - min(own.values())
    return Effects({system: place / (span or 1) * BEST_OVER_WORST for system, place in centred(own).items()})


class PreferenceParticipant(PacedParticipant[PreferenceSettings]):
    """One simulated participant: reads, compares by the effects put in, answers attention checks as they say."""

    def __init__(self, task: Task[PreferenceSettings], number: int, stream: Stream) -> None:
        super().__init__(task, number, stream)
        self.effects = effects(task)
        self.lean = self.stream.child("lean").normal(mean=-LEAN_LEFT, sd=PARTICIPANT_SD)

    @override
    def respond(self, trial: Trial, position: int) -> SimulatedResponse:
        stream = self.of_trial(trial)
        given = {each.name: self._value(each.name, trial, stream) for each in self.settings.criteria}
        own = self.stream.child("cannot judge", trial.key)
        given, unjudged = some_unjudged(self.settings, trial, given, own)
        why = reasons(self.settings.criteria, _COMMENTS, self.stream.child("why", trial.key))
        confirmed = {name: True for name, value in given.items() if self.settings.form == "slider" and value == 0}
        said = comment(self.settings, _COMMENTS, stream)
        payload = {"preferences": given, "confirmed": confirmed, **unjudged, **why, **said}
        return SimulatedResponse(payload, self.rt_ms(trial, position, stream))

    def _value(self, criterion: str, trial: Trial, stream: Stream) -> int:
        """Negative for left, positive for right."""
        furthest = self.settings.furthest
        expected = self._expected(trial).get(criterion)
        if expected is not None:
            return {"left": -furthest, "neither": 0, "right": furthest}[expected]
        strength = self._strength(criterion, trial) + self.lean + stream.normal(sd=NOISE_SD)
        if self.settings.ties and abs(strength) < INDIFFERENT:
            return 0
        if self.settings.form != "slider":
            return 1 if strength > 0 else -1
        return max(-furthest, min(furthest, math.floor(furthest * strength + 0.5)))

    def _strength(self, criterion: str, trial: Trial) -> float:
        """By how much the right text is preferred for what it is."""
        if not trial.systems:
            return 0.0
        first, second = trial.systems
        preference = self.effects[criterion].preference(first, second)
        of_first, of_second = (text_quality(self.task, trial.item, system) for system in trial.systems)
        preference += REACH * (of_second - of_first)
        return preference if trial.randomised["left"] == first else -preference

    def _expected(self, trial: Trial) -> Mapping[str, str]:
        return check_of(self.settings.attention_checks, trial.item).expected if trial.kind == "check" else {}
