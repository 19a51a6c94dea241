"""The Kemeny order: the one with the highest mean tau with a set of orders."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textassay.ordering.agreement.pair_shares import PairShares
from textassay.ordering.measures.measure import Floats

LIMIT = 16
"""The most units of one knot that are solved exactly, by going through all its 2ⁿ subsets."""
_SLACK = 1e-9
"""Sums of shares that differ by less are equal."""


@dataclass(frozen=True)
class Solved:
    """An order of numbers of units."""

    order: tuple[int, ...]
    exact: bool
    """Whether no order is better."""
    optimal: int
    """How many orders are as good; 0 where that is not known."""


def solve(shares: PairShares) -> Solved:
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
    return Solved(tuple(order), exact, optimal)


def _knots(before: Floats) -> list[list[int]]:
    """Units that must be ordered together, from the first to the last; within one, as they are numbered."""
    n = len(before)
    reach = (before >= before.T - _SLACK) | np.eye(n, dtype=bool)
    for _ in range(max(n - 1, 1).bit_length()):
        reach = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
    mutual = reach & reach.T
    firsts = [unit for unit in range(n) if not mutual[unit, :unit].any()]
    # Whoever reaches more stands earlier: knots are in a line.
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
    # A unit that comes next stands before all that are still outside.
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
