"""Agreement on pairs, as tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from textassay.analysis.metric_correlations import MetricOptions, metric_correlations
from textassay.analysis.pairwise_accuracy import pairwise_accuracy
from textassay.results import Table

# people tie two texts of each item; the metric never does, but calls them nearly the same
PEOPLE = np.array([[1, 1, 3], [2, 2, 1], [1, 3, 3.0]])
SCORES = np.array([[5, 6, 9], [4, 3, 0], [2, 7, 8.0]])


def long(values: np.ndarray, **more: str) -> pd.DataFrame:
    rows = [(f"i{item}", f"s{system}", value) for (item, system), value in np.ndenumerate(values)]
    return pd.DataFrame(rows, columns=["item", "system", "value"]).assign(**more)


def tables(people: np.ndarray, scores: np.ndarray) -> dict[str, Table]:
    judged = long(people, criterion="clarity", participant="p")
    options = MetricOptions(("tau-b",), parts=(pairwise_accuracy,))
    found = metric_correlations(judged, long(scores, metric="m"), options)
    return {table.name: table for table in found.tables}


def test_pairs_of_texts() -> None:
    (row,) = tables(PEOPLE, SCORES)["pairs-of-texts"].records()
    assert (row["ordered_pairs"], row["in_sample"], row["held_out"], row["epsilon"]) == (1, 1, 1, 1)
    assert row["all_tied"] == pytest.approx(1 / 3)
    assert (row["items"], row["pairs"]) == (3, 9)
    assert row["chance"] < 1


def test_pairs_of_systems() -> None:
    (row,) = tables(np.array([[3, 1], [4, 2], [5, 4.0]]), np.array([[9, 1], [8, 2], [7, 3.0]]))[
        "pairs-of-systems"
    ].records()
    assert (row["soft_accuracy"], row["pairs"], row["exact"]) == (1, 1, True)


def test_one_text_per_item_has_no_pairs() -> None:
    assert not {"pairs-of-texts", "pairs-of-systems"} & set(tables(PEOPLE[:, :1], SCORES[:, :1]))
