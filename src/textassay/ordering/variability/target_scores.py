"""How near the orders of each text and condition come to given orders: kappa of positions, and the means vector."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from textassay.errors import DataError
from textassay.ordering.measures.means_vector import means_agreement
from textassay.ordering.measures.position_kappa import position_kappa
from textassay.ordering.orders import Order
from textassay.ordering.variability.reorderings import Reorderings
from textassay.results import Record
from textassay.stats.statistic import Statistic

Targets = Mapping[str, Mapping[str, Order]]
"""Orders to compare with: name of the target → text → order."""
MEASURES = ("kappa", "r", "rho", "tau")
"""Of a set of orders against one: kappa of positions; Pearson's, Spearman's and Kendall's coefficient of the means."""


@dataclass(frozen=True)
class TargetScore:
    """One set of orders against one order."""

    text: str
    condition: str
    target: str
    values: Mapping[str, float]
    """Measure → value."""
    orders: int


@dataclass(frozen=True, kw_only=True)
class TargetScores(Statistic):
    """All texts and conditions against all targets: four measures each."""

    scores: tuple[TargetScore, ...]

    @property
    def targets(self) -> tuple[str, ...]:
        """In the order in which they were given."""
        return tuple(dict.fromkeys(score.target for score in self.scores))

    def records(self) -> list[Record]:
        """One record per score."""
        return [
            self.record(f"{name} with {each.target}", value, of=each.text, by=each.condition, n=each.orders)
            for each in self.scores
            for name, value in each.values.items()
        ]


def target_scores(people: Reorderings, targets: Targets) -> TargetScores:
    """Kappa of positions, and r, rho and tau of the means vector, for each text, condition and target.

    These are the scores that Madnani et al. (2007) analyse: with three conditions and their three orders as targets,
    twelve for each text and condition. Units have the numbers of the target (see `means_agreement`).

    Raises:
        DataError: a target with other units than the orders; the message names text and target.

    >>> from textassay.ordering import GivenOrder, reorderings
    >>> people = reorderings([GivenOrder("s", "p", "abc"), GivenOrder("s", "q", "acb")])
    >>> found = target_scores(people, {"gold": {"s": "abc"}})
    >>> {name: round(value, 4) for name, value in found.scores[0].values.items()}
    {'kappa': 0.5, 'r': 0.866, 'rho': 0.866, 'tau': 0.8165}
    """
    found, warnings = [], []
    for name, by_text in targets.items():
        absent = [text for text in people.texts if text not in by_text]
        if absent:
            warnings.append(f"target {name} has no order of {len(absent)} of {len(people.texts)} texts")
        for place, text in enumerate(people.texts):
            if text in by_text:
                found += _of_text(people, place, name, by_text[text])
    undefined = sum(bool(np.isnan(value)) for each in found for value in each.values.values())
    if undefined:
        warnings.append(f"{undefined} score(s) are undefined: all means of a set are equal, or there is one unit only")
    return TargetScores(
        method="kappa of positions and means vector",
        settings={"numbering": "target", "texts": len(people.texts), "targets": len(targets)},
        warnings=tuple(warnings),
        scores=tuple(found),
    )


def _of_text(people: Reorderings, place: int, name: str, target: Order) -> list[TargetScore]:
    found = []
    for number, condition in enumerate(people.conditions):
        orders = people.orders(place, number)
        if not orders:
            continue
        try:
            kappa, means = position_kappa(orders, target), means_agreement(orders, target)
        except DataError as error:
            raise DataError(f"text {people.texts[place]}, target {name}: {error}") from None
        values = dict(zip(MEASURES, (kappa.kappa, means.r, means.rho, means.tau_b), strict=True))
        found.append(TargetScore(people.texts[place], condition, name, values, len(orders)))
    return found
