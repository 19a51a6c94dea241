"""Subsets of nodes that a fractional or whole choice of links does not leave often enough."""

from __future__ import annotations

import numpy as np

from textassay.ordering.paths.distances import Floats
from textassay.ordering.paths.network import Flags, Network, Whole

_UNITS = 10**6
"""Shares of links are flows in whole units of this size."""
_MISSING = 10**3
"""So many units must be missing, or it is rounding."""


def parts(net: Network, links: Whole) -> Flags:
    """The nodes that hang together by these links, a row a part; one row where all do."""
    from scipy.sparse import csr_array  # noqa: PLC0415 -- scipy only where it is used
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415 -- the same

    shape = (net.nodes, net.nodes)
    graph = csr_array((np.ones(len(links)), (net.tails[links], net.heads[links])), shape=shape)
    count, label = connected_components(graph, directed=False)
    return np.asarray(label == np.arange(count)[:, None], dtype=bool)


def violated_cuts(net: Network, links: Whole, share: Floats) -> Flags:
    """Subsets that are left by less than a tour leaves them: parts if there are several, else by least cuts."""
    used = links[share * _UNITS >= 1]
    found = parts(net, used)
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
