from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from textassay.report.figures.labels import Box, place_labels

BOUNDS = Box(0, 0, 300, 200)
coordinates = st.tuples(st.floats(0, 300), st.floats(0, 200))


@given(st.lists(coordinates, max_size=15), st.floats(5, 90))
def test_labels_cover_neither_points_nor_each_other(points: list[tuple[float, float]], width: float) -> None:
    boxes = place_labels(points, [width] * len(points), 9, BOUNDS, gap=4)
    if boxes is None:
        return
    assert len(boxes) == len(points)
    assert all(one.overlap(other) == 0 for one, other in combinations(boxes, 2))
    dots = [Box(x - 4, y - 4, x + 4, y + 4) for x, y in points]
    assert all(
        box.overlap(dot) == 0 for place, box in enumerate(boxes) for other, dot in enumerate(dots) if other != place
    )
    assert all(box.left >= 0 and box.right <= 300 and box.bottom >= 0 and box.top <= 200 for box in boxes)


def test_a_point_alone_has_its_label_at_the_right() -> None:
    assert place_labels([(100, 100)], [20], 10, BOUNDS, gap=4) == [Box(104, 95, 124, 105)]


def test_at_the_right_edge_it_goes_left() -> None:
    assert place_labels([(298, 100)], [20], 10, BOUNDS, gap=4) == [Box(274, 95, 294, 105)]


def test_where_there_is_no_room_there_is_none() -> None:
    assert place_labels([(150, 100)] * 30, [80] * 30, 10, BOUNDS, gap=4) is None
