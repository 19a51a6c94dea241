"""The shortest path by integer programming: links that are wholly in or out, with a cut for each subtour that shows up.

Links that no better path than the known one can have (by their reduced costs in the linear program) are excluded
first; few remain. The linear program's bound is that of Dantzig, Fulkerson and Johnson (1954).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from textassay.ordering.measures.measure import Floats
from textassay.ordering.paths.network import Flags, Network, Whole, connected_parts, violated_cuts

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
class Relaxed:
    """What no tour can be shorter than, and the proof."""

    bound: float
    reduced: Floats
    """For each link, by how much a tour that has it exceeds the bound; below 0, one that has it not."""
    cuts: Flags
    """Shape (cuts, nodes): subsets that a tour must leave."""


def relaxation(net: Network, order: list[int], cost: float) -> Relaxed:
    """Add cuts and links until neither raises or lowers the bound, or the bound reaches the cost of a known path.

    The bound is computed from the duals alone, over all links: it holds however well the program was solved.
    """
    active = _nearest(net)
    active[net.links_of(order)] = True
    cuts = np.zeros((0, net.nodes), dtype=bool)
    best = Relaxed(-np.inf, np.zeros(len(net.costs)), cuts)
    scale = net.scale(order)
    slack = _ENOUGH / scale
    for _ in range(_ROUNDS):
        links = np.flatnonzero(active)
        share, bound, reduced = _solved_relaxation(net, links, cuts, scale)
        if bound > best.bound:
            best = Relaxed(bound, reduced, cuts)
        if best.bound >= cost - slack:
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
class Proved:
    """The shortest path, or as much as the time limit allowed."""

    order: list[int]
    bound: float


def proved_path(net: Network, order: list[int], cost: float, relaxed: Relaxed, time_limit: float) -> Proved:
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
            return Proved(order, cost)
        if solved.mip_dual_bound is not None and solved.mip_dual_bound > -np.inf:
            bound = max(bound, min(cost, float(solved.mip_dual_bound) / scale))
        if solved.status != 0 or bound >= cost:
            return Proved(order, bound)
        chosen = links[np.asarray(solved.x) > 0.5]
        found = connected_parts(net, chosen)
        if len(found) == 1:
            return Proved(net.path_of(chosen), bound)
        cuts = np.concatenate([cuts, found])
    return Proved(order, bound)


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
