"""Scorers of orders: how often one prefers the reference, and where it ranks the reference among all orders."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, permutations
from typing import Any

import numpy as np

from textassay.errors import DataError, UsageError
from textassay.ordering.orders import Order, read_order, unit_list
from textassay.results import Record
from textassay.seeds import Stream
from textassay.stats.statistic import Statistic

Scorer = Callable[[Any], float]
"""Any function of an order (a sequence of units); a higher score is better."""
Progress = Callable[[int, int], None]
ENUMERATED = 10
"""The most units whose n! orders are all scored."""
_CHUNK = 5_040


@dataclass(frozen=True, kw_only=True)
class SharePreferred(Statistic):
    """How often a scorer prefers the reference to another order."""

    share: float
    """Of all pairs; a tie is not preferred."""
    preferred: int
    ties: int
    n: int

    def records(self) -> list[Record]:
        """One record."""
        return [self.record("share preferred", self.share, n=self.n, preferred=self.preferred, ties=self.ties)]


@dataclass(frozen=True, kw_only=True)
class ReferenceRank(Statistic):
    """Where a scorer ranks the reference among all orders."""

    rank: float
    """Orders that score higher: 0 best, n! - 1 worst; an estimate where not exact."""
    ties: float
    """Other orders with the same score."""
    share: float
    """Share of the other orders that score higher."""
    orders: int
    """n!"""
    scored: int
    """How many of the other orders were scored."""
    exact: bool

    def records(self) -> list[Record]:
        """One record."""
        more: Record = {"orders": self.orders, "ties": self.ties, "share": self.share, "exact": self.exact}
        return [self.record("rank of the reference", self.rank, n=self.scored, **more)]


def share_preferred(scorer: Scorer, pairs: Iterable[tuple[Order, Order]]) -> SharePreferred:
    """The share of items for which a scorer prefers the reference to another order.

    Args:
        scorer: From an order to a score, higher is better.
        pairs: For each item, or each comparison, the reference and the other order.

    Raises:
        DataError: no pairs, or a score that is not a number.

    >>> sorted_pairs = lambda order: sum(a < b for a, b in zip(order, order[1:]))
    >>> share_preferred(sorted_pairs, [([1, 2, 3], [3, 2, 1]), ([1, 2, 3], [1, 2, 3])]).share
    0.5
    """
    scores = [(_score(scorer, one, "reference"), _score(scorer, other, "other")) for one, other in pairs]
    if not scores:
        raise DataError("there are no pairs of orders; give at least one")
    preferred, ties = sum(one > other for one, other in scores), sum(one == other for one, other in scores)
    return SharePreferred(
        method="share preferred",
        settings={"n": len(scores), "ties": "not preferred"},
        warnings=(f"{ties} of {len(scores)} pairs are tied; they count as not preferred",) if ties else (),
        share=preferred / len(scores),
        preferred=preferred,
        ties=ties,
        n=len(scores),
    )


def reference_rank(
    scorer: Scorer, reference: Order, *, samples: int = 10_000, seed: int = 0, progress: Progress | None = None
) -> ReferenceRank:
    """The rank of the reference among all n! orders under a scorer: 0 best, n! - 1 worst (Lapata 2006).

    Every order is scored up to n = 10; beyond that random ones, whose share of higher scores is scaled up.

    Args:
        scorer: From an order to a score, higher is better.
        reference: Unit ids from first to last.
        samples: How many orders are drawn where there are too many for all.
        seed: Of the draws.
        progress: Called with the number of orders scored and of all.

    Raises:
        DataError: units that repeat, or a score that is not a number.
        UsageError: a wrong number of samples.

    >>> reference_rank(lambda order: order.index("a"), "bca").rank  # as good as any: two of six have a at the end
    0.0
    """
    if isinstance(samples, bool) or not isinstance(samples, int) or samples < 1:
        raise UsageError(f"samples must be a whole number of at least 1, got {samples!r}")
    units = read_order(reference, "reference")
    if len(set(units)) < len(units):
        raise DataError(f"reference names units more than once: {unit_list([u for u in units if units.count(u) > 1])}")
    exact = len(units) <= ENUMERATED
    orders = math.factorial(len(units))
    total = orders - 1 if exact else samples
    own, higher, ties, scored = _score(scorer, units, "reference"), 0, 0, 0
    for part in _chunks(islice(permutations(units), 1, None) if exact else _drawn(units, samples, seed)):
        scores = np.array([_score(scorer, order, "order") for order in part])
        higher, ties = higher + int(np.count_nonzero(scores > own)), ties + int(np.count_nonzero(scores == own))
        scored += len(part)
        if progress is not None:
            progress(scored, total)
    scale = 1.0 if exact else (orders - 1) / scored
    return ReferenceRank(
        method="rank of the reference",
        settings={
            "orders": "all" if exact else f"{samples} samples",
            "n": len(units),
            **({} if exact else {"seed": seed}),
        },
        warnings=() if exact else (f"estimated from {samples} of {len(units)}! orders",),
        rank=higher * scale,
        ties=ties * scale,
        share=higher / scored if scored else math.nan,
        orders=orders,
        scored=scored,
        exact=exact,
    )


def _drawn(units: tuple[Any, ...], samples: int, seed: int) -> Iterator[tuple[Any, ...]]:
    """Random orders, not the reference itself."""
    stream = Stream(seed, "ordering", "reference rank")
    left = samples
    while left:
        order = tuple(stream.shuffled(units))
        if order != units:
            left -= 1
            yield order


def _chunks(orders: Iterator[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    while part := list(islice(orders, _CHUNK)):
        yield part


def _score(scorer: Scorer, order: Order, what: str) -> float:
    found = float(scorer(order))
    if math.isnan(found):
        raise DataError(f"the scorer gives nan for the {what} {order!r}; it must give a number for every order")
    return found
