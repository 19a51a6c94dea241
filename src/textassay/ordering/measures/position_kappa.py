"""A set of orders against a target: kappa over positions, and the means vector.

Kappa says how often units are where the target has them, beyond chance; the means vector is the mean number of the
units in each position.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.known_names import check_choice
from textassay.ordering.measures.accuracy_and_distance import SPEARMAN, displacements, hits
from textassay.ordering.orders import Order, Unit
from textassay.ordering.permutations import Floats, Measure, Orders, numbered
from textassay.results import Record
from textassay.stats import kendall_tau, pearson, spearman
from textassay.stats.statistic import Statistic

Weights = Literal["none", "linear", "quadratic"]
"""How a unit out of its place counts: as wrong, by its distance, or by the square of it."""

KAPPAS: dict[Weights, Measure] = {
    "none": Measure("position kappa", "hits", hits, lambda count, n: (count / n - 1 / n) / (1 - 1 / n)),
    "linear": Measure(
        "position kappa, linear", "displacements", displacements, lambda count, n: 1 - 3 * count / (n**2 - 1)
    ),
    "quadratic": Measure("position kappa, quadratic", SPEARMAN.counted, SPEARMAN.count, SPEARMAN.value),
}
"""Kappa of one order; chance puts every unit into every place equally often."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PositionKappa(Statistic):
    """Agreement of orders with a target, position by position."""

    kappa: float
    """1 full agreement, 0 chance; the least is -1/(n-1) without weights and -1 with quadratic ones."""
    accuracy: float
    """Share of units in their place."""
    matrix: npt.NDArray[np.int64]
    """How often the unit of the column has the position of the row; units in the target's order."""
    units: tuple[Unit, ...]
    orders: int

    def __float__(self) -> float:
        return self.kappa

    def records(self) -> list[Record]:
        """One record."""
        n = len(self.units)
        return [self.record("position kappa", self.kappa, n=self.orders, units=n, accuracy=self.accuracy)]


def position_kappa(orders: Orders, target: Order, *, weights: Weights = "none") -> PositionKappa:
    """Cohen's kappa of a set of orders against a target (Madnani et al. 2007).

    m_ij counts how often unit j of the target is in position i. All margins are the same, so that κ = (accuracy -
    1/n) / (1 - 1/n), and its least value is -1/(n-1). With weights near misses count: linear 1 - 3 Σ|d| / (n²-1), the
    mean over orders; quadratic is the mean of Spearman's rho. With several references and one output, hand over the
    references as orders and the output as target.

    R: `vcd::Kappa(matrix)`, weights "Equal-Spacing" or "Fleiss-Cohen".

    Args:
        orders: Orders of the same units.
        target: The order to compare with.
        weights: `none`, `linear` or `quadratic`.

    Raises:
        DataError: no orders, or orders of other units; the message names them.
        UsageError: another word for the weights.

    >>> found = position_kappa([[1, 2, 3], [1, 3, 2]], [1, 2, 3])
    >>> round(found.accuracy, 4), round(found.kappa, 4)  # 4 of 6 in place; (2/3 - 1/3) / (2/3)
    (0.6667, 0.5)
    >>> found.matrix.tolist()
    [[2, 0, 0], [0, 1, 1], [0, 1, 1]]
    """
    _check(weights)
    rows, units = numbered(orders, target)
    n = len(units)
    values = KAPPAS[weights].of_places(rows)
    too_few = (f"kappa is undefined: it needs at least 2 units, got {n}",) if n < 2 else ()
    return PositionKappa(
        method="position kappa",
        settings={"weights": weights, "orders": len(rows), "units": n},
        warnings=too_few,
        kappa=float(values.mean()),
        accuracy=float(np.mean(rows == np.arange(n))) if n else float("nan"),
        matrix=position_matrix(rows, np.arange(n)),
        units=units,
        orders=len(rows),
    )


def position_matrix(orders: Orders, target: Order) -> npt.NDArray[np.int64]:
    """How often each unit is in each position: rows positions, columns units in the target's order.

    >>> position_matrix(["abc", "bac"], "abc").tolist()
    [[1, 1, 0], [1, 1, 0], [0, 0, 2]]
    """
    rows, units = numbered(orders, target)
    n = len(units)
    cells = np.arange(n) * n + rows
    return np.bincount(cells.ravel(), minlength=n * n).reshape(n, n)


def kappa_of_matrix(matrix: npt.ArrayLike, *, weights: Weights = "none") -> float:
    """Kappa of a matrix of positions and units that comes from elsewhere; margins need not be equal.

    Raises:
        DataError: not a square table of counts, or an empty one.

    >>> rows = [[5, 0, 0, 1, 0], [1, 3, 1, 0, 1], [0, 2, 2, 1, 1], [0, 0, 2, 2, 2], [0, 1, 1, 2, 2]]
    >>> round(kappa_of_matrix(rows), 4)  # 14 of 30 in place: (14/30 - 1/5) / (4/5)
    0.3333
    """
    _check(weights)
    counts = np.asarray(matrix, dtype=float)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or not np.all(counts >= 0) or counts.sum() == 0:
        raise DataError(f"matrix must be a square table of counts that are not all 0, got the shape {counts.shape}")
    share = counts / counts.sum()
    away = np.abs(np.subtract.outer(np.arange(len(share)), np.arange(len(share)))).astype(float)
    cost: Floats = {"none": (away > 0).astype(float), "linear": away, "quadratic": away**2}[weights]
    expected = float(share.sum(axis=1) @ cost @ share.sum(axis=0))
    return 1 - float(np.sum(share * cost)) / expected if expected > 0 else float("nan")


def _check(weights: Weights) -> None:
    check_choice("weights", weights, get_args(Weights))


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
