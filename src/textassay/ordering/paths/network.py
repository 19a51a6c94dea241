"""A path as a choice of links between nodes, the form in which linear and integer programs see it.

A node beside the units closes the path to a tour: without distance to or from any unit. Where distances are the same
both ways a link has no direction and every node has two; else every node has one link in and one out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.ordering.measures.measure import Floats

Whole = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
_USUAL = 1e4
"""Cost of a link as the solvers see it: they stop at a gap of 1e-6."""
_UNITS = 10**6
"""Shares of links are flows in whole units of this size."""
_MISSING = 10**3
"""The fewest units that must be missing; fewer are rounding."""


@dataclass(frozen=True, eq=False)
class Network:
    """All links that a tour may have."""

    units: int
    start: int | None
    nodes: int
    """The units and, but for a directed path from a given first, the node that closes the path."""
    tails: Whole
    heads: Whole
    costs: Floats
    directed: bool
    forced: int
    """A link that every tour has, -1 where there is none."""

    @property
    def needed(self) -> int:
        """Links that leave each proper subset of the nodes: one, or two without direction."""
        return 1 if self.directed else 2

    def links_of(self, order: list[int]) -> Whole:
        """The links that a path has, as a tour."""
        number = np.full((self.nodes, self.nodes), -1)
        number[self.tails, self.heads] = np.arange(len(self.tails))
        if not self.directed:
            number[self.heads, self.tails] = np.arange(len(self.tails))
        closed = np.array([*order, *range(self.units, self.nodes)])
        return np.asarray(number[closed, np.roll(closed, -1)], dtype=np.int64)

    def scale(self, order: list[int]) -> float:
        """What to multiply costs by: a solver's tolerances, which are absolute, must be small beside usual costs."""
        usual = float(np.abs(self.costs[self.links_of(order)]).mean()) or float(np.abs(self.costs).max())
        return _USUAL / usual if usual else 1.0

    def path_of(self, links: Whole) -> list[int]:
        """The units in the order in which these links, which form one tour, have them.

        Without direction and with a free first there are two such orders: of the ends the smaller number comes first.
        """
        beside: list[list[int]] = [[] for _ in range(self.nodes)]
        for tail, head in zip(self.tails[links].tolist(), self.heads[links].tolist(), strict=True):
            beside[tail].append(head)
            if not self.directed:
                beside[head].append(tail)
        order = [min(beside[self.units]) if self.start is None else self.start]
        left = set(range(self.units)) - {order[0]}
        while left:
            order.append(next(node for node in beside[order[-1]] if node in left))
            left.discard(order[-1])
        return order

    def degrees(self, links: Whole) -> tuple[Any, Floats]:
        """Rows of the program that give every node its links, and what each must add up to."""
        from scipy.sparse import csr_array, vstack  # noqa: PLC0415 -- scipy only where it is used

        columns, ones = np.arange(len(links)), np.ones(len(links))
        shape = (self.nodes, len(links))
        out = csr_array((ones, (self.tails[links], columns)), shape=shape)
        into = csr_array((ones, (self.heads[links], columns)), shape=shape)
        if self.directed:
            return vstack([out, into], format="csr"), np.ones(2 * self.nodes)
        return out + into, np.full(self.nodes, 2.0)

    def crossing(self, cuts: Flags, links: Whole) -> Flags:
        """Which links leave each subset of nodes; shapes (cuts, nodes) and (cuts, links)."""
        begins, ends = cuts[:, self.tails[links]], cuts[:, self.heads[links]]
        return np.asarray(begins & ~ends if self.directed else begins != ends, dtype=bool)

    def prices(self, duals: Floats) -> Floats:
        """What the nodes at the ends of each link pay together, from the duals of `degrees`."""
        ends = duals[self.nodes :] if self.directed else duals
        return np.asarray(duals[self.tails] + ends[self.heads], dtype=np.float64)


def network(distances: Floats, start: int | None) -> Network:
    """The links of all paths, with the given first unit or any."""
    n = len(distances)
    if np.array_equal(distances, distances.T):
        tails, heads = np.triu_indices(n + 1, 1)
        costs = np.pad(distances, (0, 1))[tails, heads]
        forced = -1 if start is None else int(np.flatnonzero((tails == start) & (heads == n))[0])
        return Network(n, start, n + 1, tails, heads, costs, directed=False, forced=forced)
    closed = np.pad(distances, (0, 1)) if start is None else distances.copy()
    if start is not None:
        closed[:, start] = 0.0  # the way back from the last
    tails, heads = np.nonzero(~np.eye(len(closed), dtype=bool))
    return Network(n, start, len(closed), tails, heads, closed[tails, heads], directed=True, forced=-1)


def connected_parts(net: Network, links: Whole) -> Flags:
    """The nodes connected by these links, one row per part; one row if all are."""
    from scipy.sparse import csr_array  # noqa: PLC0415 -- scipy only where it is used
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415 -- the same

    shape = (net.nodes, net.nodes)
    graph = csr_array((np.ones(len(links)), (net.tails[links], net.heads[links])), shape=shape)
    count, label = connected_components(graph, directed=False)
    return np.asarray(label == np.arange(count)[:, None], dtype=bool)


def violated_cuts(net: Network, links: Whole, share: Floats) -> Flags:
    """Subsets that are left by less than a tour leaves them: parts if there are several, else by least cuts."""
    used = links[share * _UNITS >= 1]
    found = connected_parts(net, used)
    if len(found) > 1:
        return found if net.directed or len(found) > 2 else found[:1]
    return _least_cuts(net, used, np.rint(share[share * _UNITS >= 1] * _UNITS).astype(np.int32))


def _least_cuts(net: Network, links: Whole, capacity: Whole) -> Flags:
    """A least cut between node 0 and each other node that no cut found so far has parted from it."""
    from scipy.sparse import csr_array  # noqa: PLC0415 -- scipy only where it is used
    from scipy.sparse.csgraph import breadth_first_order, maximum_flow  # noqa: PLC0415 -- the same

    shape = (net.nodes, net.nodes)
    graph = csr_array((capacity, (net.tails[links], net.heads[links])), shape=shape)
    if not net.directed:
        graph = csr_array(graph + graph.T)
    found: list[Flags] = []
    parted = np.zeros(net.nodes, dtype=bool)
    for node in range(1, net.nodes):
        if parted[node]:
            continue
        flow = maximum_flow(graph, 0, node)
        if flow.flow_value > net.needed * _UNITS - _MISSING:
            continue
        left = csr_array(graph - flow.flow)
        left.data = (left.data > 0).astype(np.int8)
        left.eliminate_zeros()
        inside = np.zeros(net.nodes, dtype=bool)
        inside[breadth_first_order(left, 0, return_predecessors=False)] = True
        parted |= ~inside
        found.append(inside)
    return np.array(found, dtype=bool).reshape(-1, net.nodes)
