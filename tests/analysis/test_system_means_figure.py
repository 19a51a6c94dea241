from __future__ import annotations

from textassay.analysis.system_means import means_figure
from textassay.stats import mean_interval


def test_figure_holds_means_with_their_intervals() -> None:
    mean = mean_interval([1.0, 2.0, 3.0]).about("clarity", "human")
    figure = means_figure("means", "Means", "clarity", [mean], (1, 7), "A note.")
    assert (figure.name, figure.title, figure.kind, figure.note) == ("means", "Means", "means", "A note.")
    low, high = mean.ci
    assert figure.data == {
        "criterion": "clarity",
        "scale_from": 1,
        "scale_to": 7,
        "groups": [{"system": "human", "mean": 2.0, "low": low, "high": high, "n": 3}],
    }
