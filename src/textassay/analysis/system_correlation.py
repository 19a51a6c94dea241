"""The means of systems in one place and in another: few points, so that p is counted where it can be."""

from __future__ import annotations

from collections.abc import Mapping

from textassay.stats import Correlation, pearson, spearman

_COUNTED = 9
"""Up to so many systems all orders can be counted."""


def system_correlation(
    one: Mapping[str, float], other: Mapping[str, float], of: str, by: str
) -> tuple[Correlation, Correlation]:
    """Pearson's and Spearman's correlation over the systems that both have.

    p of r counts all orders for up to nine systems: with three, even a perfect correlation has p = 1/3.

    >>> linear, ranks = system_correlation({"a": 1, "b": 2, "c": 3}, {"c": 6.5, "a": 2, "b": 4}, "lay", "experts")
    >>> round(linear.r, 4), round(linear.p, 4), ranks.r
    (0.9979, 0.3333, 1.0)

    Args:
        one: Mean by system.
        other: Mean by system.
        of: What the first is called in records.
        by: What the second is called.
    """
    shared = [system for system in one if system in other]
    x, y = [one[system] for system in shared], [other[system] for system in shared]
    linear = pearson(x, y, p="permutation" if len(shared) <= _COUNTED else "auto")
    return linear.about(of, by), spearman(x, y).about(of, by)
