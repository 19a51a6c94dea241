"""Ratings for power: grand mean + system + item + text + participant + liking + noise, on the scale.

The model is that of `simulate.py` with two sources of variation more: single texts are better or worse
than their system is, and people differ in how they like a system. The standard deviations are wider than those of
rehearsals, which are made to keep all answers within the scale. They come to 0.23 spans in all, 1.4 points on a scale
from 1 to 7. Where several texts are rated on one page, its ratings have something in common besides, which is no part
of a difference between systems.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from typing_extensions import override

from textassay.analysis.judgements import read_judgements
from textassay.seeds import Stream
from textassay.tasks.rating.settings import RatingSettings, Scale
from textassay.tasks.rating.simulate import LEAST_NOISE
from textassay.tasks.samples import EFFECT, Assumption, CrossedFactors, Floats, Ints, Sample, spreads

if TYPE_CHECKING:
    import pandas as pd

    from textassay.tasks.contract import Task


EFFECT_SIZE = 0.10
PARTICIPANT_SD, ITEM_SD, TEXT_SD, LIKING_SD, NOISE_SD = 0.10, 0.08, 0.08, 0.05, 0.17
"""In spans of the scale."""
PAGE_SD = 0.08
"""Of pages with several texts, in spans of the scale."""
_PAGE = {"page": ("participant", "item")}
_DIGITS = 9
"""More of them would be rounding."""


@dataclass(frozen=True)
class _Part:
    """The rows of one criterion."""

    name: str
    scale: Scale
    rows: Ints
    systems: Ints
    crossed: CrossedFactors
    share: float
    """Points of its scale for one point of the first criterion's."""

    def draw(self, assumed: Mapping[str, float], places: Floats, stream: Stream) -> Floats:
        own = stream.child(self.name)
        sds = {name.removesuffix("_sd"): sd for name, sd in assumed.items() if name != EFFECT}
        off_mean = assumed[EFFECT] * places[self.systems] + self.crossed.summed(sds, own)
        value = (self.scale.low + self.scale.high) / 2 + self.share * off_mean
        return np.clip(np.floor(value + 0.5), self.scale.low, self.scale.high)


class RatingSample(Sample[RatingSettings]):
    """Ratings on all criteria; systems have the same order on each, everything else is drawn for itself."""

    def __init__(self, task: Task[RatingSettings], table: pd.DataFrame, assumed: Mapping[str, float]) -> None:
        super().__init__(task, table, assumed)
        systems, criterion = self.system_codes("system"), table["criterion"].to_numpy()
        criteria = task.settings.criteria
        self.parts = []
        for each in criteria:
            rows = np.flatnonzero(criterion == each.name)
            crossed = CrossedFactors(
                table.iloc[rows],
                participant=["participant"],
                item=["item"],
                text=["item", "system"],
                liking=["participant", "system"],
                **(_PAGE if task.settings.together else {}),
            )
            share = _span(each.scale) / _span(criteria[0].scale)
            self.parts.append(_Part(each.name, each.scale, rows, systems[rows], crossed, share))

    @classmethod
    @override
    def assumptions(cls, task: Task[RatingSettings]) -> Sequence[Assumption]:
        """In points of the first criterion's scale; the others take the same share."""
        first, *others = task.settings.criteria
        span = _span(first.scale)
        unit = f"points on the scale of {first.name} ({first.scale.low} to {first.scale.high})"
        best = "mean of the best less that of the worst system"
        effect = f"{best}, on other scales as much in proportion" if others else best

        def sd(name: str, share: float, meaning: str) -> Assumption:
            return Assumption(name, round(share * span, _DIGITS), unit, meaning)

        return [
            Assumption(EFFECT, round(EFFECT_SIZE * span, _DIGITS), unit, effect, 0, span, 0),
            sd("participant_sd", PARTICIPANT_SD, "how much participants differ in leniency"),
            sd("item_sd", ITEM_SD, "how much items differ, whichever system writes"),
            sd("text_sd", TEXT_SD, "how much texts of one system differ beyond their items"),
            sd("liking_sd", LIKING_SD, "how much participants differ in how they like a system"),
            *([sd("page_sd", PAGE_SD, "how much ratings on one page go together")] if task.settings.together else []),
            sd("noise_sd", max(NOISE_SD, LEAST_NOISE / span), "what is left from one rating to the next"),
        ]

    @classmethod
    @override
    def pilot_assumptions(cls, task: Task[RatingSettings], table: pd.DataFrame) -> Mapping[str, float]:
        """From the first criterion's ratings."""
        first = task.settings.criteria[0].name
        return spreads(read_judgements(table).of(first).main, _PAGE if task.settings.together else {})

    @override
    def draw(self, stream: Stream) -> Mapping[str, Floats]:
        values, places = np.full(len(self.table), np.nan), self.places(stream)
        for part in self.parts:
            values[part.rows] = part.draw(self.assumed, places, stream)
        return {"value": values}


def _span(scale: Scale) -> float:
    return float(scale.high - scale.low)
