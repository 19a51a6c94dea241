"""The bound of Dantzig, Fulkerson and Johnson (1954): a linear program with a cut for each subtour that shows up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textassay.ordering.paths.distances import Floats
from textassay.ordering.paths.network import Flags, Network, Whole
from textassay.ordering.paths.subtours import violated_cuts

_FEW = 3_000
"""Up to so many links, the program has all of them from the beginning."""
_NEAR = 8
"""Else those from each node to so many of the nearest; others come in when their price says so."""
_ROUNDS = 400
_ENOUGH = 1e-6
"""What a link must pay to come in, as the solver sees costs; and what is no difference."""


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
        share, bound, reduced = _solved(net, links, cuts, scale)
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


def _solved(net: Network, links: Whole, cuts: Flags, scale: float) -> tuple[Floats, float, Floats]:
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
