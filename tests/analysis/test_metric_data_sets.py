"""Metrics over several data sets: sentences, ranks, metrics that one of them lacks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from textassay.analysis.metric_data_sets import metric_data_sets
from textassay.meta.alignment import ScoreGrid, score_grids


def grid(seed: int, errors: dict[str, float]) -> ScoreGrid:
    """A data set of 6 systems and 10 items; a metric is what people say with an error of its own size."""
    random = np.random.Generator(np.random.PCG64(seed))
    people = random.normal(size=(10, 6))

    def rows(values: np.ndarray) -> list[dict[str, object]]:
        return [{"item": f"i{i}", "system": f"s{s}", "value": value} for (i, s), value in np.ndenumerate(values)]

    judgements = pd.DataFrame(rows(people)).assign(participant="p", criterion="clarity")
    noisy = {name: people + error * random.normal(size=people.shape) for name, error in errors.items()}
    scores = pd.concat([pd.DataFrame(rows(own)).assign(metric=name) for name, own in noisy.items()])
    (found,) = score_grids(judgements, scores)
    return found


ERRORS = {"near": 0.1, "far": 1.0, "noise": 20.0}
FOUR = {name: [grid(seed, ERRORS)] for seed, name in enumerate("ABCD")}


def test_ranks_and_what_can_be_told() -> None:
    found = metric_data_sets(FOUR)
    assert found.headlines[0].text == (
        "Over 4 data sets near is the closest to people (mean rank 1), ahead of noise; far cannot be told from it."
    )
    ranks, agreements, pairs = found.tables
    assert ranks.records()[0] == {
        "metric": "near", "mean_rank": 1.0, "ahead_of": 1, "behind": 0, "A": 1.0, "B": 1.0, "C": 1.0, "D": 1.0
    }  # fmt: skip
    assert "Kendall's W = 1.00, p = .005 (all 216 orders counted; p cannot be below 0.0046)" in ranks.note
    assert "where they share people, systems or texts it is too small" in ranks.note
    assert agreements.columns == ("metric", "A", "B", "C", "D")
    assert len(pairs.rows) == 3


def test_few_data_sets_tell_nothing() -> None:
    assert metric_data_sets({name: FOUR[name] for name in "AB"}).headlines[0].text == (
        "Over 2 data sets the metrics cannot be told apart by their ranks (p = .167). With 3 metrics and 2 data sets p "
        "cannot be below 0.17."
    )


def test_criteria_of_a_data_set_count_once() -> None:
    # noise is far ahead on one criterion of D, which is the mean of both: it does not become a data set more
    turned = replace(
        FOUR["D"][0], scores={**FOUR["D"][0].scores, "noise": FOUR["D"][0].people, "near": -FOUR["D"][0].people}
    )
    found = metric_data_sets({**FOUR, "D": [FOUR["D"][0], turned]})
    agreement = {row["metric"]: row["D"] for row in found.tables[1].records()}
    alone = {row["metric"]: row["D"] for row in metric_data_sets(FOUR).tables[1].records()}
    assert np.isclose(agreement["noise"], (alone["noise"] + 1) / 2)
    assert "over 4 data sets" in found.tables[0].note


def test_metrics_that_a_data_set_lacks_are_not_ranked() -> None:
    lacking = {**FOUR, "D": [grid(3, {"near": 0.1, "far": 1.0})]}
    found = metric_data_sets(lacking)
    assert found.warnings == ("noise is not ranked: it has no agreement with people in D",)
    assert [row["metric"] for row in found.tables[0].records()] == ["near", "far"]
    assert found.tables[1].records()[2]["D"] is None
    nothing = metric_data_sets({**FOUR, "D": [grid(3, {"near": 0.1})]})
    assert "Fewer than two metrics" in nothing.headlines[0].text
    assert nothing.results == ()
