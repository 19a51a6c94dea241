"""Participants at a glance: a strip for each measure, a point for each participant, those left out as crosses.

Data: `participants`, each `{participant, mean, sd, median_rt_ms, modal_share, ends_share, agreement, excluded}`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textassay.report.figures.drawing import Drawing, add_axes, empty, entry, new_canvas
from textassay.report.figures.rows import axes_width
from textassay.report.figures.style import KEPT, LEFT_OUT, LINE, MARGIN, QUIET, SMALL, TEXT, WIDTH, Palette
from textassay.report.numbers import Kind, shown
from textassay.results import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Person = Mapping[str, Any]

_STRIP = 38.0
_UNDER = 36.0
_SIZE = 5.4
"""Points: height of a strip, of what stands under it, and of a mark."""
_MOST_NAMED = 300
"""Up to so many participants each has elements of its own; beyond, the page would grow heavy."""


@dataclass(frozen=True)
class Measure:
    """One strip."""

    key: str
    label: str
    kind: Kind = Kind.MEASURE
    unit: float = 1.0

    def value(self, participant: Person) -> float:
        """The participant's value in the strip's unit; nan where there is none."""
        value = participant.get(self.key)
        return math.nan if value is None else float(value) / self.unit


def measures_of(figure: Figure) -> list[Measure]:
    """The measures that at least one participant has."""
    unit = str(figure.data.get("unit") or "answer")
    over = figure.data.get("agreement_over")
    measures = (
        Measure("mean", f"mean {unit}"),
        Measure("sd", f"spread (SD) of the {unit}"),
        Measure("median_rt_ms", "median response time (seconds)", unit=1000.0),
        Measure("modal_share", "share of the most frequent answer", Kind.BOUNDED),
        Measure("ends_share", "share of answers at the ends of the scale", Kind.BOUNDED),
        Measure("agreement", f"agreement with the others{f', over {over}s' if over else ''}", Kind.BOUNDED),
    )
    (participants,) = entry(figure, figure.data, "participants")
    return [measure for measure in measures if any(math.isfinite(measure.value(person)) for person in participants)]


def systems(figure: Figure) -> Sequence[str]:  # noqa: ARG001 -- one contract for all kinds
    """None: this figure is about participants."""
    return ()


def describe(figure: Figure) -> str:
    """The figure in words: the range of each measure, then those who were left out."""
    (participants,) = entry(figure, figure.data, "participants")
    if not participants:
        return "There is no participant to show."
    out = [person for person in participants if person.get("excluded")]
    measures = measures_of(figure)
    ranges = []
    for measure in measures:
        values = [value for value in map(measure.value, participants) if math.isfinite(value)]
        absent = len(participants) - len(values)
        text = f"{measure.label} from {shown((min(values), max(values)), measure.kind)}"
        ranges.append(f"{text} ({absent} without a value)" if absent else text)
    listed = f" Left out: {'; '.join(_tip(person, measures) for person in out)}." if out else ""
    return f"{len(participants)} participants, {len(out)} of them left out; {'; '.join(ranges)}.{listed}"


def draw(figure: Figure, palette: Palette) -> Drawing:  # noqa: ARG001 -- one contract for all kinds
    """The figure."""
    (participants,) = entry(figure, figure.data, "participants")
    measures = measures_of(figure)
    tips = {person["participant"]: _tip(person, measures) for person in participants}
    if not measures:
        return empty("no participants to show")
    top = MARGIN + 2 * TEXT
    height = top + len(measures) * (_STRIP + _UNDER) + MARGIN / 2
    drawing = Drawing(new_canvas(height))
    for place, measure in enumerate(measures):
        above = top + place * (_STRIP + _UNDER)
        axes = add_axes(drawing.canvas, MARGIN + 6, height - above - _STRIP, MARGIN + 6, above)
        _strip(drawing, axes, measure, participants, tips)
    _legend(drawing, participants, height)
    return drawing


def _tip(person: Person, measures: Sequence[Measure]) -> str:
    parts = [
        f"{measure.label} {shown(measure.value(person), measure.kind)}"
        for measure in measures
        if math.isfinite(measure.value(person))
    ]
    return f"{person['participant']}: {', '.join(parts)}{'; left out' if person.get('excluded') else ''}"


def _strip(
    drawing: Drawing, axes: Axes, measure: Measure, participants: Sequence[Person], tips: Mapping[str, str]
) -> None:
    people = sorted((person for person in participants if math.isfinite(measure.value(person))), key=measure.value)
    values = [measure.value(person) for person in people]
    pad = (values[-1] - values[0]) * 0.04 or 0.5
    axes.set_xlim(values[0] - pad, values[-1] + pad)
    axes.set_ylim(-_STRIP / 2, _STRIP / 2)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.axhline(0, color=LINE, lw=0.6, zorder=0)
    axes.set_xlabel(measure.label, color=QUIET, labelpad=1)
    axes.tick_params(axis="x", labelsize=SMALL, pad=2)
    scale = axes_width(axes) / (values[-1] - values[0] + 2 * pad)
    heights = swarm([value * scale for value in values], _SIZE, _STRIP - _SIZE)
    for out in (False, True):
        chosen = [place for place, person in enumerate(people) if bool(person.get("excluded")) is out]
        points = [(people[place], values[place], heights[place]) for place in chosen]
        _points(drawing, axes, points, tips, out=out)


def _points(
    drawing: Drawing, axes: Axes, points: Sequence[tuple[Person, float, float]], tips: Mapping[str, str], *, out: bool
) -> None:
    style: dict[str, Any] = {"ls": "none", "clip_on": False, "ms": _SIZE}
    if out:
        style |= {"marker": "X", "mfc": LEFT_OUT, "mec": "white", "mew": 0.5, "zorder": 4}
    else:
        style |= {"marker": "o", "mfc": KEPT, "mec": "white", "mew": 0.5, "zorder": 3}
    if len(points) > _MOST_NAMED:
        axes.plot([x for _, x, _ in points], [y for _, _, y in points], **style)
        return
    for person, x, y in points:
        code = person["participant"]
        axes.plot([x], [y], gid=drawing.mark(f"participant:{code}", tips[code]), **style)


def _legend(drawing: Drawing, participants: Sequence[Person], height: float) -> None:
    out = sum(bool(person.get("excluded")) for person in participants)
    axes = add_axes(drawing.canvas, MARGIN, height - MARGIN - 1.5 * TEXT, MARGIN, MARGIN / 2)
    axes.set_axis_off()
    axes.set_xlim(0, WIDTH - 2 * MARGIN)
    axes.set_ylim(-1, 1)
    for x, marker, colour, text in (
        (6, "o", KEPT, f"in the analysis ({len(participants) - out})"),
        (WIDTH / 2, "X", LEFT_OUT, f"left out ({out})"),
    ):
        axes.plot([x], [0], marker=marker, ms=_SIZE + 1, mfc=colour, mec="white", mew=0.5)
        axes.text(x + 8, 0, text, va="center_baseline")


def swarm(places: Sequence[float], size: float, height: float) -> list[float]:
    """Heights for marks of a size at ascending places so that they do not cover each other, the middle first.

    >>> swarm([0.0, 1.0, 2.0, 9.0], 5.0, 20.0)
    [0.0, 5.0, -5.0, 0.0]
    """
    levels = int(height / size / 2)
    order = [0.0, *(sign * step * size for step in range(1, levels + 1) for sign in (1, -1))]
    last = dict.fromkeys(order, -math.inf)
    heights = []
    for place in places:
        free = [level for level in order if place - last[level] >= size]
        # where all levels are taken the marks must cover each other: the level that was free longest
        level = free[0] if free else min(order, key=last.__getitem__)
        last[level] = place
        heights.append(level)
    return heights
