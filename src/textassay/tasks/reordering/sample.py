"""Orders for power: the order that people look for, but for slips.

The model is that of `simulate.py`: going through the order once from the start, each unit changes places
with the next with a probability that depends on the system, here also on the person and the text. Where the system's
order is shown first (`start: data`), that is the order which slips change: the better the system, the less people move.
Where the start is drawn, people look for the most coherent order. The effect is the difference in mean tau with the
order looked for; with n units, s of them fixed, a slip costs 4 / (n (n - 1)), and there are n - 1 - s places for one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from textassay.errors import UsageError
from textassay.seeds import Stream
from textassay.tasks.reordering.settings import ReorderingSettings
from textassay.tasks.reordering.simulate import LEAST, MOST, coherent_order
from textassay.tasks.samples import (
    EFFECT,
    Assumption,
    CrossedFactors,
    Floats,
    Ints,
    Sample,
    logistic,
    mean_logistic,
    solved,
)

if TYPE_CHECKING:
    import pandas as pd

    from textassay.tasks.contract import Task


TAU = 0.10
SLIP = (LEAST + MOST) / 2
PARTICIPANT_SD, TEXT_SD = 0.50, 0.30
"""In logits of a slip."""
_FURTHEST = 30.0
"""In logits."""


class ReorderingSample(Sample[ReorderingSettings]):
    """Orders of the units of texts."""

    def __init__(self, task: Task[ReorderingSettings], table: pd.DataFrame, assumed: Mapping[str, float]) -> None:
        super().__init__(task, table, assumed)
        self.systems = self.system_codes("condition")
        self.crossed = CrossedFactors(table, participant=["participant"], text=["item", "condition"])
        wanted = [self._wanted(str(item), str(start).split()) for item, start in table[["item", "start"]].to_numpy()]
        by_length: dict[int, list[int]] = {}
        for row, units in enumerate(wanted):
            by_length.setdefault(len(units), []).append(row)
        self.orders: list[tuple[Ints, npt.NDArray[Any]]] = [
            (np.array(rows), np.array([wanted[row] for row in rows], dtype=object)) for rows in by_length.values()
        ]
        self.logits = self._logits([len(units) for units in wanted])

    @classmethod
    @override
    def assumptions(cls, task: Task[ReorderingSettings]) -> Sequence[Assumption]:
        slip = "how often a unit changes places with the next, over all people, texts and systems"
        tau = "mean tau with the order looked for, of the best less that of the worst system"
        return [
            Assumption(EFFECT, TAU, "tau", tau, 0, 1, 0),
            Assumption("slip", SLIP, "probability", slip, 0.001, 0.999),
            Assumption("participant_sd", PARTICIPANT_SD, "logits of a slip", "how much participants differ"),
            Assumption("text_sd", TEXT_SD, "logits of a slip", "how much texts differ beyond their systems"),
        ]

    @override
    def draw(self, stream: Stream) -> Mapping[str, npt.NDArray[Any]]:
        # The best system is at the end of `places`, and has the fewest slips.
        by_place = np.argsort(np.argsort(-self.places(stream)))
        sds = {"participant": self.assumed["participant_sd"], "text": self.assumed["text_sd"]}
        slip = logistic(self.logits[by_place][self.systems] + self.crossed.summed(sds, stream))
        found = np.empty(len(self.table), dtype=object)
        for rows, wanted in self.orders:
            units = wanted.shape[1]
            draws = stream.child("slips", units).uniforms(wanted.size).reshape(wanted.shape)
            order = wanted.copy()
            for place in range(int(self.settings.first_fixed), units - 1):
                slips = np.flatnonzero(draws[:, place] < slip[rows])
                order[slips, place], order[slips, place + 1] = order[slips, place + 1], order[slips, place]
            found[rows] = [" ".join(each) for each in order]
        # The moves from the start to this order are not drawn.
        return {"order": found, "moves": np.full(len(found), None, dtype=object)}

    def _wanted(self, item: str, start: Sequence[str]) -> list[str]:
        if self.settings.start == "data":
            return list(start)
        fixed = start[: int(self.settings.first_fixed)]
        coherent = coherent_order(self.task, item)
        return [*fixed, *(unit for unit in coherent if unit not in fixed)]

    def _logits(self, lengths: Sequence[int]) -> Floats:
        """The logit of a slip for each system, from the best to the worst, so that mean taus are evenly spread."""
        fixed = int(self.settings.first_fixed)
        cost = math.fsum(4 * max(n - 1 - fixed, 0) / (n * (n - 1)) for n in lengths if n > 1) / len(lengths)
        reach = self.assumed[EFFECT] / cost / 2 if cost else math.nan
        slip = self.assumed["slip"]
        if not 0 < slip - reach <= slip + reach < 1:
            most = 2 * cost * min(slip, 1 - slip)
            raise UsageError(
                f"{EFFECT} is {self.assumed[EFFECT]:g}, but with slips in {slip:g} of all places the tau of two "
                f"systems can differ by less than {most:.3g}; give a smaller effect or a slip nearer to 0.5"
            )
        spread = math.hypot(self.assumed["participant_sd"], self.assumed["text_sd"])
        shares = np.linspace(slip - reach, slip + reach, len(self.task.study.systems))
        return np.array(
            [solved(lambda logit: mean_logistic(logit, spread), share, -_FURTHEST, _FURTHEST) for share in shares]
        )
