"""Preferences for power: the difference of two texts + leans to a side + noise, on the slider or as a choice.

The model is that of `simulate.py` with two sources of variation more: single texts are better or worse
than their system is, and people differ in how they like a system. For choices everything is in standard deviations of
the noise, and the effect is the share of wins of the best over the worst system among the comparisons that have a
winner; what it is on the scale of the model follows from that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from typing_extensions import override

from textassay.errors import UsageError
from textassay.seeds import Stream
from textassay.tasks.preference.settings import PreferenceSettings
from textassay.tasks.preference.simulate import INDIFFERENT, LEAN_LEFT
from textassay.tasks.preference.simulate import NOISE_SD as REHEARSED_SD
from textassay.tasks.samples import EFFECT, Assumption, CrossedFactors, Floats, Sample, solved

if TYPE_CHECKING:
    from textassay.tasks.contract import Task

EFFECT_SIZE, WINS = 0.20, 0.65
LEAN_SD, TEXT_SD, LIKING_SD, NOISE_SD = 0.05, 0.10, 0.08, 0.35
"""In shares of the furthest that the slider goes."""
_DIGITS = 9
"""More of them would be rounding."""
_LARGEST = 8.0
"""No effect on choices needs more standard deviations."""


class PreferenceSample(Sample[PreferenceSettings]):
    """Preferences on all criteria; systems have the same order on each, everything else is drawn for itself."""

    def __init__(self, task: Task[PreferenceSettings], table: pd.DataFrame, assumed: Mapping[str, float]) -> None:
        super().__init__(task, table, assumed)
        self.first, self.second = self.system_codes("system_a"), self.system_codes("system_b")
        self.sign = np.where(table["left"].to_numpy() == table["system_a"].to_numpy(), 1.0, -1.0)
        criterion = table["criterion"].to_numpy()
        self.rows = {each.name: np.flatnonzero(criterion == each.name) for each in self.settings.criteria}
        self.texts = {name: _both_texts(table.iloc[rows]) for name, rows in self.rows.items()}
        self.people = {name: CrossedFactors(table.iloc[rows], lean=["participant"]) for name, rows in self.rows.items()}
        self.size = assumed[EFFECT] if self.settings.form == "slider" else self._on_the_scale(assumed[EFFECT])

    @classmethod
    @override
    def assumptions(cls, task: Task[PreferenceSettings]) -> Sequence[Assumption]:
        """In units of the slider; for choices in standard deviations of the noise."""
        settings = task.settings
        slider = settings.form == "slider"
        unit = f"units of the slider, which ends at {settings.reach}" if slider else "standard deviations of the noise"
        one = float(settings.furthest) if slider else 1 / NOISE_SD

        def sd(name: str, share: float, meaning: str) -> Assumption:
            return Assumption(name, round(share * one, _DIGITS), unit, meaning)

        best = "mean preference for the best over the worst system"
        wins = "how often the best wins against the worst system, comparisons without a winner apart"
        effect = (
            Assumption(EFFECT, round(EFFECT_SIZE * one, _DIGITS), unit, best, 0, one, 0)
            if slider
            else Assumption(EFFECT, WINS, "probability", wins, 0.5, 0.999, 0.5)
        )
        noise = [sd("noise_sd", NOISE_SD, "what is left from one comparison to the next")]
        return [
            effect,
            sd("lean_sd", LEAN_SD, "how much participants differ in their lean to one side"),
            sd("text_sd", TEXT_SD, "how much texts of one system differ"),
            sd("liking_sd", LIKING_SD, "how much participants differ in how they like a system"),
            *(noise if slider else ()),
        ]

    @override
    def draw(self, stream: Stream) -> Mapping[str, Floats]:
        values, quality = np.full(len(self.table), np.nan), self.size * self.places(stream)
        for name, rows in self.rows.items():
            own = stream.child(name)
            better = quality[self.second[rows]] - quality[self.first[rows]] + self._beyond_systems(name, own)
            values[rows] = self.sign[rows] * self._given(self.sign[rows] * better + self._leaning(name, own))
        return {"value": values + 0.0}  # no negative zero

    def _beyond_systems(self, criterion: str, stream: Stream) -> Floats:
        """By how much the second text of each pair is better than the first for reasons other than their systems."""
        sds = {"text": self.assumed["text_sd"], "liking": self.assumed["liking_sd"]}
        first, second = self.texts[criterion].summed(sds, stream).reshape(2, -1)
        return np.asarray(second - first)

    def _leaning(self, criterion: str, stream: Stream) -> Floats:
        """What moves an answer to one side, whatever is there."""
        sds = {"lean": self.assumed["lean_sd"], "noise": self.assumed.get("noise_sd", 1.0)}
        return self.people[criterion].summed(sds, stream) - LEAN_LEFT / REHEARSED_SD * sds["noise"]

    def _given(self, strength: Floats) -> Floats:
        """Answers to how strongly the right text is preferred."""
        if self.settings.form == "slider":
            furthest = self.settings.furthest
            kept = np.where(np.abs(strength) < INDIFFERENT * furthest, 0.0, strength)
            return np.clip(np.floor(kept + 0.5), -furthest, furthest)
        tied = np.abs(strength) < (INDIFFERENT / REHEARSED_SD if self.settings.ties else 0.0)
        return np.where(tied, 0.0, np.where(strength > 0, 1.0, -1.0))

    def _on_the_scale(self, wins: float) -> float:
        """The difference of two systems of which the better wins that share."""
        parts = [1.0, self.assumed["lean_sd"], *2 * [self.assumed["text_sd"]], *2 * [self.assumed["liking_sd"]]]
        normal = NormalDist(0, math.hypot(*parts))
        lean, tie = LEAN_LEFT / REHEARSED_SD, INDIFFERENT / REHEARSED_SD if self.settings.ties else 0.0

        def share(difference: float) -> float:
            won = sum(normal.cdf(difference + side - tie) for side in (lean, -lean))
            lost = sum(normal.cdf(-difference + side - tie) for side in (lean, -lean))
            return won / (won + lost)

        found = solved(share, wins, 0.0, _LARGEST * normal.stdev)
        if math.isnan(found):
            raise UsageError(f"{EFFECT} is {wins:g}; no difference of two systems leads to it; give a smaller one")
        return found


def _both_texts(rows: pd.DataFrame) -> CrossedFactors:
    """The first texts of all pairs, then the second ones: a text is the same text on either side."""
    first, second = (rows.assign(system=rows[column]) for column in ("system_a", "system_b"))
    return CrossedFactors(pd.concat([first, second]), text=["item", "system"], liking=["participant", "system"])
