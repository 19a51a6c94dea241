"""Metrics in the place of a rater, and where nothing is known of what people reach."""

from __future__ import annotations

import pandas as pd
import pytest

from textassay.analysis.metric_ceilings import ceiling_notes, leave_one_out_tables
from textassay.meta.alignment import AlignmentOptions, score_grids

VALUES = {"p": [1, 2, 3, 4], "q": [2, 1, 4, 3]}
SCORES = pd.DataFrame({"item": list("1234"), "system": "s", "metric": "m", "value": [1, 2, 3, 4]})


def judged(raters: str = "pq", criterion: str = "clarity") -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"participant": who, "item": item, "system": "s", "criterion": criterion, "value": value}
            for who in raters for item, value in zip("1234", VALUES[who], strict=True)
        ]
    )  # fmt: skip


def test_metric_against_the_mean_of_the_others() -> None:
    # r of 1 2 3 4 with 2 1 4 3 is .6, for both raters; the metric is p itself: .6 with q and 1 with p
    (table,) = leave_one_out_tables(score_grids(judged(), SCORES))
    (row,) = table.records()
    assert (row["people_r"], row["metric_r"]) == (pytest.approx(0.6), pytest.approx(0.8))
    assert (row["raters"], row["raters_no_closer"]) == (2, 2)
    assert table.detail


def test_a_metric_that_compares_does_without_the_reference() -> None:
    options = AlignmentOptions(reference_system="s")
    assert leave_one_out_tables(score_grids(judged(), SCORES, options)) == []


def test_one_rater_is_said_once() -> None:
    alone = pd.concat([judged("p"), judged("p", "fluency")])
    why = "each text was judged by one person, so that nothing is known of what people themselves reach"
    assert ceiling_notes(score_grids(alone, SCORES)) == [why]
    assert ceiling_notes(score_grids(pd.concat([judged(), judged("p", "fluency")]), SCORES)) == [f"fluency: {why}"]
    assert ceiling_notes(score_grids(judged(), SCORES)) == []
    assert leave_one_out_tables(score_grids(alone, SCORES)) == []
