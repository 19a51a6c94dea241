"""A simulated participant for rating scales, and the effects that simulation puts in.

A rating is grand mean + system + item + participant + noise, on the units of the scale, rounded to its steps and cut
off at its ends. The sizes below are shares of the scale's span. They leave the outermost system 0.35 spans from the
nearer end, which is about 2.8 standard deviations of everything random: about 1 of its ratings in 300 is cut off, and
its mean moves by less than 0.0002 spans for it. Noise of half a step or more makes rounding harmless (it moves a mean
by less than 0.003 steps). Only a scale of two values is too short: there effects come out about a fifth smaller.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from textassay.design.plan import Trial
from textassay.seeds import Stream
from textassay.study.study import Block, Study
from textassay.tasks.contract import Played, Player
from textassay.tasks.rating.settings import RatingSettings, Scale

SYSTEM_REACH = 0.15
"""The worst and the best system lie so far from the grand mean, in spans of the scale."""
ITEM_SD = 0.05
PARTICIPANT_SD = 0.06
NOISE_SD = 0.10
LEAST_NOISE = 0.5
"""In steps: with less noise, rounding would hide small effects."""
_OWN_ORDER = 0.15
"""How much criteria differ in which system is the better one, in reaches of the systems."""
_SPEED_SD, _TIME_SD = 0.25, 0.35
"""Of the logarithm of a response time: between people, and between trials of one person."""
_COMMENT_SHARE = 0.1
_COMMENTS = ("Reads well.", "A bit long.", "One word seems wrong.", "Not sure what is meant.", "Clear and short.")


@dataclass(frozen=True)
class Effects:
    """What simulation puts in for one criterion, in units of its scale."""

    grand_mean: float
    systems: Mapping[str, float]
    """Difference of each system from the grand mean; they sum to 0."""
    items: Mapping[str, float]
    """Difference of each item from the grand mean; they sum to 0."""
    participant_sd: float
    noise_sd: float


def effects(block: Block, study: Study) -> dict[str, Effects]:
    """The effects put in, by criterion: a function of the study's seed, systems, items and scales."""
    stream = Stream(study.file.seed, "rehearsal", "effects", block.name)
    # One order of the systems for all criteria, for what is clearer is mostly also more fluent.
    places = _evenly(len(study.systems))
    quality = dict(zip(stream.child("quality").shuffled(study.systems), places, strict=True))
    return {
        criterion.name: _effects_on(criterion.scale, quality, study.items_in_order, stream.child(criterion.name))
        for criterion in cast("RatingSettings", block.settings).criteria
    }


def _effects_on(scale: Scale, quality: Mapping[str, float], items: Sequence[str], stream: Stream) -> Effects:
    span = scale.high - scale.low
    own = stream.child("systems")
    places = _centred({system: place + own.normal(sd=_OWN_ORDER) for system, place in quality.items()})
    furthest = max((abs(place) for place in places.values()), default=1.0) or 1.0
    drawn = stream.child("items")
    # Beyond two standard deviations an item would push whole systems against the end of the scale.
    by_item = _centred({item: max(-2.0, min(2.0, drawn.normal())) * ITEM_SD * span for item in items})
    return Effects(
        grand_mean=(scale.low + scale.high) / 2,
        systems={system: place / furthest * SYSTEM_REACH * span for system, place in places.items()},
        items=by_item,
        participant_sd=PARTICIPANT_SD * span,
        noise_sd=max(NOISE_SD * span, LEAST_NOISE),
    )


def _evenly(n: int) -> list[float]:
    """Places from -1 to 1 at equal distances."""
    return [2 * place / (n - 1) - 1 for place in range(n)] if n > 1 else [0.0] * n


def _centred(values: Mapping[str, float]) -> dict[str, float]:
    mean = math.fsum(values.values()) / max(len(values), 1)
    return {name: value - mean for name, value in values.items()}


class RatingPlayer(Player):
    """One simulated participant: reads, rates by the effects put in, answers attention checks as they say."""

    def __init__(self, block: Block, study: Study, number: int, stream: Stream) -> None:
        self.block = block
        self.study = study
        self.settings = cast("RatingSettings", block.settings)
        self.effects = effects(block, study)
        self.stream = stream.child("participant", number, block.name)
        leniency = self.stream.child("leniency")
        self.leniency = {name: leniency.normal(sd=put_in.participant_sd) for name, put_in in self.effects.items()}
        self.speed = math.exp(self.stream.child("speed").normal(sd=_SPEED_SD))

    def play(self, trial: Trial, position: int) -> Played:
        """See `Player.play`."""
        # A stream for each trial: an answer does not depend on what was answered before it.
        stream = self.stream.child("trial", trial.key)
        ratings = {criterion.name: self._rating(criterion.name, trial, stream) for criterion in self.settings.criteria}
        payload: dict[str, Any] = {"ratings": ratings, "confirmed": self._confirmed(ratings)}
        if self.settings.comment:
            payload["comment"] = stream.choice(_COMMENTS) if stream.uniform() < _COMMENT_SHARE else ""
        return Played(payload, self._rt_ms(trial, position, stream))

    def _rating(self, criterion: str, trial: Trial, stream: Stream) -> int:
        expected = self._expected(trial).get(criterion)
        if expected is not None:
            return expected
        put_in = self.effects[criterion]
        scale = next(each.scale for each in self.settings.criteria if each.name == criterion)
        value = put_in.grand_mean + self.leniency[criterion] + stream.normal(sd=put_in.noise_sd)
        value += put_in.items.get(trial.item, 0.0) + sum(put_in.systems[system] for system in trial.systems)
        return max(scale.low, min(scale.high, math.floor(value + 0.5)))

    def _expected(self, trial: Trial) -> Mapping[str, int]:
        checks = dict(zip(self.block.task.checks(self.block), self.settings.attention_checks, strict=True))
        return checks[trial.item].expected if trial.kind == "check" else {}

    def _confirmed(self, ratings: Mapping[str, int]) -> dict[str, bool]:
        """The ticks that a slider left in its middle needs."""
        sliders = [each for each in self.settings.criteria if each.scale.widget == "slider"]
        return {each.name: True for each in sliders if ratings[each.name] == each.scale.middle}

    def _rt_ms(self, trial: Trial, position: int, stream: Stream) -> float:
        seconds = self.block.task.seconds(self.block, trial, self.study)
        # The first few trials take longer, until the page is familiar.
        warming_up = 1 + 0.4 * math.exp(-(position - 1) / 3)
        return round(1000 * seconds * warming_up * self.speed * math.exp(stream.normal(sd=_TIME_SD)), 1)
