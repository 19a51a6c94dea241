"""Results of power by simulation: how often a test was significant, for each number of participants and items."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from textassay.results import Analysis, Record, Result, Table
from textassay.tasks.samples import EFFECT, Assumption

WANTED = 0.8
"""The usual target for power (Cohen, 1988)."""


@dataclass(frozen=True)
class PowerEstimate:
    """How often the test on one criterion was significant, for one number of participants and of items."""

    of: str
    """The criterion or measure."""
    participants: int
    items: int
    trials: int
    """Main trials of one participant."""
    effect: float
    null: bool
    """Whether all systems were equal, so that the share is the rate of false positives."""
    runs: int
    significant: int
    undefined: int
    """Runs without a p; they count as not significant."""

    @property
    def share(self) -> float:
        """Significant runs as a share of all; undefined if no run had a p."""
        return self.significant / self.runs if self.undefined < self.runs else math.nan

    @property
    def statistic(self) -> str:
        """Name of the share."""
        return "type I error" if self.null else "power"

    def interval(self, confidence: float) -> tuple[float, float]:
        """Wilson's interval of the share."""
        undefined = self.undefined == self.runs
        return (math.nan, math.nan) if undefined else wilson(self.significant, self.runs, confidence)


def wilson(successes: int, n: int, confidence: float) -> tuple[float, float]:
    """The interval of a proportion by the score test (Wilson, 1927).

    R: `prop.test(8, 10, correct = FALSE)$conf.int`.

    >>> [round(limit, 6) for limit in wilson(8, 10, 0.95)]
    [0.490162, 0.943318]
    >>> wilson(0, 10, 0.95)[0]
    0.0
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, weight = successes / n, z * z / n
    middle = (share + weight / 2) / (1 + weight)
    reach = z * math.sqrt(share * (1 - share) / n + weight / (4 * n)) / (1 + weight)
    return (0.0 if successes == 0 else middle - reach), (1.0 if successes == n else middle + reach)


@dataclass(frozen=True, kw_only=True)
class PowerResult(Result):
    """The power of one block."""

    block: str
    estimates: tuple[PowerEstimate, ...]
    assumptions: tuple[Assumption, ...]
    """With the values used; the effect is that of the first estimate."""
    alpha: float
    confidence: float

    def records(self) -> list[Record]:
        """One record for each criterion, number of participants and items, and effect."""
        return [
            self.record(
                each.statistic,
                each.share,
                of=each.of,
                ci=each.interval(self.confidence),
                n=each.runs,
                block=self.block,
                participants=each.participants,
                items=each.items,
                trials_each=each.trials,
                effect=each.effect,
                unit=self._effect.unit,
                alpha=self.alpha,
                undefined=each.undefined,
            )
            for each in self.estimates
        ]

    def analysis(self) -> Analysis:
        """The result as tables."""
        title = "Power: how often the test that systems differ is significant"
        tables = (self._power_table(), enough(self.estimates), self._assumed_table())
        return Analysis("power", title, (self,), tuple(each for each in tables if each.rows), warnings=self.warnings)

    @property
    def _effect(self) -> Assumption:
        return next(each for each in self.assumptions if each.name == EFFECT)

    def _power_table(self) -> Table:
        head = ("Criterion", "Participants", "Items", "Trials each", "Effect", "Runs", "Significant", "Low", "High")
        rows = []
        for each in self.estimates:
            size = (each.participants, each.items, each.trials)
            effect = f"{each.effect:g} (none: false positives)" if each.null else f"{each.effect:g}"
            rows.append((each.of, *size, effect, each.runs, each.share, *each.interval(self.confidence)))
        note = (
            f"Effect: {self._effect.meaning}, in {self._effect.unit}. Significant: the share of runs with p ≤ "
            f"{self.alpha:g}, which is the power; its {self.confidence * 100:g} % interval (Wilson) reflects only "
            "the number of runs."
        )
        return Table("power", "Power", head, tuple(rows), note)

    def _assumed_table(self) -> Table:
        rows = [(each.name, each.value, each.unit, each.meaning) for each in self.assumptions if each.name != EFFECT]
        note = "Power holds for these; take them from a pilot, or see how it changes with them (--assume name=value)."
        return Table("assumed", "Assumptions", ("Name", "Value", "Unit", "Meaning"), tuple(rows), note)


def enough(estimates: Sequence[PowerEstimate]) -> Table:
    """The sufficient numbers with the fewest trials in total, for each criterion and effect."""
    rows = []
    for of, effect in dict.fromkeys((each.of, each.effect) for each in estimates if not each.null):
        found = [each for each in estimates if (each.of, each.effect) == (of, effect) and each.share >= WANTED]
        fewest = min(found, key=lambda each: (each.participants * each.trials, each.participants), default=None)
        size = (fewest.participants, fewest.items, fewest.participants * fewest.trials) if fewest else (None,) * 3
        rows.append((of, f"{effect:g}", *size, fewest.share if fewest else None))
    columns = ("Criterion", "Effect", "Participants", "Items", "Trials in total", "Power")
    none = " Empty: none of the numbers tried reaches it." if any(row[-1] is None for row in rows) else ""
    title = f"The fewest trials with a power of {WANTED:g}"
    return Table("enough", title, columns, tuple(rows), f"Among the numbers tried.{none}")
