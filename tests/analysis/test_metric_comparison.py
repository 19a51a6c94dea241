"""Which metrics can be told apart: sentences, groups, ranks over criteria, draws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from textassay.analysis.metric_comparison import ComparisonOptions, comparing, metric_comparison
from textassay.analysis.metric_correlations import MetricOptions, metric_correlations
from textassay.meta.alignment import AlignmentOptions, ScoreGrid, score_grids

OPTIONS = ComparisonOptions(draws=299)


def table(values: np.ndarray, name: str, column: str) -> pd.DataFrame:
    rows = [(f"i{item}", f"s{system}", value) for (item, system), value in np.ndenumerate(values)]
    return pd.DataFrame(rows, columns=["item", "system", "value"]).assign(**{column: name, "participant": "p"})


def tables(systems: int, items: int = 12) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Two criteria, and three metrics: one that follows people closely, its double, and one of noise."""
    random = np.random.Generator(np.random.PCG64(3))
    people = random.normal(size=systems) + random.normal(size=(items, systems))
    near = people + 0.1 * random.normal(size=people.shape)
    double = 2 * near + 0.1 * random.normal(size=people.shape)
    scores = {"near": near, "double": double, "noise": random.normal(size=people.shape)}
    judgements = pd.concat([table(people, "clarity", "criterion"), table(people**3, "ease", "criterion")])
    return judgements, pd.concat([table(own, name, "metric") for name, own in scores.items()])


def grids(systems: int) -> tuple[ScoreGrid, ...]:
    return score_grids(*tables(systems))


def test_metrics_that_can_be_told_apart_and_those_that_cannot() -> None:
    found = metric_comparison(grids(8), options=OPTIONS)
    said = found.headlines[0].text
    assert said in (
        "near agrees better with people than 1 of the 2 other metrics; double cannot be told from it.",
        "double agrees better with people than 1 of the 2 other metrics; near cannot be told from it.",
    )
    rows = {row["metric"]: row for row in found.tables[0].records() if row["criterion"] == "clarity"}
    assert {name: (row["group"], row["worse_than"]) for name, row in rows.items()} == {
        "near": (1, 0), "double": (1, 0), "noise": (2, 2)
    }  # fmt: skip
    assert [table.name for table in found.tables if table.detail] == ["metric-pairs-clarity", "metric-pairs-ease"]


def test_few_systems_allow_no_ranking() -> None:
    said = metric_comparison(grids(4), options=OPTIONS).headlines[0].text
    assert said.startswith("For these 4 systems, ")
    assert said.endswith("With 4 systems no ranking of metrics is possible.")
    # within items there is nothing to compare with two systems: all texts are taken
    two = metric_comparison(grids(2), options=OPTIONS)
    assert "Pearson's r over all texts. " in two.tables[0].note
    (one,) = grids(4)[:1]
    alone = metric_comparison([one.without("s1").without("s2").without("s3")], options=OPTIONS)
    assert alone.headlines[0].text.startswith("For the texts of s0, ")


def test_metrics_that_are_the_same() -> None:
    (grid,) = grids(8)[:1]
    same = replace(grid, scores=dict.fromkeys(("a", "b", "c"), grid.scores["near"]))
    assert metric_comparison([same], options=OPTIONS).headlines[0].text == (
        "None of the 2 other metrics can be told from a, the closest to people."
    )


def test_reference_is_left_out_for_all() -> None:
    options = AlignmentOptions(reference_system="s0")
    found = metric_comparison(score_grids(*tables(8), options), options=OPTIONS)
    assert "within items, without s0, whose texts are the references. " in found.tables[0].note
    assert {record["n"] for record in found.results[0].records()} == {7}


def test_ranks_over_criteria() -> None:
    table = next(table for table in metric_comparison(grids(8), options=OPTIONS).tables if table.name == "metric-ranks")
    assert table.columns == ("metric", "mean_rank", "clarity", "ease")
    assert [row["mean_rank"] for row in table.records()][-1] == 3  # noise comes last on both
    assert "its p is too small" in table.note
    assert not [one for one in metric_comparison(grids(8)[:1], options=OPTIONS).tables if one.name == "metric-ranks"]


def test_draws_are_enough_for_the_correction_or_it_says_so() -> None:
    assert not metric_comparison(grids(8)[:1]).warnings
    (warning,) = metric_comparison(grids(8)[:1], options=ComparisonOptions(draws=99)).warnings
    # 2 of 100 on one side; three pairs
    assert "with 99 draws no p can be below 0.02" in warning


def test_a_long_comparison_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    metric_comparison(grids(8), options=replace(OPTIONS, announce=said.append))
    assert said == []  # a fraction of a second
    monkeypatch.setattr("textassay.analysis.metric_comparison.planned_seconds", lambda *_: 100.0)
    metric_comparison(grids(8), options=replace(OPTIONS, announce=said.append))
    assert said == [
        "Comparing 3 pairs of 3 metrics on 2 criteria (bootstrap, 299 draws; 8 systems × 12 items): about 3 minutes."
    ]


def test_tests_of_systems_have_their_own_figure() -> None:
    found = metric_comparison(grids(8), "tau-b", ComparisonOptions("williams", "benjamini-hochberg"))
    assert "Agreement: Pearson's r over systems. " in found.tables[0].note
    assert "the test of Williams for correlations of systems' means; adjusted" in found.tables[0].note
    assert "(Benjamini–Hochberg)" in found.tables[0].note
    liberal = metric_comparison(grids(8), "tau-b", ComparisonOptions("system pairs"))
    assert "as published, which is liberal" in liberal.tables[0].note


@pytest.mark.parametrize("metrics", [["near"], []])
def test_nothing_to_compare(metrics: list[str]) -> None:
    (grid,) = grids(8)[:1]
    found = metric_comparison([replace(grid, scores={name: grid.scores[name] for name in metrics})])
    assert (found.tables, found.headlines, found.results) == ((), (), ())


def test_as_a_part_of_metrics_and_people() -> None:
    told: list[tuple[int, int]] = []
    options = ComparisonOptions(draws=99, progress=lambda done, of: told.append((done, of)))
    found = metric_correlations(*tables(4), MetricOptions(parts=(comparing(options),)))
    (said, _) = (headline.text for headline in found.headlines)
    assert said.count("With 4 systems no ranking of metrics is possible.") == 1
    assert "For these 4 systems, " in said
    names = [table.name for table in found.tables]
    assert names.index("system-orders") < names.index("metric-groups")
    assert told[-1] == (6, 6)  # three metrics, two criteria
