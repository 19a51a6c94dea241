"""An order against all that people gave to the same text, as Madnani et al. (2007) suggest; and how many are enough."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.ordering.agreement.several_references import several_references
from textassay.ordering.measures.position_kappa import means_agreement, position_kappa
from textassay.ordering.measures.tau import tau_batch
from textassay.ordering.orders import Order
from textassay.ordering.permutations import Floats, Permutations, inverse_rows, numbered
from textassay.ordering.variability.reorderings import Reorderings
from textassay.ordering.variability.score_tests import MEASURES, Targets
from textassay.results import Record
from textassay.seeds import Stream
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, eq=False)
class AgainstPeople:
    """One order of a text against those of all people."""

    system: str
    text: str
    mean_tau: float
    """With each person's order."""
    highest: float
    """The highest mean tau that any order has with them; a bound where not `exact`."""
    exact: bool
    values: dict[str, float]
    """Kappa of the matrix, and r, rho and tau of the means vector of people's orders with the system's."""
    matrix: npt.NDArray[np.int64]
    """How often the unit of the row, as the system orders them, has the position of the column."""
    taus: Floats
    """With each person's order, in the order of the people who have one."""
    people: int


@dataclass(frozen=True, kw_only=True)
class PeopleReferences(Statistic):
    """Systems against people's orders as several references."""

    scores: tuple[AgainstPeople, ...]

    @property
    def systems(self) -> tuple[str, ...]:
        """In the order in which they were given."""
        return tuple(dict.fromkeys(each.system for each in self.scores))

    def mean(self, system: str, measure: str) -> float:
        """Over texts that have a value."""
        found = [
            each.mean_tau if measure == "mean tau" else each.highest if measure == "highest" else each.values[measure]
            for each in self.scores
            if each.system == system
        ]
        known = [value for value in found if not math.isnan(value)]
        return math.fsum(known) / len(known) if known else math.nan

    def records(self) -> list[Record]:
        """Every measure of each system and text, then the means over texts."""
        found: list[Record] = []
        for each in self.scores:
            more: Record = {"highest": each.highest, "exact": each.exact}
            found.append(self.record("mean tau", each.mean_tau, of=each.text, by=each.system, n=each.people, **more))
            found += [
                self.record(name, value, of=each.text, by=each.system, n=each.people)
                for name, value in each.values.items()
            ]
        for system in self.systems:
            found += [
                self.record(name, self.mean(system, name), of="all texts", by=system)
                for name in ("mean tau", "highest", *MEASURES)
            ]
        return found


def people_references(people: Reorderings, systems: Targets) -> PeopleReferences | None:
    """Each system's order against the orders of all people; None without systems.

    Raises:
        DataError: a system's order with other units; the message names system and text.
    """
    found = [
        _against(people, place, system, by_text[text])
        for system, by_text in systems.items()
        for place, text in enumerate(people.texts)
        if text in by_text
    ]
    if not found:
        return None
    return PeopleReferences(
        method="people's orders as references",
        settings={"people": len(people.people), "texts": len(people.texts), "numbering": "system"},
        scores=tuple(found),
    )


def _against(people: Reorderings, place: int, system: str, order: Order) -> AgainstPeople:
    references: Sequence[Order] = people.orders(place)
    try:
        several = several_references(order, references)
        kappa, means = position_kappa(references, order), means_agreement(references, order)
    except DataError as error:
        raise DataError(f"text {people.texts[place]}, system {system}: {error}") from None
    return AgainstPeople(
        system=system,
        text=people.texts[place],
        mean_tau=several.mean,
        highest=several.highest,
        exact=several.exact,
        values=dict(zip(MEASURES, (kappa.kappa, means.r, means.rho, means.tau_b), strict=True)),
        matrix=kappa.matrix.T,
        taus=several.taus,
        people=len(references),
    )


@dataclass(frozen=True)
class WithReferences:
    """What a number of references gives."""

    references: int
    halves: float
    """Mean tau over texts of the orders by mean places of that many people and of as many others; nan where there are
    not twice as many people."""
    se: float
    """Standard error of a system's mean tau over texts with references of that many people, the mean over systems."""
    same_order: float
    """Share of the pairs of systems that come in the same order as with all people, over choices of people."""


@dataclass(frozen=True, kw_only=True)
class ReferencesNeeded(Statistic):
    """How scores settle with the number of references."""

    curve: tuple[WithReferences, ...]
    people: int

    def records(self) -> list[Record]:
        """Three records a number of references."""
        found = []
        for each in self.curve:
            named = {"tau of two consensus orders": each.halves, "se of mean tau": each.se}
            named |= {"pairs of systems in the same order": each.same_order}
            found += [self.record(name, value, n=each.references) for name, value in named.items() if value == value]  # noqa: PLR0124 -- nan
        return found


def references_needed(
    people: Reorderings, systems: PeopleReferences | None, *, draws: int = 200, seed: int = 0
) -> ReferencesNeeded | None:
    """The curve over the number of references; None with fewer than three people who ordered all texts.

    People, not single orders, are drawn, since a person's orders are correlated. Two disjoint groups of people show how
    far their consensus order (by mean places) depends on who they are. With systems: the standard error S/√k of a
    system's mean tau with k people, S the deviation between people; and how often k people put two systems in the order
    in which all of them do.
    """
    whole = np.flatnonzero((people.which >= 0).all(axis=0))
    m = len(whole)
    if m < 3:
        return None
    places = [
        inverse_rows(numbered([people.order(text, int(person)) for person in whole])[0])
        for text in range(len(people.texts))
    ]
    usable = [place for place in places if place.shape[1] > 1]
    scores = _scores(people, systems, whole)
    stream = Stream(seed, "ordering", "references needed")
    curve = []
    for k in range(1, m + 1):
        chosen = np.argsort(stream.child(k).uniforms(draws * m).reshape(draws, m), axis=1)
        halves = _halves(usable, chosen, k) if 2 * k <= m and usable else math.nan
        se = float(np.mean(scores.std(axis=1, ddof=1))) / math.sqrt(k) if len(scores) else math.nan
        curve.append(WithReferences(k, halves, se, _same_order(scores, chosen[:, :k])))
    left_out = len(people.people) - m
    return ReferencesNeeded(
        method="number of references",
        settings={"draws": draws, "seed": seed, "people": m, "texts": len(people.texts)},
        warnings=(f"{left_out} people who did not order every text are excluded",) if left_out else (),
        curve=tuple(curve),
        people=m,
    )


def _scores(people: Reorderings, systems: PeopleReferences | None, whole: np.ndarray) -> Floats:
    """Mean tau over texts of each system with each person; shape (systems, people). Systems with every text only."""
    found: list[Floats] = []
    if systems is None:
        return np.empty((0, len(whole)))
    for system in systems.systems:
        own = {each.text: each.taus for each in systems.scores if each.system == system}
        if set(own) == set(people.texts):
            rows = [_of_whole(people, place, own[text], whole) for place, text in enumerate(people.texts)]
            found.append(np.nanmean(rows, axis=0))
    return np.array(found) if found else np.empty((0, len(whole)))


def _of_whole(people: Reorderings, text: int, taus: Floats, whole: np.ndarray) -> Floats:
    there = np.flatnonzero(people.which[text] >= 0)
    return taus[np.searchsorted(there, whole)]


def _halves(places: Sequence[Permutations], chosen: np.ndarray, k: int) -> float:
    """Mean tau of the orders by mean places of the first k and the next k of each choice."""
    found = []
    for place in places:
        one, other = (
            np.argsort(place[who].sum(axis=1, dtype=np.int64), axis=1, kind="stable")
            for who in (chosen[:, :k], chosen[:, k : 2 * k])
        )
        found.append(tau_batch(one, other))
    return float(np.mean(found))


def _same_order(scores: Floats, chosen: np.ndarray) -> float:
    pairs = list(combinations(range(len(scores)), 2))
    every = scores.mean(axis=1)
    apart = [(i, j) for i, j in pairs if abs(every[i] - every[j]) > 1e-12]
    if not apart:
        return math.nan
    some = scores[:, chosen].mean(axis=2)
    return float(np.mean([np.sign(some[i] - some[j]) == np.sign(every[i] - every[j]) for i, j in apart]))
