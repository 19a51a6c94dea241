"""The order that a set of orders has in common: Kemeny's or Borda's, with the agreement that there is.

Kemeny's order has the highest mean tau with the set. It is found from the shares of orders that put one unit before
another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from textassay.known_names import check_choice
from textassay.ordering.orders import Unit
from textassay.ordering.permutations import Floats, Orders, Permutations, inverse_rows, numbered
from textassay.results import Record
from textassay.stats import kendall_w
from textassay.stats.statistic import Statistic

Rule = Literal["kemeny", "borda"]
"""The highest mean tau, or the units by their mean place."""
LIMIT = 16
"""The most units of one knot that are solved exactly, by going through all its 2ⁿ subsets."""
_SLACK = 1e-9
"""Sums of shares that differ by less are equal."""


@dataclass(frozen=True, eq=False)
class PairShares:
    """All pairs of units, over orders."""

    units: tuple[Unit, ...]
    before: Floats
    """Shape (n, n): share of the orders in which the row's unit is before the column's; 0 on the diagonal."""
    rows: Permutations
    """The orders as numbers of `units`."""

    @property
    def n(self) -> int:
        """Number of units."""
        return len(self.units)

    def mean_tau(self, order: Permutations) -> float:
        """The mean tau of an order, given as numbers of units, with all orders."""
        agreed = self.before[np.ix_(order, order)]
        pairs = self.n * (self.n - 1) / 2
        return float(2 * np.triu(agreed, 1).sum() / pairs - 1) if self.n > 1 else float("nan")

    @property
    def highest(self) -> float:
        """What no order's mean tau can exceed: every pair as most orders have it."""
        pairs = self.n * (self.n - 1) / 2
        most = np.triu(np.maximum(self.before, self.before.T), 1).sum()
        return float(2 * most / pairs - 1) if self.n > 1 else float("nan")


def pair_shares(orders: Orders) -> PairShares:
    """Count the pairs.

    Raises:
        DataError: no orders, or orders of different units.

    >>> pair_shares(["abc", "bac"]).before.tolist()
    [[0.0, 0.5, 1.0], [0.5, 0.0, 1.0], [0.0, 0.0, 0.0]]
    """
    rows, units = numbered(orders)
    place = inverse_rows(rows)
    before = np.zeros((len(units), len(units)))
    for unit in range(len(units)):
        before[unit] = np.mean(place[:, unit, None] < place, axis=0)
    return PairShares(units, before, rows)


@dataclass(frozen=True, kw_only=True, eq=False)
class Consensus(Statistic):
    """The consensus of a set of orders."""

    order: tuple[Unit, ...]
    mean_tau: float
    """Of the order with all given ones."""
    highest: float
    """The highest mean tau that any order has, where `exact`; else what none can exceed."""
    exact: bool
    """Whether `highest` is reached by an order, with proof."""
    optimal: int
    """How many orders have the highest mean tau; 0 where not known."""
    w: float
    """Kendall's coefficient of concordance of the given orders."""
    mean_places: Floats
    """Mean place from 1 of each unit of `order`."""
    orders: int

    def records(self) -> list[Record]:
        """The mean tau, and the concordance."""
        order = " ".join(map(str, self.order))
        more: Record = {"highest": self.highest, "exact": self.exact, "optimal": self.optimal, "order": order}
        return [self.record("mean tau", self.mean_tau, n=self.orders, **more), self.record("W", self.w, n=self.orders)]


def consensus(orders: Orders, *, rule: Rule = "kemeny") -> Consensus:
    """The consensus of a set of orders.

    Kemeny's order has the highest mean tau with the given ones (Kemeny 1959): found exactly, with proof, by going
    through all subsets of each knot of up to 16 units (ten units are always exact), beyond that by moving single units,
    with the bound Σ max(share, 1 - share) over pairs. Borda's order has the units by their mean place. Among equals the
    first in the order of the first given order is taken, and how many there are is said.

    R: `ConsRank::consrank(inverse_orders)` for Kemeny's; `irr::kendall` for W.

    Args:
        orders: Orders of the same units.
        rule: `kemeny` or `borda`.

    Raises:
        DataError: no orders, or orders of different units.
        UsageError: another word for the rule.

    >>> found = consensus(["abcd", "abdc", "bacd"])
    >>> "".join(found.order), round(found.mean_tau, 4), found.optimal
    ('abcd', 0.7778, 1)
    """
    check_choice("rule", rule, get_args(Rule))
    shares = pair_shares(orders)
    place = inverse_rows(shares.rows)
    solved = solve_kemeny(shares)
    means = np.asarray(place.mean(axis=0))
    chosen = np.array(solved.order) if rule == "kemeny" else np.argsort(np.round(means, 9), kind="stable")
    concordance = kendall_w(place)
    return Consensus(
        method=f"{rule.title()} consensus",
        settings={"orders": len(shares.rows), "units": shares.n, "highest": "exact" if solved.exact else "bound"},
        warnings=(*_warnings(rule, solved, means), *concordance.warnings),
        order=tuple(shares.units[unit] for unit in chosen),
        mean_tau=shares.mean_tau(chosen),
        highest=shares.mean_tau(np.array(solved.order)) if solved.exact else shares.highest,
        exact=solved.exact,
        optimal=solved.optimal if solved.exact else 0,
        w=concordance.w,
        mean_places=means[chosen] + 1,
        orders=len(shares.rows),
    )


def highest_mean_tau(shares: PairShares) -> tuple[float, bool]:
    """The highest mean tau that any order can have, and whether an order has it or it is a bound."""
    solved = solve_kemeny(shares)
    return (shares.mean_tau(np.array(solved.order)), True) if solved.exact else (shares.highest, False)


def _warnings(rule: Rule, solved: KemenyOrder, means: Floats) -> list[str]:
    if rule == "borda":
        tied = len(means) - len(np.unique(np.round(means, 9)))
        return [f"{tied} unit(s) share their mean place with another; the first order decides"] if tied else []
    if not solved.exact:
        return ["the best order found, not known to be the best: more than 16 units depend on each other"]
    if solved.optimal > 1:
        return [f"{solved.optimal} orders have the same mean tau; this is the first of them"]
    return []


@dataclass(frozen=True)
class KemenyOrder:
    """An order of numbers of units."""

    order: tuple[int, ...]
    exact: bool
    """Whether no order is better."""
    optimal: int
    """How many orders are as good; 0 where that is not known."""


def solve_kemeny(shares: PairShares) -> KemenyOrder:
    """The best order.

    Units fall into knots: the pieces of the majority relation in which each can be reached from each (ties count both
    ways). Some best order has the knots one after the other (Condorcet's criterion, extended), so that each is solved
    for itself: exactly up to 16 units, beyond that by the best of several starts and moves of single units.
    """
    knots = _knots(shares.before)
    order: list[int] = []
    exact, optimal = True, 1
    for knot in knots:
        cost = shares.before[np.ix_(knot, knot)].T  # putting a before b costs the share that has b before a
        if len(knot) <= LIMIT:
            found, count = _all_subsets(cost)
        else:
            found, count, exact = _improved(cost, shares, knot), 0, False
        order += [knot[place] for place in found]
        optimal *= count
    exact = exact or abs(shares.mean_tau(np.array(order)) - shares.highest) < _SLACK
    return KemenyOrder(tuple(order), exact, optimal)


def _knots(before: Floats) -> list[list[int]]:
    """Units that must be ordered together, from the first to the last; within one, as they are numbered."""
    n = len(before)
    reach = (before >= before.T - _SLACK) | np.eye(n, dtype=bool)
    for _ in range(max(n - 1, 1).bit_length()):
        reach = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
    mutual = reach & reach.T
    firsts = [unit for unit in range(n) if not mutual[unit, :unit].any()]
    # A unit that reaches more others comes earlier: knots are in a line.
    firsts.sort(key=lambda unit: -int(reach[unit].sum()))
    return [np.flatnonzero(mutual[unit]).tolist() for unit in firsts]


def _all_subsets(cost: Floats) -> tuple[list[int], int]:
    """The first of the best orders by number, and how many there are (Held & Karp's way of going through subsets).

    `best[s]` is the least cost of putting the units outside s after those in s, in their best order.
    """
    n = len(cost)
    subsets = np.arange(1 << n)
    inside = (subsets[:, None] >> np.arange(n)) & 1
    best = np.full(1 << n, np.inf)
    ways = np.zeros(1 << n, dtype=np.int64)
    best[-1], ways[-1] = 0.0, 1
    # A unit that comes next is before all that are still outside.
    rest = (1 - inside) @ cost.T
    sizes = inside.sum(axis=1)
    for size in range(n - 1, -1, -1):
        here = subsets[sizes == size]
        steps = np.full((len(here), n), np.inf)
        for unit in range(n):
            free = inside[here, unit] == 0
            steps[free, unit] = rest[here[free], unit] + best[here[free] | (1 << unit)]
        best[here] = steps.min(axis=1)
        equal = steps <= best[here][:, None] + _SLACK
        ways[here] = sum(np.where(equal[:, unit], ways[here | (1 << unit)], 0) for unit in range(n))
    order: list[int] = []
    state = 0
    while len(order) < n:
        totals = [
            rest[state, unit] + best[state | (1 << unit)] if not state >> unit & 1 else np.inf for unit in range(n)
        ]
        order.append(int(np.flatnonzero(np.array(totals) <= best[state] + _SLACK)[0]))
        state |= 1 << order[-1]
    return order, int(ways[0])


def _improved(cost: Floats, shares: PairShares, knot: list[int]) -> list[int]:
    """The best that moving single units finds, from the order of means and from the best of the given orders."""
    place = {unit: number for number, unit in enumerate(knot)}
    starts = [np.argsort(-cost.sum(axis=0), kind="stable").tolist()]
    taus = [shares.mean_tau(row) for row in shares.rows]
    starts.append([place[unit] for unit in shares.rows[int(np.argmax(taus))].tolist() if unit in place])
    found = [_moved(start, cost) for start in starts]
    return min(found, key=lambda order: _cost(order, cost))


def _cost(order: list[int], cost: Floats) -> float:
    return float(np.triu(cost[np.ix_(order, order)], 1).sum())


def _moved(order: list[int], cost: Floats) -> list[int]:
    """Take each unit out and put it where it costs least, until nothing helps."""
    gain = cost - cost.T  # what is lost by having the row's unit before the column's
    changed = True
    while changed:
        changed = False
        for unit in order:
            here = order.index(unit)
            rest = [other for other in order if other != unit]
            # Cost of each place for the unit, counted from the place before all others.
            costs = np.concatenate([[0.0], np.cumsum(-gain[unit, rest])])
            there = int(np.argmin(costs))
            if costs[there] < costs[here] - _SLACK:
                order = [*rest[:there], unit, *rest[there:]]
                changed = True
    return order
