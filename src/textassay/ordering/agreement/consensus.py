"""The order that a set of orders has in common: Kemeny's or Borda's, with the agreement that there is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from textassay.errors import UsageError
from textassay.ordering.agreement import kemeny
from textassay.ordering.agreement.pair_shares import PairShares, pair_shares
from textassay.ordering.measures.measure import Floats
from textassay.ordering.orders import Unit
from textassay.ordering.permutations import Orders, inverse
from textassay.results import Record
from textassay.stats import kendall_w
from textassay.stats.statistic import Statistic

Rule = Literal["kemeny", "borda"]
"""The highest mean tau, or the units by their mean place."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Consensus(Statistic):
    """An order that stands for a set of orders."""

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
    if rule not in get_args(Rule):
        raise UsageError(f"rule must be one of {', '.join(get_args(Rule))}; got {rule!r}")
    shares = pair_shares(orders)
    place = inverse(shares.rows)
    solved = kemeny.solve(shares)
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
    solved = kemeny.solve(shares)
    return (shares.mean_tau(np.array(solved.order)), True) if solved.exact else (shares.highest, False)


def _warnings(rule: Rule, solved: kemeny.Solved, means: Floats) -> list[str]:
    if rule == "borda":
        tied = len(means) - len(np.unique(np.round(means, 9)))
        return [f"{tied} unit(s) share their mean place with another; the first order decides"] if tied else []
    if not solved.exact:
        return ["the best order found, not known to be the best: more than 16 units hang together"]
    if solved.optimal > 1:
        return [f"{solved.optimal} orders have the same mean tau; this is the first of them"]
    return []
