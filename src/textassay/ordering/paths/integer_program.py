"""The shortest path by integer programming: links that are wholly in or out, with a cut for each subtour that shows up.

Links that no better path than the known one can have (by their reduced costs in the linear program) are left out
first; few remain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from textassay.ordering.paths.network import Flags, Network, Whole
from textassay.ordering.paths.relaxation import Relaxed
from textassay.ordering.paths.subtours import parts

_PARTS = 64
"""A program is first given this part of the time limit."""


@dataclass
class _Budget:
    """Seconds that programs may take together, without a clock.

    Each is given a part, and counts as if it had taken all of it. One that needs more is begun anew with twice as much,
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
        found = parts(net, chosen)
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
