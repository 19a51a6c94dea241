"""A simulated participant for rankings, and the effects that simulation puts in.

Each system has a worth. A text's appeal is the worth of its system plus a draw from Gumbel's distribution, and texts
are ranked by appeal: the model of Plackett (1975) and Luce (1959). So of two texts, whatever else is ranked with them,
the one with worth a is above the one with worth b with probability 1 / (1 + exp(b - a)). Where ties are allowed,
neighbours whose appeals differ by less than a threshold share their rank.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from typing_extensions import override

from textassay.design.plan import Trial
from textassay.seeds import Stream
from textassay.tasks.contract import Payload, SimulatedResponse, Task
from textassay.tasks.participants import (
    PacedParticipant,
    centred,
    comment,
    on_criterion,
    placed,
    stated_qualities,
    text_quality,
)
from textassay.tasks.ranking.settings import RankingSettings
from textassay.tasks.ranking.task import entries_of

REACH = 1.25
"""The best system has this worth, the worst minus this: the best then beats the worst 12 times out of 13."""
TIE = 0.3
"""Neighbours that differ by less than this in appeal are tied, where that is allowed."""
_COMMENTS = ("The first two are close.", "Hard to tell apart.", "The last one is wrong.")


def worths(task: Task[RankingSettings]) -> dict[str, dict[str, float]]:
    """The worth put in for each system, by criterion: a function of the study's seed and systems."""
    stream = Stream(task.study.file.seed, "rehearsal", "effects", task.block.name)
    quality = placed(task.study.systems, stream.child("quality"))
    stated = stated_qualities(task)
    found = {}
    for criterion in task.settings.criteria:
        if stated is not None:
            found[criterion.name] = {system: REACH * place for system, place in stated.items()}
            continue
        places = centred(on_criterion(quality, stream.child(criterion.name)))
        furthest = max(map(abs, places.values())) or 1.0
        found[criterion.name] = {system: REACH * place / furthest for system, place in places.items()}
    return found


class RankingParticipant(PacedParticipant[RankingSettings]):
    """One simulated participant: ranks by the worths put in, and attention checks as they say."""

    def __init__(self, task: Task[RankingSettings], number: int, stream: Stream) -> None:
        super().__init__(task, number, stream)
        self.worths = worths(task)
        self.places: dict[str, int] = {}
        """Where each id of a trial was shown that this person has answered."""

    @override
    def respond(self, trial: Trial, position: int) -> SimulatedResponse:
        stream = self.of_trial(trial)
        self.places.update((name, place) for place, name in enumerate(trial.randomised["ids"]))
        rankings = {each.name: self._ranking(each.name, trial, stream) for each in self.settings.criteria}
        said = comment(self.settings, _COMMENTS, stream)
        payload = {"rankings": rankings, "confirmed": _confirmed(rankings, trial), **said}
        return SimulatedResponse(payload, self.rt_ms(trial, position, stream))

    @override
    def repeat_response(self, payload: Payload, trial: Trial) -> Payload:
        """The same is done with the same places; what a trial has beyond them stays as it is."""
        ids = trial.randomised["ids"]
        rankings = {}
        for criterion, groups in payload["rankings"].items():
            placed = [[self.places[name] for name in group if self.places[name] < len(ids)] for group in groups]
            known = {place for group in placed for place in group}
            rest = [[place] for place in range(len(ids)) if place not in known]
            rankings[criterion] = [[ids[place] for place in group] for group in [*placed, *rest] if group]
        return {**payload, "rankings": rankings, "confirmed": _confirmed(rankings, trial)}

    def _ranking(self, criterion: str, trial: Trial, stream: Stream) -> list[list[str]]:
        entries = entries_of(self.task, trial)
        worth = self.worths[criterion]
        if trial.kind == "check":
            return [[name] for _, name in sorted(zip(trial.randomised["start"], trial.randomised["ids"], strict=True))]
        appeal = {
            name: worth.get(entries[place].name, 0.0) + self._of_text(trial, entries[place].name) + _gumbel(stream)
            for place, name in zip(trial.randomised["start"], trial.randomised["ids"], strict=True)
        }
        return _grouped(appeal, TIE if self.settings.ties else 0.0)

    def _of_text(self, trial: Trial, system: str) -> float:
        return REACH * text_quality(self.task, trial.item, system)


def _gumbel(stream: Stream) -> float:
    return -math.log(-math.log(max(stream.uniform(), 2.0**-53)))


def _grouped(appeal: Mapping[str, float], threshold: float) -> list[list[str]]:
    """Ids from the most to the least appealing; those closer than the threshold to the one above in its group."""
    groups: list[list[str]] = []
    before = math.inf
    for name in sorted(appeal, key=lambda each: -appeal[each]):
        if groups and before - appeal[name] < threshold:
            groups[-1].append(name)
        else:
            groups.append([name])
        before = appeal[name]
    return groups


def _confirmed(rankings: Mapping[str, Sequence[Sequence[str]]], trial: Trial) -> dict[str, bool]:
    """The ticks that a list left as it was needs."""
    untouched = [[name] for name in trial.randomised["ids"]]
    return {criterion: True for criterion, groups in rankings.items() if list(groups) == untouched}
