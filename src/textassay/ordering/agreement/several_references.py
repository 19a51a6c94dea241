"""One order against several references: mean, best, and the weighted tau that Lapata (2006) proposes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from textassay.errors import DataError, UsageError
from textassay.ordering.agreement.consensus import PairShares, highest_mean_tau, pair_shares
from textassay.ordering.measures.tau import tau_batch
from textassay.ordering.orders import Order, Units, align, check_units, read_order
from textassay.ordering.permutations import Floats, Orders, Permutations, inverse_rows, numbered
from textassay.results import Record
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True, eq=False)
class SeveralReferences(Statistic):
    """Tau of one order with several references."""

    taus: Floats
    """With each reference."""
    mean: float
    best: float
    highest: float
    """The highest mean tau that any order has with these references, where `exact`; else what none can exceed."""
    exact: bool
    weighted: Floats
    """Against each reference as the chosen one; a transposition costs the share of references that have the pair."""
    lowest: Floats
    """The least that each of `weighted` could be, that of the chosen reference reversed; the most is 1."""
    n: int
    """Units that all have."""
    coverage: float
    """Least share of a reference's units that count."""

    def records(self) -> list[Record]:
        """Mean, best, and the weighted tau against each reference."""
        more: Record = {"highest": self.highest, "exact": self.exact, "coverage": self.coverage}
        found = [self.record("mean tau", self.mean, n=self.n, **more), self.record("best tau", self.best, n=self.n)]
        for number, (value, lowest) in enumerate(zip(self.weighted.tolist(), self.lowest.tolist(), strict=True), 1):
            found.append(self.record("weighted tau", value, n=self.n, reference=number, lowest=lowest))
        return found


def several_references(order: Order, references: Sequence[Order], *, units: Units = "same") -> SeveralReferences:
    """Tau of an order with several references.

    The mean is reported with the highest value that any order could reach, since references that differ let none reach
    1: Kemeny's order of the references, exact with proof where `consensus` is, a bound beyond. Weighted against one
    chosen reference, tau_w = 1 - 2 Σ w / (n(n-1)/2) over the pairs that are discordant with it, w being
    the share of all references (itself included) that have the pair as it has: where references disagree, going
    against the chosen one costs less (Lapata 2006, a proposal). Its range is from `lowest` to 1. Charging each pair by
    the share of references that disagree with the order gives the mean tau exactly.

    Args:
        order: Unit ids from first to last.
        references: One or more orders.
        units: `same` refuses units that differ; `common` takes those that all have.

    Raises:
        DataError: no references, or units that differ, with their names.
        UsageError: references is one order.

    >>> found = several_references("BADC", ["ABCD", "ABDC"])
    >>> round(found.mean, 4), round(found.best, 4), round(found.highest, 4), found.weighted.round(4).tolist()
    (0.5, 0.6667, 0.8333, [0.5, 0.6667])
    """
    mine, wanted, coverage = common_units(order, references, units)
    rows, names = numbered(wanted)
    row = align(mine, names).places
    n = len(row)
    taus = tau_batch(np.broadcast_to(row, rows.shape), rows) if n > 1 else np.full(len(rows), np.nan)
    if n < 2 or (rows == rows[0]).all():  # one reference needs no table of all pairs of its units
        weighted, lowest = taus, np.where(np.isnan(taus), np.nan, -1.0)
        highest, exact = (1.0 if n > 1 else float("nan")), True
    else:
        shares = pair_shares(wanted)
        weighted, lowest = _weighted(row, shares)
        highest, exact = highest_mean_tau(shares)
    reasons = () if n > 1 else (f"tau is undefined: it needs at least 2 units, got {n}",)
    partial = (f"units that all have: {n}; least coverage of a reference {coverage:.4g}",) if coverage < 1 else ()
    return SeveralReferences(
        method="Kendall's tau with several references",
        settings={"units": units, "references": len(wanted), "highest": "exact" if exact else "bound", "n": n},
        warnings=(*reasons, *partial),
        taus=taus,
        mean=float(taus.mean()),
        best=float(taus.max()),
        highest=highest,
        exact=exact,
        weighted=weighted,
        lowest=lowest,
        n=n,
        coverage=coverage,
    )


def weighted_taus(order: Order, references: Orders) -> Floats:
    """The weighted tau against each reference as the chosen one; see `several_references`.

    >>> weighted_taus("BADC", ["ABCD", "ABDC"]).round(4).tolist()
    [0.5, 0.6667]
    """
    shares = pair_shares(references)
    return _weighted(align(order, shares.units).places, shares)[0]


def _weighted(row: Permutations, shares: PairShares) -> tuple[Floats, Floats]:
    """The weighted tau of a row against each reference, and the least that it could be."""
    place = inverse_rows(np.asarray(row)[None])[0]
    others = inverse_rows(shares.rows)
    first, second = np.triu_indices(shares.n, 1)
    pairs = len(first)
    so = others[:, first] < others[:, second]
    weight = np.where(so, shares.before[first, second], shares.before[second, first])
    turned = so != (place[first] < place[second])
    return 1 - 2 * (weight * turned).sum(axis=1) / pairs, 1 - 2 * weight.sum(axis=1) / pairs


def common_units(order: Order, references: Sequence[Order], units: Units) -> tuple[Order, Sequence[Order], float]:
    """The order and the references, of the same units, and the least share of a reference's units that is left.

    Raises:
        DataError: no references.
        UsageError: references is one order, or another word for `units`.
    """
    check_units(units)
    if isinstance(references, str) or not hasattr(references, "__len__"):
        raise UsageError(f"references is {references!r}; give a list of orders, for example [reference]")
    if len(references) == 0:
        raise DataError("there are no references; give at least one")
    if units == "same":
        return order, references, 1.0
    read = [read_order(each, "reference") for each in references]
    shared = set(read_order(order, "order")).intersection(*read)
    kept = [[unit for unit in dict.fromkeys(each) if unit in shared] for each in (read_order(order, "order"), *read)]
    least = min(len(shared) / len(set(each)) if each else float("nan") for each in read)
    return kept[0], kept[1:], least
