"""Kendall's tau of orders: of two, of all pairs of many, and with its exact p.

Tau comes from the adjacent transpositions (inversions) that turn one order into the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.inversions import inversion_counts
from textassay.ordering.distributions.tau_counts import chance_tau, inversions_p, tau_of_inversions
from textassay.ordering.orders import Order, Units, align, places_in
from textassay.ordering.permutations import (
    Floats,
    Measure,
    Orders,
    Permutations,
    inverse_rows,
    numbered,
    permutations,
    places_of,
)
from textassay.results import Record
from textassay.stats.distributions import Alternative, check_alternative
from textassay.stats.statistic import Statistic

TAU = Measure("Kendall's tau", "inversions", inversion_counts, lambda s, n: 1 - 4 * s / (n * (n - 1)))
_AT_ONCE = 1 << 22
"""Signs of pairs in memory at once."""
_LONG = 1024
"""From here on one pair of orders after the other takes fewer steps than all pairs of units."""


def inversions(order: Order, reference: Order, *, units: Units = "same") -> int:
    """The least number of adjacent transpositions that turn one order into the other, in n log n steps.

    >>> inversions([2, 1, 3, 5, 4], [1, 2, 3, 4, 5])
    2
    """
    return int(inversion_counts(places_in(order, reference, units)[None])[0])


def tau(order: Order, reference: Order, *, units: Units = "same") -> float:
    """Kendall's tau of an order with a reference.

    tau = 1 - 2 S / (n(n-1)/2), S the least number of adjacent transpositions between the two, which is the number of
    discordant pairs (Kendall 1938; Lapata 2006): 1 the same, -1 reversed, 0 on average by chance
    (2/n where the first unit is fixed; see `tau_test`). Counted in n log n steps. Undefined (nan) for fewer than two
    units.

    R: `cor(match(order, reference), seq_along(order), method = "kendall")`.

    Args:
        order: Unit ids from first to last.
        reference: The same of the order to compare with.
        units: `same` refuses missing, extra and repeated units; `common` compares those that both have.

    Raises:
        DataError: missing, extra or repeated units, with their names.
        UsageError: not orders of units.

    >>> round(tau([0, 2, 3, 1], [1, 2, 3, 0]), 4)  # as lists of numbers, unlike as ranks, 5 of 6 pairs are turned
    -0.6667
    >>> round(tau("BACDE", "ABCDE"), 4)
    0.8
    """
    return TAU.of(order, reference, units)


def tau_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """Kendall's tau of many orders of the numbers 0 … n-1, a million short ones in a fraction of a second.

    Args:
        orders: Shape (orders, n).
        reference: One order for all, or one for each; 0 … n-1 if not given.

    Raises:
        DataError: shapes that do not fit, or a row that is not a permutation.

    >>> tau_batch([[0, 2, 3, 1], [0, 1, 2, 3]], [1, 2, 3, 0]).round(4).tolist()
    [-0.6667, 0.0]
    """
    rows = np.asarray(orders)
    wanted = None if reference is None else np.asarray(reference)
    if wanted is not None and wanted.ndim == 2:
        return TAU.of_places(places_of(rows, wanted))
    if rows.ndim != 2 or rows.dtype.kind not in "iu" or (wanted is not None and wanted.shape != rows.shape[1:]):
        shape = None if wanted is None else wanted.shape
        raise DataError(
            f"orders must have the shape (orders, n) and reference (n,) or the same, got {rows.shape}, {shape}"
        )
    # The loop sees for itself whether every row is a permutation, and looks up places as it goes.
    place = None if wanted is None else inverse_rows(permutations(wanted[None], "reference"))[0]
    return TAU.values(inversion_counts(rows, place), rows.shape[1])


def tau_matrix(orders: Orders, others: Orders | None = None) -> Floats:
    """Kendall's tau of each order with each of the others, shape (orders, others).

    The signs of all n(n-1)/2 pairs of units are one row per order; the product of two such tables holds every S.

    Args:
        orders: Orders of the same units.
        others: More of them; the same ones if not given.

    Raises:
        DataError: orders of different units; the message says which.

    >>> tau_matrix(["abcd", "abdc", "dcba"]).round(4).tolist()
    [[1.0, 0.6667, -1.0], [0.6667, 1.0, -0.6667], [-1.0, -0.6667, 1.0]]
    """
    rows, units = numbered(orders)
    columns = rows if others is None else numbered(others, units)[0]
    n = len(units)
    if n < 2:
        return np.full((len(rows), len(columns)), np.nan)
    if n > _LONG:
        return _one_by_one(rows, columns)
    total = n * (n - 1) / 2
    return _s_of_all(inverse_rows(rows), inverse_rows(columns)) / total


def _s_of_all(rows: Permutations, columns: Permutations) -> Floats:
    """Concordant less discordant pairs; sums of up to 2²⁴ signs are exact in 32 bits."""
    first, second = np.triu_indices(rows.shape[1], 1)
    s = np.zeros((len(rows), len(columns)))
    size = max(1, min(_AT_ONCE // (len(rows) + len(columns)), 1 << 24))
    for start in range(0, len(first), size):
        one, other = first[start : start + size], second[start : start + size]
        left = _signs(rows, one, other)
        s += left @ (left if rows is columns else _signs(columns, one, other)).T
    return s


def _signs(place: Permutations, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    signs = (place[:, one] < place[:, other]).astype(np.float32)
    signs *= 2
    signs -= 1
    return signs


def _one_by_one(rows: Permutations, columns: Permutations) -> Floats:
    n = rows.shape[1]
    counts = [inversion_counts(columns, place) for place in inverse_rows(rows)]
    return np.asarray(1 - 4 * np.array(counts) / (n * (n - 1)))


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
