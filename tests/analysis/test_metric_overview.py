"""Metrics and people at a glance: the matrix, the order of the systems, the grid of metrics."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from textassay.analysis.metric_correlations import MetricOptions, metric_correlations
from textassay.analysis.metric_overview import MOST_IN_GRID, comparison_grid, metric_overview
from textassay.meta.metric_comparisons import compare_metrics
from textassay.meta.metric_differences import Agreement

RANDOM = np.random.Generator(np.random.PCG64(5))
PEOPLE = np.arange(6.0) + RANDOM.normal(size=(10, 6))
SCORES = {"noise": RANDOM.normal(size=(10, 6)), "near": PEOPLE + 0.1 * RANDOM.normal(size=(10, 6)), "ter": -PEOPLE}


def long(values: np.ndarray, **more: str) -> pd.DataFrame:
    rows = [(f"i{item}", f"s{system}", value) for (item, system), value in np.ndenumerate(values)]
    return pd.DataFrame(rows, columns=["item", "system", "value"]).assign(participant="p", **more)


judged = partial(long, criterion="clarity")


def test_matrix_with_marks_and_order_of_the_systems() -> None:
    scores = pd.concat([long(own, metric=name) for name, own in SCORES.items()])
    people = pd.concat([judged(PEOPLE), long(RANDOM.normal(size=(10, 6)), criterion="ease")])
    found = metric_correlations(people, scores, MetricOptions(("pearson",), parts=(metric_overview,)))
    table = next(table for table in found.tables if table.name == "metrics-by-criteria")
    assert [row[0] for row in table.rows][-1] == "noise"  # the closest to people first
    cells = {row[0]: row[1] for row in table.rows}
    assert cells["ter"] == "1.00**"  # turned; of 720 orders one is as good, times 6 metrics and criteria: p = .008
    assert not cells["noise"].endswith("*")
    matrix, flow, ease = found.figures[:3]
    assert (matrix.kind, flow.kind, ease.name) == ("matrix", "rank-flow", "order-of-systems-ease")
    assert matrix.data["texts"] == [list(row[1:]) for row in table.rows]
    assert [column["name"] for column in flow.data["columns"]][:1] == ["people"]
    assert flow.data["columns"][-1]["name"] == "noise"
    assert flow.data["columns"][0]["ranks"] == [1, 2, 3, 4, 5, 6]


def test_nothing_to_show() -> None:
    scores = long(SCORES["near"], metric="near")
    found = metric_correlations(judged(PEOPLE)[:0], scores, MetricOptions(parts=(metric_overview,)))
    assert not [table for table in found.tables if table.name == "metrics-by-criteria"]
    two = judged(PEOPLE[:, :2])  # two systems have no order worth drawing
    found = metric_correlations(two, scores, MetricOptions(parts=(metric_overview,)))
    assert not [figure for figure in found.figures if figure.kind == "rank-flow"]


def test_grid_of_metrics() -> None:
    scores = {**SCORES, "ter": PEOPLE}
    figure = comparison_grid("clarity", compare_metrics(PEOPLE, scores, Agreement("pearson", draws=399)))
    assert figure is not None
    assert figure.data["rows"] == ["1 ter", "2 near", "3 noise"]
    assert figure.data["values"][0][0] is None
    assert figure.data["values"][0][2] > 0 > figure.data["values"][2][0]
    assert [text.endswith("*") for text in figure.data["texts"][2]] == [True, True, False]
    few = compare_metrics(PEOPLE, {"a": PEOPLE, "b": SCORES["noise"]}, Agreement(draws=99))
    assert comparison_grid("clarity", few) is None
    assert MOST_IN_GRID == 20
