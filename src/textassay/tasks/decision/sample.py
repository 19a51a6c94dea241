"""Decisions for power: each action is picked with a probability that depends on whether it is appropriate.

The model is that of `simulate.py`, with items, single texts and how people get on with a system as
further sources of variation. All of them and the system move the logit of an appropriate action up and that of an
inappropriate one down. The effect is the difference in the mean of P = P_AP - P_INAP between the best and the worst
system, over all people and items, without a time limit and with doing nothing as an action like others; what it is in
logits follows from that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from textassay.errors import UsageError
from textassay.seeds import Stream
from textassay.tasks.decision.settings import DecisionSettings, ids, written
from textassay.tasks.decision.simulate import APPROPRIATE, INAPPROPRIATE, NEUTRAL, SKILL_SD, SYSTEM_REACH, TIMED_OUT
from textassay.tasks.participants import SPEED_SD, TIME_SD, text_quality
from textassay.tasks.samples import EFFECT, Assumption, CrossedFactors, Floats, Sample, logistic, mean_logistic, solved

if TYPE_CHECKING:
    import pandas as pd

    from textassay.tasks.contract import Task


DIFFERENCE = 0.10
ITEM_SD, TEXT_SD, LIKING_SD = 0.40, 0.30, 0.20
"""In logits."""
_SHARES = (0.001, 0.999)
_LARGEST = 10.0
"""No effect needs more logits."""
Bools = npt.NDArray[np.bool_]


class DecisionSample(Sample[DecisionSettings]):
    """Sets of chosen actions."""

    def __init__(self, task: Task[DecisionSettings], table: pd.DataFrame, assumed: Mapping[str, float]) -> None:
        super().__init__(task, table, assumed)
        self.actions = np.array([str(row["action"]) for row in task.block.tables["actions"]], dtype=object)
        self.systems = self.system_codes("system")
        self.good, self.bad = (self._named(table[name]) for name in ("appropriate", "inappropriate"))
        self.crossed = CrossedFactors(
            table,
            participant=["participant"],
            item=["item"],
            text=["item", "system"],
            liking=["participant", "system"],
            speed=["participant"],
        )
        self.base = np.where(
            self.good, _logit(assumed["appropriate"]), np.where(self.bad, _logit(assumed["inappropriate"]), NEUTRAL)
        )
        self.size = self._in_logits(assumed[EFFECT])
        texts = zip(table["item"], table["system"], strict=True)
        self.of_texts = SYSTEM_REACH * np.array([text_quality(task, str(item), str(system)) for item, system in texts])
        """What single texts add, where the study's true effects have been worked out; `power` leaves them at 0."""

    @classmethod
    @override
    def assumptions(cls, task: Task[DecisionSettings]) -> Sequence[Assumption]:
        good, bad = (round(float(logistic(logit)), 2) for logit in (APPROPRIATE, INAPPROPRIATE))
        typical = "by a typical person with a typical system"
        p = "mean P of the best less that of the worst system"
        return [
            Assumption(EFFECT, DIFFERENCE, "P, which goes from -1 to 1", p, 0, 1.9, 0),
            Assumption(
                "appropriate", good, "probability", f"that an appropriate action is chosen {typical}", 0.001, 0.999
            ),
            Assumption("inappropriate", bad, "probability", f"… an inappropriate one {typical}", 0.001, 0.999),
            Assumption("participant_sd", SKILL_SD, "logits", "how much participants differ in skill"),
            Assumption("item_sd", ITEM_SD, "logits", "how much items differ in difficulty"),
            Assumption("text_sd", TEXT_SD, "logits", "how much texts of one system differ beyond their items"),
            Assumption("liking_sd", LIKING_SD, "logits", "how much participants differ in how they use a system"),
        ]

    @override
    def draw(self, stream: Stream) -> Mapping[str, npt.NDArray[Any]]:
        shift = self.size * self.places(stream)[self.systems] + self.crossed.summed(self._sds(), stream) + self.of_texts
        sign = self.good.astype(float) - self.bad
        picked = self._uniforms("picks", stream) < logistic(self.base + sign * shift[:, None])
        picked = self._or_nothing(self._alone(picked), stream)
        times: dict[str, npt.NDArray[Any]] = {}
        if self.settings.limit_seconds is not None:
            needed = self._needed(stream)
            picked = self._so_far(picked, needed, stream)
            rt_ms = 1000 * self.settings.limit_seconds * np.minimum(needed, 1.0)
            times = {"timed_out": needed >= 1, "rt_ms": rt_ms}
        return {"chosen": np.array([written(self.actions[row]) for row in picked], dtype=object), **times}

    def _sds(self) -> dict[str, float]:
        return {name: self.assumed[f"{name}_sd"] for name in ("participant", "item", "text", "liking")}

    def _named(self, cells: pd.Series[Any]) -> Bools:
        """Which actions each cell names."""
        return np.array([[action in ids(cell) for action in self.actions] for cell in cells], dtype=bool)

    def _uniforms(self, name: str, stream: Stream) -> Floats:
        return stream.child(name).uniforms(self.good.size).reshape(self.good.shape)

    def _nothing(self) -> Bools:
        """Which of the actions means doing nothing."""
        return np.array([action == self.settings.no_action for action in self.actions], dtype=bool)

    def _alone(self, picked: Bools) -> Bools:
        """Who would do something does not do nothing, unless nothing is what is right."""
        if not self.settings.no_action_alone:
            return picked
        nothing = self._nothing()
        both = np.any(picked & nothing, axis=1, keepdims=True) & (np.sum(picked, axis=1, keepdims=True) > 1)
        right = np.any(self.good & nothing, axis=1, keepdims=True)
        return np.where(both, np.where(right, nothing, picked & ~nothing), picked)

    def _or_nothing(self, picked: Bools, stream: Stream) -> Bools:
        """A participant who finds no suitable action does nothing, or else something harmless."""
        if self.settings.no_action is not None:
            instead = np.broadcast_to(self._nothing(), picked.shape)
        else:
            harmless = ~(self.good | self.bad)
            harmless[~harmless.any(axis=1)] = True
            lot = np.where(harmless, self._uniforms("instead", stream), -1.0)
            instead = lot == lot.max(axis=1, keepdims=True)
        return np.where(np.any(picked, axis=1, keepdims=True), picked, instead)

    def _needed(self, stream: Stream) -> Floats:
        """The time that a trial needs, in time limits; more than 1 for few."""
        spread = math.hypot(SPEED_SD, TIME_SD)
        deviates = self.crossed.summed({"speed": SPEED_SD, "noise": TIME_SD}, stream)
        return np.exp(deviates - spread * NormalDist().inv_cdf(1 - TIMED_OUT))

    def _so_far(self, picked: Bools, needed: Floats, stream: Stream) -> Bools:
        """The first of the picks in a random order, as many as there was time for."""
        lot = np.where(picked, self._uniforms("order", stream), np.inf)
        turn = np.argsort(np.argsort(lot, axis=1), axis=1)
        most = np.floor(picked.sum(axis=1) / np.maximum(needed, 1.0))
        return np.asarray(picked & (turn < most[:, None]), dtype=bool)

    def _in_logits(self, difference: float) -> float:
        """By how many logits two systems differ whose mean P differ so much."""
        spread = math.hypot(*self._sds().values())
        counts = self.good.any(axis=1)
        harmful = float(np.mean(self.bad[counts].any(axis=1))) if counts.any() else 0.0
        parts = ((_logit(self.assumed["appropriate"]), 1.0), (_logit(self.assumed["inappropriate"]), harmful))

        def apart(logits: float) -> float:
            up, down = (
                math.fsum(share * mean_logistic(base + way * logits / 2, spread) for base, share in parts)
                for way in (1, -1)
            )
            return up - down

        found = solved(apart, difference, 0.0, _LARGEST)
        if math.isnan(found):
            most = apart(_LARGEST)
            raise UsageError(f"{EFFECT} is {difference:g}, but here P can differ by {most:.3g} at most; give less")
        return found


def _logit(probability: float) -> float:
    return math.log(probability / (1 - probability))
