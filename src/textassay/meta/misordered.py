"""Which systems a metric puts in the wrong order, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from textassay.stats.samples import FloatArray, midranks


@dataclass(frozen=True)
class MisorderedPair:
    """Two systems that metric and people put in opposite orders, or that the metric cannot tell apart."""

    better: str
    """The one that people prefer."""
    worse: str
    people: float
    """How much better people find it; above 0."""
    metric: float
    """The metric's difference, in its standard deviations over systems; 0 or below."""


@dataclass(frozen=True)
class SystemRanks:
    """Where people and metric put a system; rank 1 is the best."""

    system: str
    people: float
    metric: float

    @property
    def shift(self) -> float:
        """How many places the metric puts it too high; negative where too low."""
        return self.people - self.metric


def misordered_pairs(people: FloatArray, scores: FloatArray, systems: Sequence[str]) -> list[MisorderedPair]:
    """All pairs of systems that the metric orders unlike people, the worst for people first.

    Args:
        people: One value for each system, nan where there is none.
        scores: The metric's; more is better.
        systems: Their names.

    >>> misordered_pairs([3.0, 2.0, 1.0], [1.0, 2.0, 0.0], "abc")  # the SD of 1, 2, 0 is 1
    [MisorderedPair(better='a', worse='b', people=1.0, metric=-1.0)]
    """
    judged, scored, names = _known(people, scores, systems)
    spread = float(np.std(scored, ddof=1)) if scored.size > 1 else 0.0
    found = []
    for one, other in combinations(range(len(names)), 2):
        high, low = (one, other) if judged[one] >= judged[other] else (other, one)
        difference = float(scored[high] - scored[low])
        if judged[high] > judged[low] and difference <= 0:
            wrong = difference / spread if spread > 0 else 0.0
            found.append(MisorderedPair(names[high], names[low], float(judged[high] - judged[low]), wrong))
    return sorted(found, key=lambda pair: -pair.people)


def system_ranks(people: FloatArray, scores: FloatArray, systems: Sequence[str]) -> list[SystemRanks]:
    """Each system's place by people and by the metric, in the order of people; equal values share the mean rank."""
    judged, scored, names = _known(people, scores, systems)
    rows = zip(names, midranks(-judged).tolist(), midranks(-scored).tolist(), strict=True)
    return sorted((SystemRanks(*row) for row in rows), key=lambda each: each.people)


def _known(people: FloatArray, scores: FloatArray, systems: Sequence[str]) -> tuple[FloatArray, FloatArray, list[str]]:
    judged, scored = np.asarray(people, dtype=float), np.asarray(scores, dtype=float)
    known = np.flatnonzero(~np.isnan(judged) & ~np.isnan(scored))
    return judged[known], scored[known], [systems[place] for place in known.tolist()]
