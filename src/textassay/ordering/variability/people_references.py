"""An order against all that people gave to the same text, as Madnani et al. (2007) suggest; and how many are enough."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.ordering.agreement.several_references import several_references
from textassay.ordering.measures.means_vector import means_agreement
from textassay.ordering.measures.measure import Floats
from textassay.ordering.measures.position_kappa import position_kappa
from textassay.ordering.orders import Order
from textassay.ordering.variability.reorderings import Reorderings
from textassay.ordering.variability.target_scores import MEASURES, Targets
from textassay.results import Record
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
    """How often the unit of the row, as the system orders them, stands in the position of the column."""
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
