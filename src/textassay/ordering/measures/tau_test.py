"""Kendall's tau of an order with its exact p and the tau of chance."""

from __future__ import annotations

import math
from dataclasses import dataclass

from textassay.errors import DataError
from textassay.ordering.distributions.tau_counts import chance_tau, inversions_p, tau_of_inversions
from textassay.ordering.measures.tau import inversions
from textassay.ordering.orders import Order, Units, align
from textassay.results import Record
from textassay.stats.distributions import Alternative, check_alternative
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class TauTest(Statistic):
    """Tau of one order with a reference."""

    tau: float
    p: float
    inversions: int
    n: int
    """Units that both orders have."""
    chance: float
    """Mean tau of all orders that were possible: 0, or 2/n where the first unit is fixed."""
    exact: bool
    """Whether p comes from counting all orders."""
    coverage: float
    """Share of the reference's units that the order has."""

    def records(self) -> list[Record]:
        """One record."""
        more: Record = {"inversions": self.inversions, "exact": self.exact, "coverage": self.coverage}
        return [self.record("tau", self.tau, p=self.p, n=self.n, chance=self.chance, **more)]


def tau_test(
    order: Order,
    reference: Order,
    *,
    first_fixed: bool = False,
    alternative: Alternative = "two-sided",
    units: Units = "same",
) -> TauTest:
    """Whether an order agrees with a reference more than a random one would.

    All n! orders (with the first unit fixed, the (n-1)! that begin with it) are equally likely under chance; p is the
    share of them whose tau is as extreme, two-sided twice the smaller tail. Exact up to n = 170, from the counts of
    orders by tau (`tau_counts`); beyond that the normal approximation.

    R: `cor.test(match(order, reference), seq_along(order), method = "kendall", exact = TRUE)`.

    Args:
        order: Unit ids from first to last.
        reference: The same of the order to compare with.
        first_fixed: Whether the first unit could not be moved; then chance gives 2/n and not 0.
        alternative: `greater`: closer to the reference than chance.
        units: `same` refuses missing, extra and repeated units; `common` compares those that both have.

    Raises:
        DataError: units that differ, or a first unit that is not where it was fixed.
        UsageError: an unknown setting.

    >>> found = tau_test("ABCED", "ABCDE")
    >>> found.tau, round(found.p, 4)  # 5 of the 120 orders have at most one inversion
    (0.8, 0.0833)
    >>> tau_test("ABCED", "ABCDE", first_fixed=True).chance
    0.4
    """
    check_alternative(alternative)
    aligned = align(order, reference, units=units)
    if first_fixed and aligned.n and aligned.places[0] != 0:
        raise DataError(
            f"the first unit is said to be fixed, but the order begins with {aligned.units[aligned.places[0]]!r} and "
            f"the reference with {aligned.units[0]!r}; leave first_fixed out"
        )
    n = aligned.n
    counted = inversions(aligned.places, sorted(aligned.places.tolist())) if n else 0
    p, exact = inversions_p(counted, n - first_fixed, alternative)
    reasons = [] if n > 1 else [f"tau is undefined: it needs at least 2 units, got {n}"]
    if n > 1 and math.isnan(p):
        reasons.append("p is undefined: with the first unit fixed there is one order only")
    return TauTest(
        method="Kendall's tau of orders",
        settings={
            "variant": "tau-a",
            "units": units,
            "chance": "orders with the first unit fixed" if first_fixed else "all orders",
            "p": "exact" if exact else "normal approximation",
            "alternative": alternative,
            "n": n,
        },
        warnings=(*reasons, *aligned.warnings),
        tau=tau_of_inversions(counted, n),
        p=p,
        inversions=counted,
        n=n,
        chance=chance_tau(n, first_fixed=first_fixed),
        exact=exact,
        coverage=aligned.coverage,
    )
