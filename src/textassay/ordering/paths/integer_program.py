"""The shortest path by integer programming: links that are wholly in or out, with a cut for each subtour that appears.

A path is a choice of links between nodes, the form in which linear and integer programs see it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.ordering.permutations import Floats

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
        """What to multiply costs by: a solver's absolute tolerances must be small compared with usual costs."""
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


_FEW = 3_000
"""Up to this number of links, the program has all of them from the beginning."""
_NEAR = 8
"""Else those from each node to this number of the nearest; others come in when their price says so."""
_ROUNDS = 400
_ENOUGH = 1e-6
"""What a link must pay to come in, as the solver sees costs; and what is no difference."""
_PARTS = 64
"""A program is first given this part of the time limit."""


@dataclass(frozen=True, eq=False)
class Relaxation:
    """What no tour can be shorter than, and the proof."""

    bound: float
    reduced: Floats
    """For each link, by how much a tour that has it exceeds the bound; below 0, one that has it not."""
    cuts: Flags
    """Shape (cuts, nodes): subsets that a tour must leave."""


def relaxation(net: Network, order: list[int], cost: float, stop: Callable[[], bool] | None = None) -> Relaxation:
    """Add cuts and links until neither raises or lowers the bound, or the bound reaches the cost of a known path.

    Between two rounds `stop` is asked whether to stop with the best bound so far.

    The bound is computed from the duals alone, over all links: it holds however well the program was solved.
    """
    active = _nearest(net)
    active[net.links_of(order)] = True
    cuts = np.zeros((0, net.nodes), dtype=bool)
    best = Relaxation(-np.inf, np.zeros(len(net.costs)), cuts)
    scale = net.scale(order)
    slack = _ENOUGH / scale
    for _ in range(_ROUNDS):
        links = np.flatnonzero(active)
        share, bound, reduced = _solved_relaxation(net, links, cuts, scale)
        if bound > best.bound:
            best = Relaxation(bound, reduced, cuts)
        if best.bound >= cost - slack or (stop is not None and stop()):
            break
        found = violated_cuts(net, links, share)
        if len(found):
            cuts = np.concatenate([cuts, found])
            continue
        entering = (reduced < -slack) & ~active
        if not entering.any():
            break
        active |= entering
    return best


def _nearest(net: Network) -> Flags:
    if len(net.costs) <= _FEW:
        return np.ones(len(net.costs), dtype=bool)
    matrix = np.full((net.nodes, net.nodes), np.inf)
    matrix[net.tails, net.heads] = net.costs
    if not net.directed:
        matrix[net.heads, net.tails] = net.costs
    near = np.zeros(matrix.shape, dtype=bool)
    np.put_along_axis(near, np.argsort(matrix, axis=1, kind="stable")[:, :_NEAR], values=True, axis=1)
    into = np.argsort(matrix, axis=0, kind="stable")[:_NEAR]
    np.put_along_axis(near, into, values=True, axis=0)
    if not net.directed:
        near |= near.T
    return np.asarray(near[net.tails, net.heads], dtype=bool)


def _solved_relaxation(net: Network, links: Whole, cuts: Flags, scale: float) -> tuple[Floats, float, Floats]:
    """Each link's share in the program's optimum; the bound that its duals prove; the reduced costs of all links."""
    from scipy.optimize import linprog  # noqa: PLC0415 -- scipy only where it is used
    from scipy.sparse import csr_array  # noqa: PLC0415 -- the same

    rows, sums = net.degrees(links)
    least = (links == net.forced).astype(float)
    solved = linprog(
        net.costs[links] * scale,
        A_eq=rows,
        b_eq=sums,
        A_ub=csr_array(-net.crossing(cuts, links).astype(float)) if len(cuts) else None,
        b_ub=np.full(len(cuts), -float(net.needed)) if len(cuts) else None,
        bounds=np.column_stack([least, np.ones(len(links))]),
        method="highs",
    )
    if solved.x is None:  # out of the solver's reach: no bound, and no share that would show a cut
        return np.zeros(len(links)), -np.inf, np.zeros(len(net.costs))
    duals = np.asarray(solved.eqlin.marginals) / scale
    weights = np.maximum(-np.asarray(solved.ineqlin.marginals), 0.0) / scale if len(cuts) else np.zeros(0)
    reduced = net.costs - net.prices(duals)
    everything = np.arange(len(net.costs))
    for number in np.flatnonzero(weights):
        reduced -= weights[number] * net.crossing(cuts[number : number + 1], everything)[0]
    bound = float(sums @ duals + net.needed * weights.sum() + np.minimum(reduced, 0.0).sum())
    if net.forced >= 0:
        bound += max(float(reduced[net.forced]), 0.0)
    return np.asarray(solved.x), bound, reduced


@dataclass
class _Budget:
    """Seconds that programs may take together, without a clock.

    Each is given a part, and counts as if it had taken all of it. One that needs more starts over with twice as much,
    as are those after it: so what is counted is never less, and seldom more than four times, what was taken.
    """

    left: float
    part: float

    def take(self) -> float:
        given = min(self.part, self.left)
        self.left -= given
        return given


@dataclass(frozen=True, eq=False)
class ProvedPath:
    """The shortest path, or as much as the time limit allowed."""

    order: list[int]
    bound: float


def proved_path(net: Network, order: list[int], cost: float, relaxed: Relaxation, time_limit: float) -> ProvedPath:
    """Find a path that is shorter than the known one, or prove that there is none.

    Args:
        net: The links of all paths.
        order: A known path.
        cost: Its cost.
        relaxed: The linear program's bound.
        time_limit: Seconds for all integer programs together; there is one for each round of cuts.
    """
    spare = (cost - relaxed.bound) * (1 + 1e-6) + 1e-12 * abs(cost)
    everything = np.arange(len(net.costs))
    links = everything[(relaxed.reduced <= spare) | (everything == net.forced)]
    sure = (relaxed.reduced[links] < -spare) | (links == net.forced)
    cuts, bound = relaxed.cuts, relaxed.bound
    scale = net.scale(order)
    budget = _Budget(time_limit, time_limit / _PARTS)
    while budget.left > 0:
        solved = _solved(net, links, sure, cuts, scale, budget.take())
        if solved.status == 1 and budget.left > 0:  # out of time, but not out of all of it
            budget.part *= 2
            continue
        if solved.status == 2:  # no tour has these links alone, so that none is shorter than the known one
            return ProvedPath(order, cost)
        if solved.mip_dual_bound is not None and solved.mip_dual_bound > -np.inf:
            bound = max(bound, min(cost, float(solved.mip_dual_bound) / scale))
        if solved.status != 0 or bound >= cost:
            return ProvedPath(order, bound)
        chosen = links[np.asarray(solved.x) > 0.5]
        found = connected_parts(net, chosen)
        if len(found) == 1:
            return ProvedPath(net.path_of(chosen), bound)
        cuts = np.concatenate([cuts, found])
    return ProvedPath(order, bound)


def _solved(net: Network, links: Whole, sure: Flags, cuts: Flags, scale: float, time_limit: float) -> Any:
    from scipy.optimize import Bounds, LinearConstraint, milp  # noqa: PLC0415 -- scipy only where it is used
    from scipy.sparse import csr_array  # noqa: PLC0415 -- the same

    rows, sums = net.degrees(links)
    needed = [LinearConstraint(rows, sums, sums)]
    if len(cuts):
        needed.append(LinearConstraint(csr_array(net.crossing(cuts, links).astype(float)), lb=float(net.needed)))
    return milp(
        net.costs[links] * scale,
        integrality=np.ones(len(links)),
        bounds=Bounds(sure.astype(float), np.ones(len(links))),
        constraints=needed,
        options={"mip_rel_gap": 0.0, "time_limit": time_limit},
    )
