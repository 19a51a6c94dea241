"""Means with their intervals, one row per system, the highest on top; the lowest where lower is better.

Data: `criterion`, `scale_from`, `scale_to` (or nothing), `better` (`lower`, or nothing), `groups`, each
`{system, mean, low, high, n}`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textassay.report.figures.drawing import (
    Drawing,
    FigureKind,
    empty,
    entry,
    right_text,
    system_rows,
    table_of,
)
from textassay.report.figures.style import LINE, Palette
from textassay.report.numbers import format_value
from textassay.results import Figure, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_STEPS = 11
"""Scales with fewer steps than this get a tick for each step."""


@dataclass(frozen=True)
class SystemMean:
    """The mean of one system (or text) with its interval."""

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
        interval = "" if math.isnan(self.low) else f", interval {format_value((self.low, self.high))}"
        return f"{self.system}: {format_value(self.mean)}{interval}{'' if self.n is None else f', n = {self.n}'}"


def system_means(figure: Figure) -> list[SystemMean]:
    """The means of a figure, the best first, undefined ones last."""
    (rows,) = entry(figure, figure.data, "groups")
    groups = [_group(figure, row) for row in rows]
    sign = 1.0 if _lower(figure) else -1.0
    return sorted(
        groups, key=lambda group: (math.isnan(group.mean), 0.0 if math.isnan(group.mean) else sign * group.mean)
    )


def _lower(figure: Figure) -> bool:
    """Whether lower means are the better ones."""
    return figure.data.get("better") == "lower"


class MeansFigure(FigureKind):
    """Draws the mean of each system with its interval."""

    def systems(self, figure: Figure) -> Sequence[str]:
        """The systems that the figure shows."""
        return [str(row["system"]) for row in figure.data.get("groups", ())]

    def describe(self, figure: Figure) -> str:
        """The figure in words."""
        groups = system_means(figure)
        if not groups:
            return f"There is no mean of {figure.data.get('criterion')} to show."
        first = "lowest" if _lower(figure) else "highest"
        return f"Mean {_axis(figure)}, the {first} first. {'; '.join(group.text for group in groups)}."

    def numbers(self, figure: Figure) -> Table:
        """What the figure shows as a table."""
        rows = [(each.system, each.mean, each.low, each.high, each.n) for each in system_means(figure)]
        return table_of(figure, ("system", "mean", "low", "high", "n"), rows)

    def draw(self, figure: Figure, palette: Palette) -> Drawing:
        """The figure."""
        groups = system_means(figure)
        if not groups:
            return empty("no answers to show")
        drawing, axes = system_rows(
            [group.system for group in groups], [group.text for group in groups], "mean", f"mean {_axis(figure)}"
        )
        _span(axes, figure, groups)
        for place, group in enumerate(groups):
            axes.axhline(place, color=LINE, lw=0.6, zorder=0)
            if math.isnan(group.mean):
                right_text(axes, place, "none", drawing.mark(f"system:{group.system}", group.text), quiet=True)
            else:
                _row(drawing, axes, place, group, palette)
        return drawing


class TextMeansFigure(MeansFigure):
    """Draws means of texts, which have no colours of their own; a text's name is given as `system`."""

    def systems(self, figure: Figure) -> Sequence[str]:  # noqa: ARG002 -- most kinds need it
        """None: a text has no colour of its own."""
        return ()


def _group(figure: Figure, row: Mapping[str, Any]) -> SystemMean:
    system, mean, low, high = entry(figure, row, "system", "mean", "low", "high")
    mean, low, high = (math.nan if value is None else float(value) for value in (mean, low, high))
    return SystemMean(str(system), mean, low, high, row.get("n"))


def _axis(figure: Figure) -> str:
    low, high = figure.data.get("scale_from"), figure.data.get("scale_to")
    scale = "" if low is None or high is None else f" on the scale from {low:g} to {high:g}"
    return f"{figure.data.get('criterion', '')}{scale}"


def _span(axes: Axes, figure: Figure, groups: Sequence[SystemMean]) -> None:
    """Show the whole scale, so that small differences look small, and whatever reaches beyond it."""
    given = (figure.data.get("scale_from"), figure.data.get("scale_to"))
    scale = [float(end) for end in given if end is not None]
    ends = [*scale, *(end for group in groups for end in (group.mean, group.low, group.high))]
    finite = [end for end in ends if math.isfinite(end)]
    low, high = min(finite, default=0.0), max(finite, default=1.0)
    pad = (high - low) * 0.03 or 0.5
    axes.set_xlim(low - pad, high + pad)
    if len(scale) == 2 and scale[1] - scale[0] < _MOST_STEPS:
        axes.set_xticks(range(math.ceil(low), math.floor(high) + 1))


def _row(drawing: Drawing, axes: Axes, place: int, group: SystemMean, palette: Palette) -> None:
    style, name = palette.style(group.system), f"system:{group.system}"
    if not math.isnan(group.low) and not math.isnan(group.high):
        axes.plot(
            [group.low, group.high], [place, place], color=style.colour, lw=2.2, solid_capstyle="butt",
            gid=drawing.mark(name, group.text),
        )  # fmt: skip
    axes.plot(
        [group.mean], [place], clip_on=False, zorder=3, gid=drawing.mark(name, group.text), **style.marked(5.8, 0.6)
    )
    right_text(axes, place, format_value(group.mean), drawing.mark(name, group.text))
