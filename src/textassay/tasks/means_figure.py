"""The figure of means that several tasks draw."""

from __future__ import annotations

from collections.abc import Sequence

from textassay.results import Figure
from textassay.stats import MeanInterval


def means_figure(
    name: str,
    title: str,
    criterion: str,
    means: Sequence[MeanInterval],
    scale: tuple[float | None, float | None],
    note: str,
) -> Figure:
    """Means with their intervals; `criterion` stands at the axis, which runs over the scale."""
    groups = [
        {"system": mean.by, "mean": mean.mean, "low": mean.ci[0], "high": mean.ci[1], "n": mean.n} for mean in means
    ]
    low, high = scale
    data = {"criterion": criterion, "scale_from": low, "scale_to": high, "groups": groups}
    return Figure(name=name, title=title, kind="means", data=data, note=note)
