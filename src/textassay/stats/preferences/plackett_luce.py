"""The Plackett–Luce model: systems on one scale by rankings, complete or partial, with ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.results import Record
from textassay.stats.preferences.abilities import CENTRED, Abilities
from textassay.stats.preferences.choice_scale import Judged, fit_choices
from textassay.stats.preferences.pair_families import BRADLEY_TERRY, DAVIDSON
from textassay.stats.preferences.rank_choices import rank_choices
from textassay.stats.preferences.rankings import Rankings, read_rankings, stages_of
from textassay.stats.samples import check_share

RankTies = Literal["davidson-luce", "refuse"]
"""`davidson-luce`: ties are outcomes of their own; `refuse`: an error where there are any."""
Unranked = Literal["not shown", "last"]
"""What a system without rank is: not among those ranked, or behind all of them."""


@dataclass(frozen=True, kw_only=True)
class PlackettLuce(Abilities):
    """Systems on one scale by rankings."""

    @property
    def worth(self) -> tuple[float, ...]:
        """Of each system the probability of coming first of all (ties aside); they sum to 1."""
        values = np.array(self.values)
        worth = np.exp(values - values.max(initial=-np.inf))
        return tuple((worth / worth.sum()).tolist())

    def records(self) -> list[Record]:
        """Those of the abilities, then the worth of each system."""
        rows = zip(self.abilities, self.worth, strict=True)
        return [*super().records(), *(self.record("worth", worth, n=one.n, system=one.system) for one, worth in rows)]


def plackett_luce(
    rankings: npt.ArrayLike,
    *,
    systems: Sequence[str] | None = None,
    ties: RankTies = "davidson-luce",
    unranked: Unranked = "not shown",
    confidence: float = 0.95,
) -> PlackettLuce:
    """Abilities of systems from rankings of any number of them.

    P(i₁ before i₂ before …) = Π over r of e^θ(iᵣ) / Σ e^θ over all not yet placed (Luce 1959; Plackett 1975). A tie of
    the set S is chosen in proportion to δ · e^(mean of θ in S), one δ for each size of tie that occurs (Davidson and
    Luce; Turner, van Etten, Firth & Kosmidis 2020): with two systems that is Davidson's model.

    The maximum of the likelihood by Newton's method, standard errors from the information, Wald intervals and tests,
    all pairs corrected by Holm, and a likelihood-ratio test that all abilities are equal. The abilities sum to 0;
    `result.against("A")` gives differences from one system. Rankings count as independent of each other.

    R: `PlackettLuce::PlackettLuce(rankings, npseudo = 0)`.

    Example:
        >>> result = plackett_luce([[1, 2, 3], [1, 3, 2], [2, 1, 3], [3, 1, 2]], systems=["a", "b", "c"])
        >>> [round(worth, 4) for worth in result.worth]  # of a and b the smaller root of 8w² - 18w + 6
        [0.4069, 0.4069, 0.1861]

    Args:
        rankings: Shape (rankings, systems): the rank of each system, 1 the best; nan where it has none.
        systems: Their names; numbered from 1 if not given.
        ties: Whether equal ranks are modelled or refused.
        unranked: What nan means.
        confidence: Of all intervals.

    Raises:
        DataError: not a table of ranks, an infinite rank, ties that are refused or too many.
        UsageError: an unknown or impossible setting.
    """
    check_share("confidence", confidence)
    _check(ties, unranked)
    data = read_rankings(rankings, systems, last=unranked == "last")
    stages = stages_of(data)
    if ties == "refuse" and stages.tie_sizes:
        raise DataError(
            f"{_tied_rankings(data)} of {len(data.ranks)} rankings have ties, which ties='refuse' does not allow; "
            "leave them out or use ties='davidson-luce'"
        )
    names = tuple(f"log δ{size}" for size in stages.tie_sizes)
    above, tied = data.orders()
    n = int(np.count_nonzero(data.telling))
    judged = Judged(data.systems, above, tied, data.shown[data.telling].sum(axis=0), n, confidence)
    family = DAVIDSON if 2 in stages.tie_sizes else BRADLEY_TERRY
    scale, reason = fit_choices(rank_choices(stages), judged, family, names)
    silent = len(data.ranks) - n
    warnings = [reason, f"{silent} of {len(data.ranks)} rankings place no system against another" if silent else ""]
    return PlackettLuce(
        method="Plackett–Luce" + (" with Davidson–Luce ties" if names else ""),
        settings={
            "ties": ties if names else "none",
            "unranked": unranked,
            "abilities": CENTRED,
            "confidence": confidence,
            "systems": len(data.systems),
            "n": n,
        },
        warnings=tuple(filter(None, warnings)),
        **scale.fields(),
    )


def _check(ties: str, unranked: str) -> None:
    for name, value, choices in (("ties", ties, get_args(RankTies)), ("unranked", unranked, get_args(Unranked))):
        if value not in choices:
            raise UsageError(f"{name} must be one of {', '.join(choices)}; got {value!r}")


def _tied_rankings(data: Rankings) -> int:
    ordered = np.sort(data.ranks, axis=1)  # nan at the end, and unequal to itself
    return int(np.count_nonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1)))
