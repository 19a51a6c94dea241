"""Which parameters run away."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.stats.categorical.infinite_estimates import infinite_signs, separation_message


@pytest.mark.parametrize(
    ("rows", "signs"),
    [
        ([[1, 0], [-1, 0], [0, 1], [0, -1]], None),  # everything is held from both sides
        ([[1, 0], [-1, 0], [0, 1]], [0, 1]),
        ([[1, 0], [-1, 0], [0, -1]], [0, -1]),
        ([[1, 1], [-1, -1], [1, 0]], [1, -1]),  # their sum is held
        ([[1, 1]], [np.nan, np.nan]),  # either may go either way while the sum grows
        ([[1000, 0], [-1000, 0], [0, 1e-3]], [0, 1]),  # the scale of a column does not matter
    ],
)
def test_signs(rows, signs):
    found = infinite_signs(np.array(rows, dtype=float))
    assert (found is None) if signs is None else np.array_equal(found, signs, equal_nan=True)


def test_message_names_the_infinite_ones_only():
    message = separation_message(["a", "b", "c", "d"], np.array([1.0, 0.0, -1.0, np.nan]))
    assert "a (+∞), c (-∞), d (±∞);" in message
