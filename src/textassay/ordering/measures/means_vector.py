"""The means vector of a set of orders: the mean number of the units in each position."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textassay.errors import UsageError
from textassay.ordering.measures.measure import Floats
from textassay.ordering.orders import Order
from textassay.ordering.permutations import Orders, numbered
from textassay.results import Record
from textassay.stats import kendall_tau, pearson, spearman
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True, eq=False)
class MeansAgreement(Statistic):
    """How a means vector goes with a target order."""

    means: Floats
    """One per position, from the first."""
    r: float
    rho: float
    tau_b: float
    orders: int

    def records(self) -> list[Record]:
        """One record per coefficient."""
        found = {"pearson": self.r, "spearman": self.rho, "tau-b": self.tau_b}
        return [self.record(name, value, n=len(self.means), orders=self.orders) for name, value in found.items()]


def means_vector(orders: Orders, numbering: Order | None = None) -> Floats:
    """The mean number of the unit in each position, over a set of orders (Madnani et al. 2007).

    Args:
        orders: Orders of the same units.
        numbering: The order that gives the units their numbers, from 1; not needed where units are numbers already.

    Raises:
        DataError: no orders, or orders of different units.
        UsageError: units that are no numbers, and no numbering.

    >>> means_vector([[2, 3, 4, 5, 6, 1]] * 3 + [[6, 1, 2, 3, 4, 5]] * 3).tolist()
    [4.0, 2.0, 3.0, 4.0, 5.0, 3.0]
    >>> means_vector(["bac", "abc"], "abc").tolist()
    [1.5, 1.5, 3.0]
    """
    rows, units = numbered(orders, numbering)
    if numbering is not None:
        return np.asarray(rows.mean(axis=0) + 1)
    if not all(isinstance(unit, (int, float)) for unit in units):
        raise UsageError(f"units such as {units[0]!r} are no numbers; say in `numbering` which order numbers them")
    return np.asarray(np.array(units, dtype=float)[rows].mean(axis=0))


def means_agreement(orders: Orders, target: Order, *, numbering: Order | None = None) -> MeansAgreement:
    """Pearson's r, Spearman's rho and Kendall's tau-b of the means vector with a target order.

    The target numbers the units, so that it reads 1 … n itself: then the coefficients of a single order are those that
    this package gives everywhere else. With `numbering`, units have the numbers of another order (the original) and
    the means vector is compared with the numbers in the target, as Madnani et al. (2007) did for all three targets;
    for a target other than the original that compares two lists of numbers, not two orders.

    Raises:
        DataError: no orders, or orders of different units.

    >>> found = means_agreement([[2, 3, 4, 5, 6, 1]] * 3 + [[6, 1, 2, 3, 4, 5]] * 3, [1, 2, 3, 4, 5, 6])
    >>> round(found.r, 4), round(found.rho, 4), round(found.tau_b, 4)
    (0.2548, 0.206, 0.2148)
    """
    means = means_vector(orders, target if numbering is None else numbering)
    wanted = means_vector([target], target if numbering is None else numbering)
    r, rho, tau_b = pearson(means, wanted), spearman(means, wanted), kendall_tau(means, wanted)
    said = () if numbering is None else ("numbers of another order than the target: lists are compared, not orders",)
    return MeansAgreement(
        method="means vector",
        settings={"numbering": "target" if numbering is None else "given", "orders": len(orders), "n": len(means)},
        warnings=(*said, *dict.fromkeys(r.warnings)),
        means=means,
        r=r.r,
        rho=rho.r,
        tau_b=tau_b.tau,
        orders=len(orders),
    )
