"""How alike people are over all texts: mean tau of each pair, and people who stand apart."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from textassay.ordering.agreement.outliers import system_agreement
from textassay.ordering.measures.measure import Floats
from textassay.ordering.variability.reorderings import Reorderings
from textassay.results import Record
from textassay.stats.statistic import Statistic


@dataclass(frozen=True)
class Person:
    """One person."""

    name: str
    texts: int
    mean_tau: float
    """With everybody else, over the texts that both ordered."""
    p: float
    """That somebody's mean would lie as low if all orders of a text were interchangeable; for all people together."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PairsOfPeople(Statistic):
    """All pairs, and all people."""

    persons: tuple[Person, ...]
    pairs: tuple[tuple[str, str, float, int], ...]
    """Two people, their mean tau, and over how many texts."""
    mean: float
    """Over all pairs."""

    def records(self) -> list[Record]:
        """One record a person, then one a pair."""
        found = [
            self.record("mean tau with others", each.mean_tau, of=each.name, p=each.p, n=each.texts)
            for each in self.persons
        ]
        return [*found, *(self.record("mean tau", tau, of=one, by=other, n=n) for one, other, tau, n in self.pairs)]


def pairs_of_people(people: Reorderings, *, seed: int = 0) -> PairsOfPeople:
    """Mean tau of each pair of people over texts, as Karamanis and Mellish (2005) compare experts.

    Whether somebody stands apart is judged by exchanging orders within texts (see `system_agreement`), among people who
    ordered all texts; with fewer than three of them there is no p.
    """
    means, counts = _means(people.taus)
    first, second = np.triu_indices(len(people.people), 1)
    known = [(i, j) for i, j in zip(first.tolist(), second.tolist(), strict=True) if counts[i, j]]
    p, warnings = _apart(people, seed)
    persons = tuple(
        Person(name, int((people.which[:, i] >= 0).sum()), _mean(means[i]), p.get(name, math.nan))
        for i, name in enumerate(people.people)
    )
    return PairsOfPeople(
        method="tau between people",
        settings={"people": len(people.people), "pairs": len(known), "texts": len(people.texts), "seed": seed},
        warnings=warnings,
        persons=persons,
        pairs=tuple((people.people[i], people.people[j], float(means[i, j]), int(counts[i, j])) for i, j in known),
        mean=_mean(np.array([means[pair] for pair in known])),
    )


def _means(taus: Floats) -> tuple[Floats, np.ndarray]:
    known = ~np.isnan(taus)
    counts = known.sum(axis=0)
    total = np.where(known, taus, 0.0).sum(axis=0)
    return np.divide(total, counts, out=np.full(counts.shape, math.nan), where=counts > 0), counts


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else math.nan


def _apart(people: Reorderings, seed: int) -> tuple[dict[str, float], tuple[str, ...]]:
    whole = np.flatnonzero((people.which >= 0).all(axis=0)).tolist()
    if len(whole) < 3:
        return {}, ("fewer than three people ordered all texts: nobody can be tested for standing apart",)
    orders = {
        people.people[i]: {text: people.order(place, i) for place, text in enumerate(people.texts)} for i in whole
    }
    found = system_agreement(orders, seed=seed)
    return dict(zip(found.systems, found.p.tolist(), strict=True)), found.warnings
