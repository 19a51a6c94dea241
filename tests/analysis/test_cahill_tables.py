"""The tables of Cahill (2009)."""

from __future__ import annotations

from typing import Any

import pandas as pd

from textassay.analysis.cahill_tables import cahill_tables
from textassay.analysis.metric_correlations import MetricOptions
from textassay.meta import AlignmentOptions, CorrelationOptions

RANKS = {"gold": [1, 1, 1, 2], "good": [2, 2, 3, 1], "poor": [3, 3, 2, 3]}
GOLD = MetricOptions(correlation=CorrelationOptions(AlignmentOptions(reference_system="gold")))


def rankings() -> pd.DataFrame:
    """Ranks, and the points that they become."""
    rows = [("p", str(i), system, rank) for system, own in RANKS.items() for i, rank in enumerate(own)]
    table = pd.DataFrame(rows, columns=["participant", "item", "system", "rank"])
    return table.assign(criterion="wording", value=4 - table["rank"])


def scores() -> pd.DataFrame:
    """`like` orders texts as people do; `errors` counts errors; `dependency-f` puts good last."""
    judged = rankings()
    parts = [
        judged.assign(metric="like", value=4.0 - judged["rank"]),
        judged.assign(metric="ter", value=judged["rank"] * 10.0),
        judged.assign(metric="dependency-f", value=judged["system"].map({"gold": 1.0, "good": 0.2, "poor": 0.5})),
    ]
    return pd.concat(parts)[["item", "system", "metric", "value"]]


def rows(table: Any) -> dict[str, tuple[Any, ...]]:
    return {row[0]: row[1:] for row in table.rows}


def test_tables_of_a_ranking() -> None:
    found = cahill_tables(rankings(), scores(), GOLD)
    names = ["table-1", "table-2", "table-2-without-gold", "table-4", "table-4-without-gold", "order-of-systems"]
    assert [table.name for table in found.tables] == names
    tables = dict(zip(names, found.tables, strict=True))
    assert tables["table-1"].columns == ("metric", "gold", "good", "poor")
    assert rows(tables["table-1"])["human (rank)"] == ("1.25", "2.00", "2.75")
    # a metric that gives good texts more has a negative correlation with ranks, one that counts errors a positive one
    assert rows(tables["table-2"])["like"] == ("−1.000", "<.001", "−1.000", ".3333")
    assert rows(tables["table-2"])["ter"][::2] == ("1.000", "1.000")
    assert rows(tables["table-4"])["dependency-f"][2:] == ("−.500", "1.0000")  # as ROUGE-L in the paper
    assert len(rows(tables["table-2-without-gold"])["like"]) == 2  # two systems always lie on a line
    assert "As published; liberal" in tables["table-2"].note
    assert rows(tables["order-of-systems"]) == {
        "people": ("gold > good > poor", ""), "like": ("gold > good > poor", "yes"),
        "ter": ("gold > good > poor", "yes"), "dependency-f": ("gold > poor > good", "no"),
    }  # fmt: skip
    assert found.place == "published"


def test_tables_of_ratings() -> None:
    ratings = rankings().drop(columns="rank").query("system == 'good'")
    found = cahill_tables(ratings, scores().query("metric == 'like'"))
    assert [table.title.partition(":")[0] for table in found.tables] == ["Table 1", "Table 3"]
    assert found.tables[1].columns == ("metric", "sentence Pearson", "p (liberal)")
    assert {record["statistic"] for record in found.records()} == {"mean", "pearson"}


def test_several_criteria() -> None:
    both = pd.concat([rankings(), rankings().assign(criterion="style")])
    found = cahill_tables(both, scores().query("metric == 'like'"))
    assert [table.title for table in found.tables if table.name.startswith("table-1")] == [
        "Table 1: average scores of each metric: wording", "Table 1: average scores of each metric: style"
    ]  # fmt: skip
