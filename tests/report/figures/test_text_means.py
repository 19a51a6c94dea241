from __future__ import annotations

from textassay.report.figures import means, text_means
from textassay.results import Figure


def test_texts_take_no_colours_from_systems() -> None:
    groups = [
        {"system": name, "mean": mean, "low": mean, "high": mean, "n": 3} for name, mean in (("s", 0.1), ("t", 1))
    ]
    figure = Figure("f", "F", "text-means", {"criterion": "tau", "groups": groups})
    assert text_means.systems(figure) == ()
    assert means.systems(figure) == ["s", "t"]
    assert text_means.describe(figure).startswith("Mean tau, the highest first. t: 1.00")
