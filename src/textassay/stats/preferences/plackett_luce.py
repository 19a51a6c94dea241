"""The Plackett–Luce model: systems on one scale by rankings, complete or partial, with ties."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.known_names import check_choice
from textassay.results import Record
from textassay.stats.preferences.abilities import CENTRED, Abilities
from textassay.stats.preferences.choice_scale import (
    BoolArray,
    ChoiceSets,
    JudgementCounts,
    counted,
    distinct_rows,
    fit_choices,
)
from textassay.stats.preferences.pair_likelihood import BRADLEY_TERRY, DAVIDSON
from textassay.stats.samples import FloatArray, as_floats, check_share

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

    Purpose: put systems on one scale when participants rank several texts, all of them or some.

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
    data = parse_rankings(rankings, systems, last=unranked == "last")
    stages = stages_of(data)
    if ties == "refuse" and stages.tie_sizes:
        raise DataError(
            f"{_tied_rankings(data)} of {len(data.ranks)} rankings have ties, which ties='refuse' does not allow; "
            "leave them out or use ties='davidson-luce'"
        )
    names = tuple(f"log δ{size}" for size in stages.tie_sizes)
    above, tied = data.orders()
    n = int(np.count_nonzero(data.telling))
    judged = JudgementCounts(data.systems, above, tied, data.shown[data.telling].sum(axis=0), n, confidence)
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
        check_choice(name, value, choices)


def _tied_rankings(data: Rankings) -> int:
    ordered = np.sort(data.ranks, axis=1)  # nan at the end, and unequal to itself
    return int(np.count_nonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1)))


_ALTERNATIVES = 20_000
"""The most sets of tied systems that are gone through."""


def rank_choices(stages: Stages) -> ChoiceSets:
    """The choices as a conditional logit model.

    Parameters are the log abilities of all but the first system and, for each size of tie that occurs, log δ. A tie of
    the set S has the utility log δ + mean of the log abilities in S; sizes that never occur have no δ.

    Raises:
        DataError: too many systems are tied to enumerate all possible ties.
    """
    k, sizes = stages.left.shape[1], stages.tie_sizes
    number = k + sum(math.comb(k, size) for size in sizes)
    if number > _ALTERNATIVES:
        raise DataError(
            f"ties of up to {max(sizes)} of {k} systems make {number} possible choices, more than the {_ALTERNATIVES} "
            "that are gone through; analyse fewer systems at a time, or leave out rankings with such ties"
        )
    alternatives = [subset for size in (1, *sizes) for subset in combinations(range(k), size)]
    members = np.zeros((number, k))
    for row, subset in enumerate(alternatives):
        members[row, list(subset)] = 1
    width = members.sum(axis=1)
    ties = [(width == size)[:, None] for size in sizes]
    design = np.concatenate([(members / width[:, None])[:, 1:], *ties], axis=1)
    sets, place = distinct_rows(stages.left)
    taken, which = distinct_rows(stages.taken)
    row_of = {subset: row for row, subset in enumerate(alternatives)}
    chosen = np.array([row_of[tuple(np.flatnonzero(row).tolist())] for row in taken], dtype=np.intp)[which]
    return counted(design, sets.astype(float) @ members.T == width, place, chosen)


@dataclass(frozen=True)
class Rankings:
    """Rankings that were checked."""

    systems: tuple[str, ...]
    ranks: FloatArray
    """Shape (rankings, systems); nan where a system has no rank."""
    last: bool
    """Whether systems without rank come behind those that have one; else they were not shown."""

    @property
    def shown(self) -> BoolArray:
        """Shape (rankings, systems): what was ranked or could have been."""
        return np.ones(self.ranks.shape, dtype=bool) if self.last else ~np.isnan(self.ranks)

    @property
    def telling(self) -> BoolArray:
        """Which rankings place at least one system against another."""
        return np.asarray(~np.isnan(self.ranks).all(axis=1) & (self.shown.sum(axis=1) > 1))

    def orders(self) -> tuple[FloatArray, FloatArray]:
        """How often the row's system was placed above the column's, and how often the two were tied."""
        filled = np.where(np.isnan(self.ranks), np.inf if self.last else np.nan, self.ranks)
        above, tied = (np.zeros((filled.shape[1],) * 2) for _ in range(2))
        for system, ranks in enumerate(filled.T[:, :, None]):
            above[system] = (ranks < filled).sum(axis=0)
            tied[system] = ((ranks == filled) & np.isfinite(ranks)).sum(axis=0)
        np.fill_diagonal(tied, 0)
        return above, tied


@dataclass(frozen=True)
class Stages:
    """All choices that rankings consist of; those that left no choice are not among them."""

    left: BoolArray
    """Shape (choices, systems): what could still be chosen."""
    taken: BoolArray
    """Shape (choices, systems): what was chosen; several where they are tied."""

    @property
    def tie_sizes(self) -> tuple[int, ...]:
        """Sizes of the ties that occur."""
        return tuple(size for size in np.unique(self.taken.sum(axis=1)).tolist() if size > 1)


def parse_rankings(rankings: npt.ArrayLike, systems: Sequence[str] | None, *, last: bool) -> Rankings:
    """Rankings, checked.

    Raises:
        DataError: not a table of numbers, an infinite rank, or names that do not fit.
    """
    ranks = as_floats(rankings, "rankings")
    if ranks.ndim != 2:
        raise DataError(f"rankings must have the shape (rankings, systems), got {ranks.shape}")
    bad = np.argwhere(np.isinf(ranks))
    if bad.size:
        raise DataError(f"rankings has an infinite rank in row {bad[0][0]}, column {bad[0][1]}; use nan for no rank")
    k = ranks.shape[1]
    names = [f"system {index + 1}" for index in range(k)] if systems is None else [str(name) for name in systems]
    if len(names) != k or len(set(names)) < k:
        raise DataError(
            f"rankings has {k} columns; systems must name each of them differently, got {len(set(names))} names"
        )
    return Rankings(tuple(names), ranks, last)


def stages_of(data: Rankings) -> Stages:
    """The choices of all rankings: first places, then second places, and so on."""
    waiting, left = ~np.isnan(data.ranks), data.shown
    lefts, takens = [left[:0]], [left[:0]]
    while np.any(waiting):
        best = np.where(waiting, data.ranks, np.inf).min(axis=1, keepdims=True)
        taken = waiting & (data.ranks == best)
        choice = taken.any(axis=1) & (left.sum(axis=1) > 1)
        lefts.append(left[choice])
        takens.append(taken[choice])
        waiting, left = waiting & ~taken, left & ~taken
    return Stages(np.concatenate(lefts), np.concatenate(takens))
