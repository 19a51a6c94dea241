"""Means with their intervals, one row a system, the highest on top.

Data: `criterion`, `scale_from`, `scale_to` (or nothing), `groups`, each `{system, mean, low, high, n}`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textassay.report.figures.drawing import Drawing, empty, entry
from textassay.report.figures.rows import axis_label, right_text, system_rows
from textassay.report.figures.style import LINE, Palette
from textassay.report.numbers import shown
from textassay.results import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_STEPS = 11
"""Up to so many steps of a scale, each gets its tick."""


@dataclass(frozen=True)
class Group:
    """One system's mean."""

    system: str
    mean: float
    low: float
    high: float
    n: int | None

    @property
    def text(self) -> str:
        """The mean in words."""
        if math.isnan(self.mean):
            return f"{self.system}: no mean"
        interval = "" if math.isnan(self.low) else f", interval {shown((self.low, self.high))}"
        return f"{self.system}: {shown(self.mean)}{interval}{'' if self.n is None else f', n = {self.n}'}"


def groups_of(figure: Figure) -> list[Group]:
    """The groups, the highest mean first, those without a mean last."""
    (rows,) = entry(figure, figure.data, "groups")
    groups = [_group(figure, row) for row in rows]
    return sorted(groups, key=lambda group: (math.isnan(group.mean), 0.0 if math.isnan(group.mean) else -group.mean))


def systems(figure: Figure) -> Sequence[str]:
    """The systems that the figure shows."""
    return [str(row["system"]) for row in figure.data.get("groups", ())]


def describe(figure: Figure) -> str:
    """The figure in words."""
    groups = groups_of(figure)
    if not groups:
        return f"There is no mean of {figure.data.get('criterion')} to show."
    return f"Mean {_axis(figure)}, the highest first. {'; '.join(group.text for group in groups)}."


def draw(figure: Figure, palette: Palette) -> Drawing:
    """The figure."""
    groups = groups_of(figure)
    if not groups:
        return empty("no answers to show")
    drawing, axes = system_rows([group.system for group in groups], [group.text for group in groups], "mean")
    _span(axes, figure, groups)
    for place, group in enumerate(groups):
        axes.axhline(place, color=LINE, lw=0.6, zorder=0)
        if math.isnan(group.mean):
            right_text(axes, place, "none", drawing.mark(f"system:{group.system}", group.text), quiet=True)
        else:
            _row(drawing, axes, place, group, palette)
    axis_label(axes, f"mean {_axis(figure)}")
    return drawing


def _group(figure: Figure, row: Mapping[str, Any]) -> Group:
    system, mean, low, high = entry(figure, row, "system", "mean", "low", "high")
    mean, low, high = (math.nan if value is None else float(value) for value in (mean, low, high))
    return Group(str(system), mean, low, high, row.get("n"))


def _axis(figure: Figure) -> str:
    low, high = figure.data.get("scale_from"), figure.data.get("scale_to")
    scale = "" if low is None or high is None else f" on the scale from {low:g} to {high:g}"
    return f"{figure.data.get('criterion', '')}{scale}"


def _span(axes: Axes, figure: Figure, groups: Sequence[Group]) -> None:
    """The whole scale, so that small differences look small; what reaches beyond it is shown too."""
    given = (figure.data.get("scale_from"), figure.data.get("scale_to"))
    scale = [float(end) for end in given if end is not None]
    ends = [*scale, *(end for group in groups for end in (group.mean, group.low, group.high))]
    finite = [end for end in ends if math.isfinite(end)]
    low, high = min(finite, default=0.0), max(finite, default=1.0)
    pad = (high - low) * 0.03 or 0.5
    axes.set_xlim(low - pad, high + pad)
    if len(scale) == 2 and scale[1] - scale[0] < _MOST_STEPS:
        axes.set_xticks(range(math.ceil(low), math.floor(high) + 1))


def _row(drawing: Drawing, axes: Axes, place: int, group: Group, palette: Palette) -> None:
    look, name = palette.look(group.system), f"system:{group.system}"
    if not math.isnan(group.low) and not math.isnan(group.high):
        axes.plot(
            [group.low, group.high], [place, place], color=look.colour, lw=2.2, solid_capstyle="butt",
            gid=drawing.mark(name, group.text),
        )  # fmt: skip
    axes.plot(
        [group.mean], [place], marker=look.marker, ms=5.8, mfc=look.colour, mec="white", mew=0.6, clip_on=False,
        zorder=3, gid=drawing.mark(name, group.text),
    )  # fmt: skip
    right_text(axes, place, shown(group.mean), drawing.mark(name, group.text))
