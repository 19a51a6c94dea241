"""What agreements hang on: one table for each question."""

from __future__ import annotations

import numpy as np
import pandas as pd

from textassay.analysis.metric_correlations import MetricOptions, metric_correlations
from textassay.analysis.metric_details import metric_details
from textassay.results import Table

RANDOM = np.random.Generator(np.random.PCG64(8))
PEOPLE = np.arange(5.0) + RANDOM.normal(size=(12, 5))


def long(values: np.ndarray, **more: str) -> pd.DataFrame:
    rows = [(f"i{item}", f"s{system}", value) for (item, system), value in np.ndenumerate(values)]
    return pd.DataFrame(rows, columns=["item", "system", "value"]).assign(**more)


def details(people: np.ndarray, scores: dict[str, np.ndarray]) -> dict[str, Table]:
    noise = 0.3 * RANDOM.normal(size=people.shape)
    judged = [long(people + own, criterion="clarity", participant=who) for who, own in (("p", noise), ("q", -noise))]
    table = pd.concat([long(own, metric=name) for name, own in scores.items()])
    found = metric_correlations(pd.concat(judged), table, MetricOptions(("pearson",), parts=(metric_details,)))
    return {table.name: table for table in found.tables}


def test_tables() -> None:
    swapped = PEOPLE[:, [0, 1, 2, 4, 3]]  # the two best change places
    found = details(PEOPLE, {"near": PEOPLE + RANDOM.normal(size=PEOPLE.shape), "swapped": swapped})
    wrong = [row for row in found["misordered-systems"].records() if row["metric"] == "swapped"]
    assert [(row["better"], row["worse"], row["misordered_pairs"]) for row in wrong] == [("s4", "s3", 1)]
    assert {row["kind"] for row in found["influences"].records()} <= {"item", "system"}
    best = [row for row in found["best-systems"].records() if row["metric"] == "swapped"]
    assert [row["systems"] for row in best] == [5, 4, 3]
    assert best[0]["agreement"] > best[-1]["agreement"]  # it cannot tell the best ones apart
    needed = found["items-needed"].records()[0]
    assert needed["1 rater"] >= needed["10 raters"] >= needed["perfect means"]
    (combined,) = found["metrics-combined"].records()
    assert (combined["metrics"], combined["texts"]) == (2, 60)
    assert combined["fitted"] >= combined["left_out"]
    assert all(found[name].detail for name in ("misordered-systems", "items-needed", "metrics-combined"))


def test_what_cannot_be_told_has_no_table() -> None:
    found = details(PEOPLE[:4, :2], {"near": PEOPLE[:4, :2]})
    assert not {"best-systems", "items-needed", "metrics-combined"} & set(found)
