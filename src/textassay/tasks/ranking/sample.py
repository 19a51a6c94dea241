"""Rankings for power: texts ranked by appeal, which is worth + a draw from Gumbel's distribution.

The model is that of `simulate.py` (Plackett and Luce) with two sources of variation: single texts are
worth more or less than their system is, and people differ in how they like a system. The effect is the probability
that the best system is ranked above the worst, over all texts and people and ties apart; the difference in worth
follows from that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from typing_extensions import override

from textassay.errors import UsageError
from textassay.seeds import Stream
from textassay.tasks.ranking.settings import RankingSettings
from textassay.tasks.ranking.simulate import TIE
from textassay.tasks.samples import EFFECT, Assumption, CrossedFactors, Floats, Ints, Sample, mean_logistic, solved

if TYPE_CHECKING:
    import pandas as pd

    from textassay.tasks.contract import Task


ABOVE = 0.65
TEXT_SD, LIKING_SD = 0.40, 0.30
"""In logits; what is left from one ranking to the next has a standard deviation of 1.28 (Gumbel)."""
_LARGEST = 40.0
"""No effect needs a greater difference in worth."""


class RankingSample(Sample[RankingSettings]):
    """Rankings on all criteria; systems have the same order on each, everything else is drawn for itself."""

    def __init__(self, task: Task[RankingSettings], table: pd.DataFrame, assumed: Mapping[str, float]) -> None:
        super().__init__(task, table, assumed)
        self.systems = self.system_codes("system")
        self.crossed = CrossedFactors(
            table,
            ranking=["participant", "trial", "criterion"],
            text=["item", "system", "criterion"],
            liking=["participant", "system", "criterion"],
        )
        self.threshold = TIE if task.settings.ties else 0.0
        self.size = self._in_worth(assumed[EFFECT])

    @classmethod
    @override
    def assumptions(cls, task: Task[RankingSettings]) -> Sequence[Assumption]:
        above = "how often the best is ranked above the worst system, ties apart"
        return [
            Assumption(EFFECT, ABOVE, "probability", above, 0.5, 0.999, 0.5),
            Assumption("text_sd", TEXT_SD, "logits", "how much texts of one system differ"),
            Assumption("liking_sd", LIKING_SD, "logits", "how much participants differ in how they like a system"),
        ]

    @override
    def draw(self, stream: Stream) -> Mapping[str, Floats]:
        sds = {"text": self.assumed["text_sd"], "liking": self.assumed["liking_sd"]}
        worth = self.size * self.places(stream)[self.systems] + self.crossed.summed(sds, stream)
        # Only what lies within (0, 1) has a logarithm of which a logarithm can be taken.
        uniform = np.maximum(stream.child("noise").uniforms(self.crossed.rows), 2.0**-53)
        return {"rank": ranks_within(self.crossed.levels["ranking"], worth - np.log(-np.log(uniform)), self.threshold)}

    def _in_worth(self, above: float) -> float:
        """The difference in worth of two systems of which the better is above the other that often."""
        spread = math.sqrt(2) * math.hypot(self.assumed["text_sd"], self.assumed["liking_sd"])
        found = solved(lambda worth: mean_logistic(worth, spread), above, 0.0, _LARGEST)
        if math.isnan(found):
            raise UsageError(f"{EFFECT} is {above:g}; no difference in worth leads to it; give a smaller one")
        return found


def ranks_within(ranking: Ints, appeal: Floats, threshold: float) -> Floats:
    """Rank of each row within its ranking, the most appealing first.

    Neighbours whose appeals differ by less than the threshold share the mean of their places.

    >>> ranks_within(np.array([0, 1, 0, 0]), np.array([1.0, 5.0, 3.0, 2.9]), 0.3).tolist()
    [3.0, 1.0, 1.5, 1.5]
    """
    order = np.lexsort((-appeal, ranking))
    sorted_ranking, sorted_appeal = ranking[order], appeal[order]
    begins = np.r_[True, np.diff(sorted_ranking) > 0]
    starts = np.maximum.accumulate(np.where(begins, np.arange(len(order)), 0))
    apart = begins | np.r_[True, -np.diff(sorted_appeal) >= threshold]
    group = np.cumsum(apart) - 1
    places = np.arange(len(order)) - starts + 1.0
    ranks = np.empty(len(order))
    ranks[order] = (np.bincount(group, weights=places) / np.bincount(group))[group]
    return ranks
