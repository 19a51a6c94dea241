"""What simulated participants of several tasks share: their pace, their comments, how good the systems are.

Effects are put in by functions of the study's seed, so that the analysis can find them again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Generic

from textassay.design.plan import Trial
from textassay.seeds import Stream
from textassay.tasks.cannot_judge import COLUMN, CannotJudgeSettings
from textassay.tasks.comments import CommentSettings, ReasonedCriterion
from textassay.tasks.contract import SettingsT, SimulatedParticipant, Task

SPEED_SD, TIME_SD = 0.25, 0.35
"""Of the logarithm of a response time: between people, and between trials of one person."""
OWN_ORDER = 0.15
"""How much criteria differ in which system is the better one, in units of half the range of the systems."""
_COMMENT_SHARE = 0.1
_CANNOT_JUDGE_SHARE = 0.03


class PacedParticipant(SimulatedParticipant, Generic[SettingsT]):
    """A participant who takes about the time that the task says, in a pace of his or her own."""

    def __init__(self, task: Task[SettingsT], number: int, stream: Stream) -> None:
        self.task = task
        self.settings = task.settings
        self.stream = stream.child("participant", number, task.block.name)
        self.speed = math.exp(self.stream.child("speed").normal(sd=SPEED_SD))

    def of_trial(self, trial: Trial) -> Stream:
        """A stream for each trial: an answer does not depend on what was answered before it."""
        return self.stream.child("trial", trial.key)

    def rt_ms(self, trial: Trial, position: int, stream: Stream) -> float:
        """How long the trial takes."""
        seconds = self.task.expected_seconds(trial)
        return round(1000 * seconds * warming_up(position) * self.speed * math.exp(stream.normal(sd=TIME_SD)), 1)


def warming_up(position: int) -> float:
    """The first few trials take longer, until the page is familiar."""
    return 1 + 0.4 * math.exp(-(position - 1) / 3)


def comment(settings: CommentSettings, said: Sequence[str], stream: Stream) -> dict[str, str]:
    """Occasional comments, where the block has a box for them."""
    if not settings.comment:
        return {}
    return {"comment": stream.choice(said) if stream.uniform() < _COMMENT_SHARE else ""}


def reasons(criteria: Sequence[ReasonedCriterion], said: Sequence[str], stream: Stream) -> dict[str, dict[str, str]]:
    """A reason wherever one is required, and an occasional one where it may be left out.

    Args:
        criteria: Those of the block.
        said: Reasons to choose from.
        stream: One that serves nothing else, so that answers are the same with and without it.
    """
    asked = [criterion for criterion in criteria if criterion.why]
    given = {
        each.name: stream.choice(said) if each.why == "required" or stream.uniform() < _COMMENT_SHARE else ""
        for each in asked
    }
    return {"why": given} if asked else {}


def some_unjudged(
    settings: CannotJudgeSettings, trial: Trial, given: Mapping[str, Any], stream: Stream
) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """What is given on each criterion, and the part of the payload that says which of them could not be judged.

    Args:
        settings: Of the block; where it has no "cannot judge", all is as given.
        trial: An attention check can always be judged.
        given: What would be answered, by criterion.
        stream: One that serves nothing else, so that answers are the same with and without it.
    """
    if not settings.cannot_judge or trial.kind == "check":
        return dict(given), {}
    unjudged = [name for name in given if stream.uniform() < _CANNOT_JUDGE_SHARE]
    return {name: value for name, value in given.items() if name not in unjudged}, {COLUMN: unjudged}


def placed(systems: Sequence[str], stream: Stream) -> dict[str, float]:
    """The systems in an order that is drawn, at equal distances from -1 (the worst) to 1; a single one at 0.

    One such order serves all criteria, for what is clearer is mostly also more fluent.
    """
    n = len(systems)
    places = [2 * place / (n - 1) - 1 for place in range(n)] if n > 1 else [0.0] * n
    return dict(zip(stream.shuffled(systems), places, strict=True))


def on_criterion(quality: Mapping[str, float], stream: Stream) -> dict[str, float]:
    """The places of the systems on one criterion, each somewhat off its place on all of them."""
    return {system: place + stream.normal(sd=OWN_ORDER) for system, place in quality.items()}


def stated_qualities(task: Task[Any]) -> dict[str, float] | None:
    """The quality of each system less their mean, where the study says it; nothing where it has to be drawn."""
    stated = task.study.true_effects.systems
    return None if stated is None else centred({system: stated.get(system, 0.0) for system in task.study.systems})


def text_quality(task: Task[Any], item: str, system: str) -> float:
    """What the properties of a text add to the quality of its system; nothing where it is not read but a plot seen."""
    return task.study.true_effects.texts.get((item, system), 0.0) if task.shows_text(system) else 0.0


def centred(values: Mapping[str, float]) -> dict[str, float]:
    """The values less their mean.

    >>> centred({"a": 1.0, "b": 4.0})
    {'a': -1.5, 'b': 1.5}
    """
    mean = math.fsum(values.values()) / max(len(values), 1)
    return {name: value - mean for name, value in values.items()}
