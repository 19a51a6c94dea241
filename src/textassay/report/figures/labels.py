"""Places for the labels of points, so that they cover neither points nor each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Box:
    """A rectangle, in points."""

    left: float
    bottom: float
    right: float
    top: float

    def overlap(self, other: Box) -> float:
        """The area that both cover.

        >>> Box(0, 0, 2, 2).overlap(Box(1, 1, 5, 5)), Box(0, 0, 1, 1).overlap(Box(2, 0, 3, 1))
        (1.0, 0.0)
        """
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.top, other.top) - max(self.bottom, other.bottom)
        return float(max(width, 0) * max(height, 0))


def place_labels(
    points: Sequence[tuple[float, float]], widths: Sequence[float], height: float, bounds: Box, gap: float
) -> list[Box] | None:
    """A box for each label beside its point, the first free place around it; nothing where one has no free place.

    Args:
        points: Places of the points.
        widths: Width of each label.
        height: Height of all labels.
        bounds: Where labels may stand.
        gap: Room that a point takes to each side.
    """
    dots = [Box(x - gap, y - gap, x + gap, y + gap) for x, y in points]
    placed: list[Box] = []
    for place, (point, width) in enumerate(zip(points, widths, strict=True)):
        others = dots[:place] + dots[place + 1 :] + placed
        free = (box for box in _candidates(point, width, height, gap) if _free(box, others, bounds))
        box = next(free, None)
        if box is None:
            return None
        placed.append(box)
    return placed


def _free(box: Box, others: Sequence[Box], bounds: Box) -> bool:
    inside = (
        bounds.left <= box.left and box.right <= bounds.right and bounds.bottom <= box.bottom and box.top <= bounds.top
    )
    return inside and not any(box.overlap(other) for other in others)


def _candidates(point: tuple[float, float], width: float, height: float, gap: float) -> Iterator[Box]:
    """Places around a point, the best first: right, left, above, below, then the corners, then further off."""
    x, y = point
    for far in (1.0, 2.0):
        reach = gap * far
        lefts = {"right": x + reach, "left": x - reach - width, "middle": x - width / 2}
        bottoms = {"middle": y - height / 2, "above": y + reach, "below": y - reach - height}
        for side, level in (
            ("right", "middle"), ("left", "middle"), ("middle", "above"), ("middle", "below"),
            ("right", "above"), ("right", "below"), ("left", "above"), ("left", "below"),
        ):  # fmt: skip
            left, bottom = lefts[side], bottoms[level]
            yield Box(left, bottom, left + width, bottom + height)
