"""Bars made of parts, coloured by kind: how the weight of a text, or of many, is shared out.

Data: `rows`, each `{name, parts}` and perhaps `group`, a heading above the first row of each; `parts`, each `{value,
kind, label}`; `axis`, the words under the axis; `to`, where that ends at least; `keys`, lines below that say what the
labels stand for; and `systems`, true where rows are systems. Kinds are `appropriate`, `neutral` and `inappropriate`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textassay.report.figures.drawing import (
    Drawing,
    FigureKind,
    add_axes,
    empty,
    entry,
    new_canvas,
    table_of,
)
from textassay.report.figures.style import (
    COLOURS,
    LINE,
    MARGIN,
    ON_SQUARE,
    QUIET,
    SMALL,
    TEXT,
    WIDTH,
    Palette,
    shortened,
    text_width,
)
from textassay.report.numbers import NumberFormat, format_value
from textassay.results import Figure, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KINDS: Mapping[str, tuple[str, str]] = {
    "appropriate": ("#9fcdec", COLOURS[0]),
    "neutral": ("#d9dde3", QUIET),
    "inappropriate": ("#f6b486", COLOURS[1]),
}
"""Fill and edge; fills stay light on a dark screen, so that what is written on them can be read."""
_ROW, _HEADING, _KEY = 19.0, 15.0, 12.0
_NAMES = 0.36 * WIDTH
_RIGHT = 34.0
_BELOW = 46.0
"""Axis, its words, and the legend of kinds."""
_MOST_KEYS = 14


@dataclass(frozen=True)
class _Bar:
    name: str
    group: str
    parts: tuple[tuple[float, str, str], ...]

    @property
    def total(self) -> float:
        return sum(value for value, _, _ in self.parts)

    @property
    def text(self) -> str:
        parts = ", ".join(f"{label} {_shown(value)}" for value, _, label in self.parts if value > 0)
        return f"{self.name}: {_shown(self.total)}" + (f" ({parts})" if parts else "")


class WeightsFigure(FigureKind):
    """Draws how weight is shared out."""

    def systems(self, figure: Figure) -> Sequence[str]:
        """The rows, where they are systems."""
        return [str(row["name"]) for row in figure.data.get("rows", ())] if figure.data.get("systems") else []

    def describe(self, figure: Figure) -> str:
        """The figure in words."""
        bars = _read(figure)
        if not bars:
            return "There is no weight to show."
        lines = [f"{bar.group}, {bar.text}" if bar.group else bar.text for bar in bars]
        keys = figure.data.get("keys", ())
        meaning = f" Labels: {'; '.join(map(str, keys))}." if keys else ""
        return f"{str(figure.data.get('axis', 'weight')).capitalize()}. {'; '.join(lines)}.{meaning}"

    def numbers(self, figure: Figure) -> Table:
        """What the figure shows as a table."""
        rows = [(bar.group, bar.name, label, kind, value) for bar in _read(figure) for value, kind, label in bar.parts]
        return table_of(figure, ("group", "name", "part", "kind", "value"), rows)

    def draw(self, figure: Figure, palette: Palette) -> Drawing:
        """The figure."""
        del palette  # colours are those of the kinds
        bars = _read(figure)
        if not bars:
            return empty("no weight to show")
        keys = _keys(figure)
        headings = len({bar.group for bar in bars if bar.group})
        height = _ROW * len(bars) + _HEADING * headings
        below = _BELOW + _KEY * len(keys)
        names = [shortened(bar.name, TEXT, _NAMES) for bar in bars]
        left = MARGIN + 8 + max(text_width(name, TEXT) for name in names)
        drawing = Drawing(new_canvas(MARGIN + height + below))
        right = MARGIN + 4 if figure.data.get("systems") else MARGIN + _RIGHT
        axes = add_axes(drawing.canvas, left, below, right, MARGIN)
        axes.set_ylim(height, 0)
        axes.set_xlim(0, max(1e-9, float(figure.data.get("to", 0)), *(bar.total for bar in bars)) * 1.001)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        y, group = 0.0, ""
        for bar, name in zip(bars, names, strict=True):
            if bar.group != group:
                group = bar.group
                _beside(axes, y + 0.7 * _HEADING, group, -left + MARGIN, "left", size=SMALL, color=QUIET, weight="bold")
                y += _HEADING
            _bar(drawing, axes, y + _ROW / 2, bar, name, marked=bool(figure.data.get("systems")))
            y += _ROW
        axes.set_xlabel(str(figure.data.get("axis", "")), color=QUIET, labelpad=2)
        _legend(drawing, bars, keys)
        return drawing


def _shown(value: float) -> str:
    return format_value(float(value), NumberFormat.BOUNDED)


def _read(figure: Figure) -> list[_Bar]:
    (rows,) = entry(figure, figure.data, "rows")
    return [_one(figure, row) for row in rows]


def _one(figure: Figure, row: Mapping[str, Any]) -> _Bar:
    name, parts = entry(figure, row, "name", "parts")
    found = tuple((float(part["value"]), str(part["kind"]), str(part.get("label", ""))) for part in parts)
    return _Bar(str(name), str(row.get("group", "")), found)


def _keys(figure: Figure) -> list[str]:
    keys = [str(key) for key in figure.data.get("keys", ())]
    more = len(keys) - _MOST_KEYS
    return keys if more <= 1 else [*keys[:_MOST_KEYS], f"and {more} more"]


def _beside(axes: Axes, y: float, text: str, offset: float, side: str, **how: Any) -> None:
    axes.annotate(
        text, (0 if side != "end" else 1, y), xytext=(offset, 0), xycoords=("axes fraction", "data"),
        textcoords="offset points", ha="left" if side == "left" else "right", va="center", annotation_clip=False, **how,
    )  # fmt: skip


def _bar(drawing: Drawing, axes: Axes, y: float, bar: _Bar, name: str, *, marked: bool) -> None:
    gid = {"gid": drawing.mark(f"system:{bar.name}", bar.text)} if marked else {}
    _beside(axes, y, name, -6, "right", **gid)
    if not marked:  # the shares of a system sum to 1
        _beside(axes, y, _shown(bar.total), _RIGHT, "end", color=None if bar.total else QUIET)
    axes.axhline(y, color=LINE, lw=0.6, zorder=0)
    span = axes.get_xlim()[1]
    room = float(axes.get_position().width) * WIDTH
    start = 0.0
    for value, kind, label in bar.parts:
        fill, edge = KINDS.get(kind, KINDS["neutral"])
        part = axes.barh(y, value, left=start, height=0.72 * _ROW, facecolor=fill, edgecolor=edge, linewidth=0.7)[0]
        if marked:
            part.set_gid(drawing.mark(f"system:{bar.name}", f"{bar.name}, {label or kind}: {_shown(value)}"))
        if label and text_width(label, SMALL) + 3 <= value / span * room:
            axes.text(start + value / 2, y, label, ha="center", va="center_baseline", size=SMALL, color=ON_SQUARE)
        start += value


def _legend(drawing: Drawing, bars: Sequence[_Bar], keys: Sequence[str]) -> None:
    """The kinds, then what the labels stand for."""
    height = float(drawing.canvas.get_size_inches()[1]) * 72
    rows = 15 + _KEY * len(keys)
    axes = add_axes(drawing.canvas, 0, 2, 0, height - 2 - rows)
    axes.set_axis_off()
    axes.set_xlim(0, WIDTH)
    axes.set_ylim(rows, 0)
    used = {kind for bar in bars for _, kind, _ in bar.parts}
    x = MARGIN + 2
    for kind, (fill, edge) in KINDS.items():
        if kind in used:
            axes.barh(7, 9, left=x, height=9, facecolor=fill, edgecolor=edge, linewidth=0.7)
            axes.text(x + 13, 7, kind, va="center_baseline", size=SMALL)
            x += 13 + text_width(kind, SMALL) + 14
    for place, key in enumerate(keys):
        line = shortened(key, SMALL, WIDTH - 2 * MARGIN)
        axes.text(MARGIN + 2, 15 + _KEY * (place + 0.5), line, va="center_baseline", size=SMALL, color=QUIET)
