"""Whether a metric agrees with people by more than chance: the metric's systems exchanged as wholes.

Texts of one system are alike, on both sides. So what chance may exchange is not single texts but whole systems of the
metric: one order of the systems for all items. What depends on it, depends on it through small tables (one number per
system of people and system of the metric, or per pair of systems), which are made once; an exchange costs no item.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from textassay.known_names import check_choice
from textassay.meta.coefficients import (
    NO_CHANCE_LEVEL,
    PRODUCT_MOMENT,
    Coefficient,
    grouped,
    paired_grids,
    read_grid,
)
from textassay.meta.exchange_sums import TABLE, figures_by_order
from textassay.seeds import Stream
from textassay.stats.correlations.correlation import all_orders
from textassay.stats.distributions import Alternative, check_alternative
from textassay.stats.resampling.resamples import check_draws
from textassay.stats.samples import FloatArray, IntArray, as_floats

ENUMERATED = 8
"""All orders of up to so many systems are counted: 40,320."""
DRAWS = 9999
SORTED_DRAWS = 999
"""The most draws where each has to sort all texts: pair counts of more texts than are compared pair by pair."""
_KEPT = 0.5
"""Exchanges must leave at least this share of the texts with a judgement and a score."""


@dataclass(frozen=True, eq=False)
class PermutationTest:
    """A figure of agreement and the chance of one as far from no agreement."""

    coefficient: Coefficient
    value: float
    p: float
    """Share of exchanges at least as far from 0 (accuracies: from `chance`); drawn: (b + 1) / (draws + 1)."""
    alternative: Alternative
    exact: bool
    """Whether all exchanges were counted."""
    permutations: int
    """Exchanges counted or drawn; 0 without p."""
    least_p: float
    """The smallest p that any order of the metric's systems can have: two-sided tests of rank coefficients may have
    an order as far on the other side, so that with 4 systems it is 2/24 and not 1/24; equal values make it larger."""
    chance: float
    """The mean of the figure over the exchanges."""
    groups: int
    """Items (by system: systems) that the figure is a mean over."""
    exchanged: str
    """What was exchanged."""
    reason: str = ""
    """Why there is no p."""


@dataclass(frozen=True)
class Exchanges:
    """How exchanges are counted or drawn.

    Raises:
        UsageError: an unknown alternative or an impossible number of draws.
    """

    alternative: Alternative = "two-sided"
    draws: int = DRAWS
    """Random exchanges where there are too many to count all."""
    seed: int = 0

    def __post_init__(self) -> None:
        check_alternative(self.alternative)
        check_draws(self.draws)

    def orders(self, members: int, *name: str, most: int = DRAWS) -> tuple[IntArray, bool]:
        """Orders of so many members, one per row, and whether these are all there are."""
        if members <= ENUMERATED:
            return all_orders(members).astype(np.intp), True
        return self.drawn(members, *name, draws=min(self.draws, most)), False

    def drawn(self, members: int, *name: str, draws: int) -> IntArray:
        """Random orders of so many members; the same for all that ask under one name."""
        make = _drawn_once if members * draws <= _KEPT_NUMBERS else _drawn
        return make(self.seed, name, members, draws)


_KEPT_NUMBERS = 2**21
"""Of orders that are kept: 16 MB."""


def _drawn(seed: int, name: tuple[str, ...], members: int, draws: int) -> IntArray:
    orders = random_orders(Stream(seed, "exchanges", *name), members, draws)
    orders.flags.writeable = False
    return orders


_drawn_once = lru_cache(maxsize=6)(_drawn)
"""Kept, for metrics, criteria and coefficients are exchanged by the same orders."""


def random_orders(stream: Stream, members: int, draws: int) -> IntArray:
    """Shape (draws, members): the numbers from 0 in random order."""
    return np.argsort(stream.raw(draws * members).reshape(draws, members), axis=1)


def permute_systems(
    people: npt.ArrayLike, scores: npt.ArrayLike, coefficient: Coefficient, exchanges: Exchanges | None = None
) -> PermutationTest:
    """The mean over items of the agreement within an item, and its p from exchanging whole systems of the metric.

    Each order of the metric's systems sets people's judgements of one system against the scores of another, the same
    for all items: all S! orders of up to 8 systems, else draws. A metric's system takes its gaps along: in each order a
    text counts where there is a judgement and, under the exchanged system, a score. Scores of texts that nobody judged
    are therefore of use and should be passed. Gaps of the metric that are not those of chance (a text that does not
    exist) leave exchanges with fewer texts than there are; that errs on the safe side, and where exchanges would leave
    less than half of the texts there is no p.

    >>> found = permute_systems([[1, 2, 3, 4], [1, 2, 3, 4]], [[1, 2, 3, 4], [2, 1, 3, 4]], "pearson")
    >>> found.value, round(found.p * 24), found.exact, round(found.least_p * 24)  # 2 orders at .9, 2 at -.9
    (0.9, 4, True, 4)

    Args:
        people: Shape (items, systems); nan where a text was not judged.
        scores: Shape (items, systems), more is better; nan where the metric has no score.
        coefficient: Within an item.
        exchanges: One- or two-sided, and how many are drawn.

    Raises:
        DataError: shapes that differ, or an infinite value.
    """
    return _exchanged_members(people, scores, coefficient, exchanges or Exchanges(), "systems")


def permute_items(
    people: npt.ArrayLike, scores: npt.ArrayLike, coefficient: Coefficient, exchanges: Exchanges | None = None
) -> PermutationTest:
    """The mean over systems of the agreement within a system, and its p from exchanging whole items of the metric.

    As `permute_systems`, with items and systems in each other's place: one order of the items for all systems.
    """
    people, scores = (read_grid(grid, name).T for grid, name in ((people, "people"), (scores, "scores")))
    return _exchanged_members(people, scores, coefficient, exchanges or Exchanges(), "items")


def permute_system_scores(
    people: npt.ArrayLike, scores: npt.ArrayLike, coefficient: Coefficient, exchanges: Exchanges | None = None
) -> PermutationTest:
    """The agreement of one value per system with another, and its p: exact for up to 8 systems.

    >>> found = permute_system_scores([1, 2, 3, 4], [1, 2, 3, 5], "pearson", Exchanges("greater"))
    >>> round(found.p * 24), found.exact
    (1, True)
    """
    return permute_systems([as_floats(people, "people")], [as_floats(scores, "scores")], coefficient, exchanges)


def _exchanged_members(
    people: npt.ArrayLike, scores: npt.ArrayLike, coefficient: Coefficient, exchanges: Exchanges, members: str
) -> PermutationTest:
    check_choice("coefficient", coefficient, get_args(Coefficient))
    observed = grouped(people, scores, "item", coefficient)
    used = ~np.isnan(paired_grids(people, scores)[0]).all(
        axis=0
    )  # a system without any text on one side cannot be exchanged
    people, scores = read_grid(people, "people")[:, used], read_grid(scores, "scores")[:, used]
    common = {"coefficient": coefficient, "value": observed.mean, "groups": observed.defined, "exchanged": members}
    if not observed.defined:
        reason = next(iter(observed.undefined), "there are no texts with a judgement and a score")
        return no_permutation_test(reason, exchanges, **common)
    size = people.shape[1]
    most = SORTED_DRAWS if coefficient not in PRODUCT_MOMENT and size > TABLE else DRAWS
    orders, exact = exchanges.orders(size, members, most=most)
    if _kept(people, scores, orders) < _KEPT:
        reason = f"exchanging {members} would leave less than half of the texts with a judgement and a score"
        return no_permutation_test(reason, exchanges, **common)
    figures = figures_by_order(people, scores, coefficient, orders)
    return permutation_test(figures, exchanges, exact=exact, **common)


def no_permutation_test(reason: str, exchanges: Exchanges, **common: Any) -> PermutationTest:
    """The figure without a p, and why."""
    nan = math.nan
    return PermutationTest(
        p=nan, alternative=exchanges.alternative, exact=False, permutations=0, least_p=nan, chance=nan, reason=reason,
        **common,
    )  # fmt: skip


def permutation_test(figures: FloatArray, exchanges: Exchanges, *, exact: bool, **common: Any) -> PermutationTest:
    """The p of the observed figure among those of the exchanges; an undefined one counts as extreme, to be safe."""
    value = float(common["value"])
    every = figures if exact else np.append(figures, value)
    chance = float(np.nanmean(every))
    centre = chance if common["coefficient"] in NO_CHANCE_LEVEL else 0.0
    distance = {"two-sided": np.abs(every - centre), "greater": every, "less": -every}[exchanges.alternative]
    own = {"two-sided": abs(value - centre), "greater": value, "less": -value}[exchanges.alternative]
    extreme = int(np.count_nonzero(~(distance < own - 1e-10)))
    farthest = float(np.fmax.reduce(distance, initial=-math.inf))
    least = int(np.count_nonzero(~(distance < farthest - 1e-10))) if exact else 1
    return PermutationTest(
        p=extreme / every.size, alternative=exchanges.alternative, exact=exact, permutations=figures.size,
        least_p=least / every.size, chance=chance, **common,
    )  # fmt: skip


def _kept(people: FloatArray, scores: FloatArray, orders: IntArray) -> float:
    """The mean share of texts that have a judgement and a score where systems are exchanged."""
    judged, scored = ~np.isnan(people), ~np.isnan(scores)
    shared = judged.T.astype(float) @ scored
    there = np.trace(shared)
    moved = float(np.mean(shared[np.arange(len(shared)), orders].sum(axis=1)))
    return moved / float(there) if there else 0.0
