"""A simulated participant who decides, and the effects that simulation puts in.

Each appropriate action is picked with probability logistic(base + skill + system), each inappropriate one with
logistic(base − skill − system), the others with a small constant one; skill is the participant's, system the effect of
what was shown, to which properties of the text add where the study says so. So P_AP and P_INAP of a system can be told
beforehand (`Effects.expected`) where there is no time limit and doing nothing is an action like others. A participant
who needs longer than the limit submits what was picked by then: the first of the picks in a random order, in proportion
to the time that there was.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from typing_extensions import override

from textassay.content.expert_sets import ExpertSets
from textassay.design.plan import Trial
from textassay.seeds import Stream
from textassay.tasks.attention import check_of
from textassay.tasks.contract import Payload, SimulatedResponse, Task
from textassay.tasks.decision.settings import DecisionSettings, suitable_actions
from textassay.tasks.participants import (
    SPEED_SD,
    PacedParticipant,
    placed,
    stated_qualities,
    text_quality,
    warming_up,
)

APPROPRIATE, INAPPROPRIATE, NEUTRAL = 0.4, -1.6, -2.2
"""Logits of picking an action of each kind, for an average person and system."""
SYSTEM_REACH = 0.6
"""The worst and the best system lie so far from the average, in logits."""
SKILL_SD = 0.4
"""Between people, in logits."""
TIMED_OUT = 0.08
"""About this share of trials takes longer than the limit."""
_TIME_SD = 0.3
"""Of the logarithm of a response time, between trials of one person."""
_LEAST_MS = 1200.0


@dataclass(frozen=True)
class Effects:
    """What simulation puts in."""

    systems: Mapping[str, float]
    """Logits by system; they sum to 0."""

    def expected(self, system: str, quality: float = 0.0) -> tuple[float, float]:
        """P_AP and P_INAP of a system's text of that quality without a time limit, over people of all skills."""
        shift = self.systems[system] + SYSTEM_REACH * quality
        return _mean_logistic(APPROPRIATE + shift), _mean_logistic(INAPPROPRIATE - shift)


@lru_cache(maxsize=4)  # the same for all participants of a study
def effects(task: Task[DecisionSettings]) -> Effects:
    """The effects put in: a function of the study's seed and systems."""
    stream = Stream(task.study.file.seed, "rehearsal", "effects", task.block.name)
    stated = stated_qualities(task)
    places = placed(task.study.systems, stream.child("quality")) if stated is None else stated
    return Effects({system: SYSTEM_REACH * place for system, place in places.items()})


def logistic(logit: float) -> float:
    """The probability of a logit."""
    return 1 / (1 + math.exp(-logit))


def _mean_logistic(logit: float, steps: int = 200) -> float:
    """The mean of `logistic` over normal skills, by the midpoint rule out to five standard deviations."""
    width = 10 / steps
    points = [-5 + width * (step + 0.5) for step in range(steps)]
    weights = [math.exp(-point * point / 2) for point in points]
    values = (weight * logistic(logit + SKILL_SD * point) for weight, point in zip(weights, points, strict=True))
    return math.fsum(values) / math.fsum(weights)


class DecisionParticipant(PacedParticipant[DecisionSettings]):
    """One simulated participant: picks by skill and by what was shown, does attention checks as they say."""

    def __init__(self, task: Task[DecisionSettings], number: int, stream: Stream) -> None:
        super().__init__(task, number, stream)
        self.effects = effects(task)
        self.actions = [str(row["action"]) for row in task.block.tables["actions"]]
        self.suitable = suitable_actions(task.block.tables["targets"], task.settings.experts)
        self.skill = self.stream.child("skill").normal(sd=SKILL_SD)

    @override
    def respond(self, trial: Trial, position: int) -> SimulatedResponse:
        stream = self.of_trial(trial)
        if trial.kind == "check":
            chosen = list(dict.fromkeys(check_of(self.settings.attention_checks, trial.item).expected))
            return SimulatedResponse({"chosen": chosen, "timed_out": False}, self._in_time(trial, position, stream))
        picks, rt_ms = stream.shuffled(self._picks(trial, stream)), self.rt_ms(trial, position, stream)
        limit_ms = 1000 * (self.settings.limit_seconds or math.inf)
        if rt_ms < limit_ms:
            return SimulatedResponse({"chosen": picks, "timed_out": False}, rt_ms)
        so_far = picks[: math.floor(len(picks) * limit_ms / rt_ms)]
        return SimulatedResponse({"chosen": so_far, "timed_out": True}, limit_ms)

    @override
    def repeat_response(self, payload: Payload, trial: Trial) -> Payload:
        """What had time to be picked once can be picked in time always."""
        del trial
        return {"chosen": payload["chosen"] or self.actions[:1], "timed_out": False}

    def _picks(self, trial: Trial, stream: Stream) -> list[str]:
        sets = self.suitable.get(trial.item, ExpertSets())
        good, bad = set(sets.appropriate), set(sets.inappropriate)
        shift = self.skill + sum(self.effects.systems[system] for system in trial.systems)
        shift += SYSTEM_REACH * sum(text_quality(self.task, trial.item, system) for system in trial.systems)
        nothing = self.settings.no_action
        alone = nothing if self.settings.no_action_alone else None
        picked = []
        for action in self.actions:
            logit = APPROPRIATE + shift if action in good else INAPPROPRIATE - shift if action in bad else NEUTRAL
            if stream.uniform() < logistic(logit):
                picked.append(action)
        if alone in picked and len(picked) > 1:
            # Who would do something does not do nothing, unless nothing is what is right.
            picked = [alone] if alone in good else [action for action in picked if action != alone]
        # Without a suitable action: nothing, or else something harmless, so that the effects put in are kept.
        harmless = [action for action in self.actions if action not in good | bad]
        return picked or [nothing or stream.choice(harmless or self.actions)]

    def rt_ms(self, trial: Trial, position: int, stream: Stream) -> float:
        """See `PacedParticipant.rt_ms`; where there is a limit, people take what time there is."""
        seconds = self.task.expected_seconds(trial)
        limit = self.settings.limit_seconds
        if limit is not None:
            # Most need part of it, few too much.
            spread = math.hypot(SPEED_SD, _TIME_SD)
            seconds = limit * math.exp(-spread * _Z_TIMED_OUT)
        longer = warming_up(position) if limit is None else 1.0
        return max(_LEAST_MS, round(1000 * seconds * longer * self.speed * math.exp(stream.normal(sd=_TIME_SD)), 1))

    def _in_time(self, trial: Trial, position: int, stream: Stream) -> float:
        limit_ms = 1000 * (self.settings.limit_seconds or math.inf)
        return min(self.rt_ms(trial, position, stream), 0.95 * limit_ms)


_Z_TIMED_OUT = 1.405
"""Quantile of the normal distribution that leaves `TIMED_OUT` above it."""
