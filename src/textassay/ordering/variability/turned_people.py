"""Whether columns of a table differ, its rows being people: F among those that come from turning people's signs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from textassay.errors import UsageError
from textassay.ordering.measures.measure import Floats
from textassay.seeds import Stream
from textassay.stats.resampling.resamples import in_parts, random_signs

_ENUMERATED = 12
"""Up to so many people, all ways to turn signs are gone through."""
_SLACK = 1e-9


@dataclass(frozen=True)
class TurnedPeople:
    """F of the columns, and its p."""

    f: float
    df: tuple[float, float]
    p: float
    least: float
    """No p can be lower with so many people and draws."""
    how: str
    """For a signature."""


def turned_people(values: Floats, *, draws: int, seed: int) -> TurnedPeople:
    """F of a repeated-measures analysis of variance, among those with the signs of whole rows turned.

    Each row is centred first, so that it holds what is special to the columns. If no columns differ, a row is as likely
    as its opposite where deviations are symmetric, and so is every way to turn rows: however columns depend on each
    other and whatever their variances, the share of ways with an F as large is a valid p. Without symmetry it is so for
    many people (the wild bootstrap: Wu 1986, Liu 1988). All ways up to 12 people, beyond that so many draws with
    p = (b+1)/(draws+1).

    Args:
        values: Shape (people, columns).
        draws: How many ways are drawn.
        seed: Of the draws.

    Raises:
        UsageError: not at least one draw.

    >>> turned_people(np.array([[1.0, 3.0], [2.0, 5.0], [1.0, 2.0]]), draws=99, seed=0).p  # 2 of 8 ways
    0.25
    """
    if isinstance(draws, bool) or not isinstance(draws, int) or draws < 1:
        raise UsageError(f"draws must be a whole number of at least 1, got {draws!r}")
    n, k = values.shape
    every = n <= _ENUMERATED
    how = "all ways" if every else f"{draws} draws, seed {seed}"
    least = 2.0 ** (1 - n) if every else 1 / (draws + 1)
    own = values - values.mean(axis=1, keepdims=True)
    total = float((own**2).sum())
    if n < 2 or k < 2 or total <= _SLACK * n * k:
        return TurnedPeople(math.nan, (math.nan, math.nan), math.nan, least, how)
    # The sum of squares of centred rows stays as it is, so that F rises with what the columns' means have of it.
    between = n * (own.mean(axis=0) ** 2).sum()
    error = (total - between) / ((n - 1) * (k - 1))
    f = float(between / (k - 1) / error) if error > _SLACK * total else math.inf
    as_large = sum(
        int(np.count_nonzero(((signs @ own) ** 2).sum(axis=1) / n >= between - _SLACK * total))
        for signs in (_all_signs(n) if every else _drawn_signs(n, draws, seed))
    )
    p = as_large / 2 ** (n - 1) if every else (as_large + 1) / (draws + 1)
    return TurnedPeople(f, (float(k - 1), float((n - 1) * (k - 1))), p, least, how)


def _all_signs(n: int) -> list[Floats]:
    """Every way but for the opposite of each, which has the same F."""
    turned = (np.arange(1 << (n - 1))[:, None] >> np.arange(n)) & 1
    return [np.where(turned, -1.0, 1.0)]


def _drawn_signs(n: int, draws: int, seed: int) -> Iterator[Floats]:
    stream = Stream(seed, "ordering", "turned people")
    return (random_signs(stream, n, part) for part in in_parts(draws, n))
