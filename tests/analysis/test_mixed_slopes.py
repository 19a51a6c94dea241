"""Slopes of answers on metrics, as a table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from textassay.analysis.metric_correlations import MetricOptions, metric_correlations
from textassay.analysis.mixed_slopes import mixed_slopes
from textassay.meta.alignment import AlignmentOptions
from textassay.meta.correlation import CorrelationOptions
from textassay.results import Analysis

RANDOM = np.random.Generator(np.random.PCG64(3))
SCORES = RANDOM.normal(size=(8, 4))


def analysed(people: list[np.ndarray], scores: np.ndarray, **alignment: object) -> Analysis:
    rows = [
        (f"p{who}", f"i{item}", f"s{system}", "clarity", value)
        for who, values in enumerate(people)
        for (item, system), value in np.ndenumerate(values)
    ]
    judged = pd.DataFrame(rows, columns=["participant", "item", "system", "criterion", "value"])
    scored = [(f"i{item}", f"s{system}", "m", value) for (item, system), value in np.ndenumerate(scores)]
    table = pd.DataFrame(scored, columns=["item", "system", "metric", "value"])
    correlation = CorrelationOptions(AlignmentOptions(**alignment))  # type: ignore[arg-type]
    return metric_correlations(judged, table, MetricOptions(("pearson",), correlation, parts=(mixed_slopes,)))


PEOPLE = [2 * SCORES + who + 0.5 * RANDOM.normal(size=SCORES.shape) for who in range(3)]


def test_slopes() -> None:
    table = next(table for table in analysed(PEOPLE, SCORES).tables if table.name == "mixed-slopes")
    (row,) = table.records()
    assert row["slope"] == pytest.approx(2 * SCORES.std(ddof=1), rel=0.15)
    assert (row["answers"], row["texts"], row["raters"]) == (96, 32, 3)
    assert row["p_holm"] == row["p"] < 0.001


def test_less_is_better() -> None:
    found = analysed(PEOPLE, SCORES, error_criteria=frozenset({"clarity"}))
    table = next(table for table in found.tables if table.name == "mixed-slopes")
    assert table.records()[0]["slope"] == pytest.approx(-2 * SCORES.std(ddof=1), rel=0.15)


def test_reasons_are_notes() -> None:
    found = analysed([values[:, :2] for values in PEOPLE], SCORES[:, :2])
    assert "mixed-slopes" not in [table.name for table in found.tables]
    assert any(text.startswith("mixed model: m and clarity: 2 systems") for text in found.warnings)
