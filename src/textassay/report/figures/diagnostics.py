"""Participants at a glance: one strip per measure, one point per participant, excluded participants as crosses.

Data: `participants`, each `{participant, mean, sd, median_rt_ms, modal_share, ends_share, agreement, excluded}`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textassay.report.figures.drawing import (
    Drawing,
    FigureKind,
    add_axes,
    axes_width,
    empty,
    entry,
    new_canvas,
    table_of,
)
from textassay.report.figures.style import EXCLUDED, KEPT, LINE, MARGIN, QUIET, SMALL, TEXT, WIDTH, Palette
from textassay.report.numbers import NumberFormat, format_value
from textassay.results import Figure, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ParticipantValues = Mapping[str, Any]

_STRIP = 38.0
_UNDER = 36.0
_SIZE = 5.4
"""Height of a strip, of the text under it, and of a mark."""
_LEAST = 1.6
"""The smallest size of a mark."""
_MOST_NAMED = 300
"""Up to this many participants have elements of their own; with more, the page would grow heavy."""


@dataclass(frozen=True)
class ParticipantMeasure:
    """A measure of each participant, shown as one strip."""

    key: str
    label: str
    kind: NumberFormat = NumberFormat.MEASURE
    unit: float = 1.0

    def value(self, participant: ParticipantValues) -> float:
        """The participant's value in the strip's unit; nan where there is none."""
        value = participant.get(self.key)
        return math.nan if value is None else float(value) / self.unit


def participant_measures(figure: Figure) -> list[ParticipantMeasure]:
    """The measures that at least one participant has."""
    unit = str(figure.data.get("unit") or "answer")
    over = figure.data.get("agreement_over")
    measures = (
        ParticipantMeasure("mean", f"mean {unit}"),
        ParticipantMeasure("sd", f"spread (SD) of the {unit}"),
        ParticipantMeasure("median_rt_ms", "median response time (seconds)", unit=1000.0),
        ParticipantMeasure("modal_share", "share of the most frequent answer", NumberFormat.BOUNDED),
        ParticipantMeasure("ends_share", "share of answers at the ends of the scale", NumberFormat.BOUNDED),
        ParticipantMeasure(
            "agreement", f"agreement with the others{f', over {over}s' if over else ''}", NumberFormat.BOUNDED
        ),
    )
    (participants,) = entry(figure, figure.data, "participants")
    return [measure for measure in measures if any(math.isfinite(measure.value(person)) for person in participants)]


class DiagnosticsFigure(FigureKind):
    """Draws participants at a glance."""

    def describe(self, figure: Figure) -> str:
        """The figure in words: the range of each measure, then the excluded participants."""
        (participants,) = entry(figure, figure.data, "participants")
        if not participants:
            return "There is no participant to show."
        out = [person for person in participants if person.get("excluded")]
        measures = participant_measures(figure)
        ranges = []
        for measure in measures:
            values = [value for value in map(measure.value, participants) if math.isfinite(value)]
            absent = len(participants) - len(values)
            text = f"{measure.label} from {format_value((min(values), max(values)), measure.kind)}"
            ranges.append(f"{text} ({absent} without a value)" if absent else text)
        listed = f" Excluded: {'; '.join(_tip(person, measures) for person in out)}." if out else ""
        return f"{len(participants)} participants, {len(out)} of them excluded; {'; '.join(ranges)}.{listed}"

    def remark(self, figure: Figure) -> str:
        """Many participants are an image."""
        (participants,) = entry(figure, figure.data, "participants")
        count = sum(not person.get("excluded") for person in participants)
        drawn = f"The {count:,} participants in the analysis are drawn as one image, without their names."
        return drawn if count > _MOST_NAMED else ""

    def numbers(self, figure: Figure) -> Table:
        """What the figure shows as a table."""
        (participants,) = entry(figure, figure.data, "participants")
        columns = list(dict.fromkeys(key for person in participants for key in person))
        return table_of(figure, columns, ([person.get(key) for key in columns] for person in participants))

    def draw(self, figure: Figure, palette: Palette) -> Drawing:  # noqa: ARG002 -- it shows no systems
        """The figure."""
        (participants,) = entry(figure, figure.data, "participants")
        measures = participant_measures(figure)
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


def _tip(person: ParticipantValues, measures: Sequence[ParticipantMeasure]) -> str:
    parts = [
        f"{measure.label} {format_value(measure.value(person), measure.kind)}"
        for measure in measures
        if math.isfinite(measure.value(person))
    ]
    return f"{person['participant']}: {', '.join(parts)}{'; excluded' if person.get('excluded') else ''}"


def _strip(
    drawing: Drawing,
    axes: Axes,
    measure: ParticipantMeasure,
    participants: Sequence[ParticipantValues],
    tips: Mapping[str, str],
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
    size = _size(len(participants))
    heights = swarm([value * scale for value in values], size, _STRIP - size)
    for out in (False, True):
        chosen = [place for place, person in enumerate(people) if bool(person.get("excluded")) is out]
        points = [(people[place], values[place], heights[place]) for place in chosen]
        _points(drawing, axes, points, tips, out=out, size=size)


def _size(count: int) -> float:
    """Of a mark: smaller where there are many, so that they hardly overlap."""
    return _SIZE if count <= _MOST_NAMED else max(_LEAST, _SIZE * math.sqrt(_MOST_NAMED / count))


def _points(
    drawing: Drawing,
    axes: Axes,
    points: Sequence[tuple[ParticipantValues, float, float]],
    tips: Mapping[str, str],
    *,
    out: bool,
    size: float,
) -> None:
    edge = {"mec": "white", "mew": 0.5 * size / _SIZE}
    style: dict[str, Any] = {"ls": "none", "clip_on": False, "ms": size, **edge}
    if out:
        style |= {"marker": "X", "mfc": EXCLUDED, "zorder": 4}
    else:
        style |= {"marker": "o", "mfc": KEPT, "zorder": 3}
    if len(points) > _MOST_NAMED:
        axes.plot([x for _, x, _ in points], [y for _, _, y in points], rasterized=True, **style)
        return
    for person, x, y in points:
        code = person["participant"]
        axes.plot([x], [y], gid=drawing.mark(f"participant:{code}", tips[code]), **style)


def _legend(drawing: Drawing, participants: Sequence[ParticipantValues], height: float) -> None:
    out = sum(bool(person.get("excluded")) for person in participants)
    axes = add_axes(drawing.canvas, MARGIN, height - MARGIN - 1.5 * TEXT, MARGIN, MARGIN / 2)
    axes.set_axis_off()
    axes.set_xlim(0, WIDTH - 2 * MARGIN)
    axes.set_ylim(-1, 1)
    for x, marker, colour, text in (
        (6, "o", KEPT, f"in the analysis ({len(participants) - out})"),
        (WIDTH / 2, "X", EXCLUDED, f"excluded ({out})"),
    ):
        axes.plot([x], [0], marker=marker, ms=_SIZE + 1, mfc=colour, mec="white", mew=0.5)
        axes.text(x + 8, 0, text, va="center_baseline")


def swarm(places: Sequence[float], size: float, height: float) -> list[float]:
    """Heights for marks at ascending positions so that they do not overlap, the middle first.

    >>> swarm([0.0, 1.0, 2.0, 9.0], 5.0, 20.0)
    [0.0, 5.0, -5.0, 0.0]
    """
    levels = int(height / size / 2)
    order = [0.0, *(sign * step * size for step in range(1, levels + 1) for sign in (1, -1))]
    last = dict.fromkeys(order, -math.inf)
    heights = []
    for place in places:
        free = [level for level in order if place - last[level] >= size]
        # all levels are taken, so marks must overlap: take the level that has been free longest
        level = free[0] if free else min(order, key=last.__getitem__)
        last[level] = place
        heights.append(level)
    return heights
