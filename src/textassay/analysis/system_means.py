"""Means of systems: as a figure, and of two sources against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from textassay.results import Figure
from textassay.stats import Correlation, MeanInterval, pearson, spearman

Scale = tuple[float | None, float | None]
_COUNTED = 9
"""With more systems there are too many orders to count them all."""


def means_figure(
    name: str, title: str, criterion: str, means: Sequence[MeanInterval], scale: Scale, note: str
) -> Figure:
    """Means with their intervals; `criterion` is the subject and names the axis, which runs over the scale."""
    groups = [
        {"system": mean.by, "mean": mean.mean, "low": mean.ci[0], "high": mean.ci[1], "n": mean.n} for mean in means
    ]
    return groups_figure(name, title, criterion, groups, scale, note)


def groups_figure(
    name: str, title: str, criterion: str, groups: Sequence[Mapping[str, Any]], scale: Scale, note: str
) -> Figure:
    """The same from `system, mean, low, high, n` of each system."""
    data = {"criterion": criterion, "scale_from": scale[0], "scale_to": scale[1], "groups": list(groups)}
    return Figure(name=name, title=title, kind="means", data=data, note=note, subject=criterion)


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


def systems_scatter(name: str, title: str, means: Mapping[str, Mapping[str, float]], linear: Correlation) -> Figure:
    """The means of systems in one source against those in another.

    Args:
        name: Of the figure's files.
        title: Of the figure.
        means: The two sources, each with the mean of each system.
        linear: Their correlation.
    """
    (one, own), (other, theirs) = means.items()
    points = [
        {"label": system, "system": system, "x": x, "y": theirs[system]}
        for system, x in own.items()
        if system in theirs
    ]
    data = {"x_label": one, "y_label": other, "points": points, "r": linear.r, "p": linear.p, "n": linear.n}
    return Figure(name, title, "scatter", {**data, "coefficient": "pearson"})
