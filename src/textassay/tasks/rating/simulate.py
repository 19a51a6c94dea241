"""A simulated participant for rating scales, and the effects that simulation puts in.

A rating is grand mean + system + item + text + participant + noise, on the units of the scale, rounded to its steps and
cut off at its ends. Texts differ only where the study says by what (`simulate:`). The sizes below are shares of the
scale's span. They leave the outermost system 0.35 spans from the nearer end, which is about 2.8 standard deviations of
everything random: about 1 of its ratings in 300 is cut off, and its mean moves by less than 0.0002 spans for it. Noise
of half a step or more makes rounding harmless (it moves a mean by less than 0.003 steps). Only a scale of two values is
too short: there effects come out about a fifth smaller.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from typing_extensions import override

from textassay.design.plan import Trial
from textassay.seeds import Stream
from textassay.tasks.attention import check_of
from textassay.tasks.cannot_judge import COLUMN, with_unjudged
from textassay.tasks.contract import Payload, SimulatedResponse, Task
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
from textassay.tasks.rating.page_texts import PageScale, scales_of
from textassay.tasks.rating.settings import RatingSettings, Scale

SYSTEM_REACH = 0.15
"""The worst and the best system lie so far from the grand mean, in spans of the scale."""
ITEM_SD = 0.05
PARTICIPANT_SD = 0.06
NOISE_SD = 0.10
LEAST_NOISE = 0.5
"""In steps: with less noise, rounding would hide small effects."""
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
    reach: float
    """What a quality of 1 is on this scale."""


@lru_cache(maxsize=4)  # the same for all participants of a study
def effects(task: Task[RatingSettings]) -> dict[str, Effects]:
    """The effects put in, by criterion: a function of the study's seed, systems, items and scales."""
    stream = Stream(task.study.file.seed, "rehearsal", "effects", task.block.name)
    drawn = placed(task.study.systems, stream.child("quality"))
    found = {}
    for criterion in task.settings.criteria:
        own = stream.child(criterion.name)
        quality = stated_qualities(task) or _drawn_quality(drawn, own)
        found[criterion.name] = _effects_on(criterion.scale, quality, task.study.items_in_order, own)
    return found


def _drawn_quality(quality: Mapping[str, float], stream: Stream) -> dict[str, float]:
    """Qualities on one criterion; the one furthest from the mean is 1 or -1."""
    places = centred(on_criterion(quality, stream.child("systems")))
    furthest = max((abs(place) for place in places.values()), default=1.0) or 1.0
    return {system: place / furthest for system, place in places.items()}


def _effects_on(scale: Scale, quality: Mapping[str, float], items: Sequence[str], stream: Stream) -> Effects:
    span = scale.high - scale.low
    drawn = stream.child("items")
    # Beyond two standard deviations an item would push whole systems against the end of the scale.
    by_item = centred({item: max(-2.0, min(2.0, drawn.normal())) * ITEM_SD * span for item in items})
    return Effects(
        grand_mean=(scale.low + scale.high) / 2,
        systems={system: place * SYSTEM_REACH * span for system, place in quality.items()},
        items=by_item,
        participant_sd=PARTICIPANT_SD * span,
        noise_sd=max(NOISE_SD * span, LEAST_NOISE),
        reach=SYSTEM_REACH * span,
    )


class RatingParticipant(PacedParticipant[RatingSettings]):
    """One simulated participant: reads, rates by the effects put in, answers attention checks as they say."""

    def __init__(self, task: Task[RatingSettings], number: int, stream: Stream) -> None:
        super().__init__(task, number, stream)
        self.effects = effects(task)
        leniency = self.stream.child("leniency")
        self.leniency = {name: leniency.normal(sd=put_in.participant_sd) for name, put_in in self.effects.items()}

    @override
    def respond(self, trial: Trial, position: int) -> SimulatedResponse:
        stream = self.of_trial(trial)
        scales = scales_of(self.task, trial)
        ratings = {each.field: self._rating(each, trial, stream) for each in scales}
        said = comment(self.settings, _COMMENTS, stream)
        own = self.stream.child("cannot judge", trial.key)
        ratings, unjudged = some_unjudged(self.settings, trial, ratings, own)
        why = reasons([each.asked for each in scales], _COMMENTS, self.stream.child("why", trial.key))
        payload = {"ratings": ratings, "confirmed": _confirmed(scales, ratings), **unjudged, **why, **said}
        return SimulatedResponse(payload, self.rt_ms(trial, position, stream))

    @override
    def repeat_response(self, payload: Payload, trial: Trial) -> Payload:
        """The same at the same places; what a page has beyond them is rated as its first text."""
        if not self.settings.together:
            return payload
        scales, before = scales_of(self.task, trial), with_unjudged(payload, "ratings")
        given = {each.field: before.get(each.field, before[f"1.{each.criterion.name}"]) for each in scales}
        ratings = {field: value for field, value in given.items() if value is not None}
        unjudged = {COLUMN: [field for field in given if field not in ratings]} if COLUMN in payload else {}
        said = payload.get("why", {})
        why = {"why": {each.field: said.get(each.field, said.get(f"1.{each.criterion.name}")) for each in scales}}
        kept = {**payload, "ratings": ratings, "confirmed": _confirmed(scales, ratings), **unjudged}
        return {**kept, **why} if said else kept

    def _rating(self, asked: PageScale, trial: Trial, stream: Stream) -> int:
        criterion, system = asked.criterion.name, asked.name
        expected = self._expected(trial).get(criterion) if system in ("", "1") else None
        if expected is not None:
            return expected
        put_in, scale = self.effects[criterion], asked.criterion.scale
        value = put_in.grand_mean + self.leniency[criterion] + stream.normal(sd=put_in.noise_sd)
        if trial.systems:
            value += put_in.items.get(trial.item, 0.0) + put_in.systems[system]
            value += put_in.reach * text_quality(self.task, trial.item, system)
        return max(scale.low, min(scale.high, math.floor(value + 0.5)))

    def _expected(self, trial: Trial) -> Mapping[str, int]:
        return check_of(self.settings.attention_checks, trial.item).expected if trial.kind == "check" else {}


def _confirmed(scales: Sequence[PageScale], ratings: Mapping[str, int]) -> dict[str, bool]:
    """The ticks that a slider left in its middle needs."""
    sliders = [(each.field, each.criterion.scale) for each in scales if each.criterion.scale.widget == "slider"]
    return {field: True for field, scale in sliders if ratings.get(field) == scale.middle}
