"""Checks on drawn figures, with the extents that matplotlib itself measures."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from textassay.report.figures.render import drawing_settings, find_kind, systems_in
from textassay.report.figures.style import Palette
from textassay.results import Figure


def assert_texts_do_not_collide(figure: Figure) -> None:
    """No visible text covers another, and none leaves the figure."""
    width, height, boxes = _boxes(figure)
    for text, box in boxes:
        assert box.x0 >= -1, f"{text!r} leaves the figure at the left"
        assert box.x1 <= width + 1, f"{text!r} leaves the figure at the right"
        assert box.y0 >= -1, f"{text!r} leaves the figure below"
        assert box.y1 <= height + 1, f"{text!r} leaves the figure above"
    for (one, box), (other, other_box) in combinations(boxes, 2):
        across = min(box.x1, other_box.x1) - max(box.x0, other_box.x0)
        up = min(box.y1, other_box.y1) - max(box.y0, other_box.y0)
        # lines of text may touch: the box of a line is taller than its letters
        assert across <= 1 or up <= 2.5, f"{one!r} and {other!r} cover each other"


def _boxes(figure: Figure) -> tuple[int, int, list[tuple[str, Bbox]]]:
    """Width and height of the figure in pixels, and the extent of each text."""
    with drawing_settings(["DejaVu Sans"]):  # whatever fonts a machine has besides
        drawing = find_kind(figure).draw(figure, Palette.of(systems_in([figure])))
        canvas: Any = FigureCanvasAgg(drawing.canvas)  # matplotlib types it only in part
        canvas.draw()
        unseen = {label for axes in drawing.canvas.axes for label in _not_drawn(axes)}
        found = drawing.canvas.findobj(lambda artist: isinstance(artist, Text) and artist.get_visible())
        texts = [text for text in found if isinstance(text, Text) and text.get_text().strip() and text not in unseen]
        boxes = [(text.get_text(), text.get_window_extent(canvas.get_renderer())) for text in texts]
    width, height = canvas.get_width_height()
    return width, height, boxes


def _not_drawn(axes: Axes) -> list[Text]:
    """Labels of ticks that matplotlib keeps but does not draw: beyond the ends of their axis, or of hidden axes."""
    ends = (sorted(axes.get_xlim()), sorted(axes.get_ylim()))
    return [
        label
        for place, axis in enumerate((axes.xaxis, axes.yaxis))
        for label in axis.get_ticklabels()
        if not axes.axison or not ends[place][0] <= label.get_position()[place] <= ends[place][1]
    ]
