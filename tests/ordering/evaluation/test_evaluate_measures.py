"""The list of all measures."""

from __future__ import annotations

import numpy as np

from textassay.ordering.evaluation.evaluate import order_measures


def test_names_and_values() -> None:
    found = order_measures(window=2)
    assert "within 2" in found
    places = np.array([[1, 0, 2, 4, 3]])
    values = {name: float(measure.of_places(places)[0]) for name, measure in found.items()}
    assert values["tau"] == 0.6
    assert values["within 2"] == 1
    # linear kappa: 1 - 3·4 / 24
    assert values["linear kappa"] == 0.5
