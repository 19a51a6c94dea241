"""Pairs of people: how alike they are over all texts, and the published analysis with each pair as an observation."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from textassay.ordering.agreement.outliers import system_agreement
from textassay.ordering.permutations import Floats
from textassay.ordering.variability.reorderings import Reorderings
from textassay.results import Record
from textassay.stats import Anova, Tukey, anova, tukey
from textassay.stats.statistic import Statistic

NOT_VALID = (
    "published mode: pairs share people, so that their taus are not independent and this analysis finds differences "
    "where there are none; trust the tests with people as the sampled unit, reported with it"
)
_MOST_CELLS = 20_000_000
"""Numbers in the table of the model; beyond that the factor pair is excluded."""


@dataclass(frozen=True)
class PersonAgreement:
    """One person."""

    name: str
    texts: int
    mean_tau: float
    """With all other people, over the texts that both ordered."""
    p: float
    """That a person's mean would be as low if all orders of a text were interchangeable; for all people together."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PairsOfPeople(Statistic):
    """All pairs, and all people."""

    persons: tuple[PersonAgreement, ...]
    pairs: tuple[tuple[str, str, float, int], ...]
    """Two people, their mean tau, and over how many texts."""
    mean: float
    """Over all pairs."""

    def records(self) -> list[Record]:
        """One record per person, then one per pair."""
        found = [
            self.record("mean tau with others", each.mean_tau, of=each.name, p=each.p, n=each.texts)
            for each in self.persons
        ]
        return [*found, *(self.record("mean tau", tau, of=one, by=other, n=n) for one, other, tau, n in self.pairs)]


def pairs_of_people(people: Reorderings, *, seed: int = 0) -> PairsOfPeople:
    """Mean tau of each pair of people over texts, as Karamanis and Mellish (2005) compare experts.

    Outliers are found by exchanging orders within texts (see `system_agreement`), among people who
    ordered all texts; with fewer than three of them there is no p.
    """
    means, counts = _means(people.taus)
    first, second = np.triu_indices(len(people.people), 1)
    known = [(i, j) for i, j in zip(first.tolist(), second.tolist(), strict=True) if counts[i, j]]
    p, warnings = _apart(people, seed)
    persons = tuple(
        PersonAgreement(name, int((people.which[:, i] >= 0).sum()), _mean(means[i]), p.get(name, math.nan))
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
        return {}, ("fewer than three people ordered all texts: outliers cannot be tested for",)
    orders = {
        people.people[i]: {text: people.order(place, i) for place, text in enumerate(people.texts)} for i in whole
    }
    found = system_agreement(orders, seed=seed)
    return dict(zip(found.systems, found.p.tolist(), strict=True)), found.warnings


@dataclass(frozen=True, kw_only=True)
class PairAnova(Statistic):
    """Tau of all pairs of people, by text, pair and condition."""

    anova: Anova
    tukey: Tukey | None
    """Between texts; None where there is one."""
    n: int

    def records(self) -> list[Record]:
        """F of each factor, and all pairs of texts."""
        parts = (self.anova,) if self.tukey is None else (self.anova, self.tukey)
        return [record for part in parts for record in replace(part, method=self.method, of=self.of).records()]


def pair_anova(people: Reorderings, *, alpha: float = 0.05) -> PairAnova | None:
    """Analysis of variance of tau over all pairs of people, with text, pair and condition as factors.

    As Madnani et al. (2007) did. The condition of a pair is that of both, or the two in which they had the text. None
    where no factor has two levels or there are fewer than two taus to a level.
    """
    first, second = np.triu_indices(len(people.people), 1)
    taus = people.taus[:, first, second]
    text, pair = np.nonzero(~np.isnan(taus))
    values = taus[text, pair]
    condition = np.sort(np.stack([people.condition[text, first[pair]], people.condition[text, second[pair]]]), axis=0)
    codes = {"text": text, "pair": pair, "condition": condition[0] * len(people.conditions) + condition[1]}
    factors = {name: code for name, code in codes.items() if len(np.unique(code)) > 1}
    warnings = [NOT_VALID]
    if sum(len(np.unique(code)) for code in factors.values()) * values.size > _MOST_CELLS and "pair" in factors:
        del factors["pair"]
        warnings.append(f"the factor pair is excluded: {len(first)} pairs are too many to fit at once")
    left = values.size - 1 - sum(len(np.unique(code)) - 1 for code in factors.values())
    if not factors or left < 1 or np.ptp(values) == 0:
        return None
    found = anova(values, {name: code.astype(str) for name, code in factors.items()}, terms=list(factors))
    names = np.array(people.texts)[text]
    compared = tukey(values, names, factor="text", alpha=alpha, error=found.error) if "text" in factors else None
    return PairAnova(
        method="ANOVA over pairs of people (published)",
        settings={"factors": " + ".join(factors), "pairs": len(first), "n": values.size},
        warnings=(*warnings, *found.warnings, *(() if compared is None else compared.warnings)),
        of="tau between people",
        anova=found,
        tukey=compared,
        n=values.size,
    )


def greater_sets(pairs: Iterable[tuple[str, str]], order: Iterable[str]) -> list[tuple[list[str], list[str]]]:
    """Which texts lie above which, in as few lines as Madnani et al. print them: S₊ > S₋.

    Args:
        pairs: Greater and smaller text of each difference that was found.
        order: All texts, the one with the highest mean first.

    >>> greater_sets([("8", "7"), ("9", "7"), ("8", "4"), ("8", "2")], ["8", "9", "4", "2", "7"])
    [(['8', '9'], ['7']), (['8'], ['4', '2'])]
    """
    places = {name: place for place, name in enumerate(order)}
    above: dict[str, list[str]] = {}
    for more, less in pairs:
        above.setdefault(less, []).append(more)
    lines: dict[tuple[str, ...], list[str]] = {}
    for less in sorted(above, key=lambda name: (-len(above[name]), places[name])):
        lines.setdefault(tuple(sorted(above[less], key=places.__getitem__)), []).append(less)
    return [(list(more), less) for more, less in lines.items()]
