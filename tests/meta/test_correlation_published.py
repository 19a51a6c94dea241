"""Figures that makers of data published, from tables of judgements and scores."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from textassay.meta import CorrelationOptions, Exchanges, correlate

FEW = Exchanges(draws=19)
"""The figures themselves do not depend on exchanges."""
REALSUMM = {
    "bert_recall_score": (0.347, 0.468386), "mover_score": (0.281, 0.435992), "rouge_1_recall": (0.406, 0.489136),
    "rouge_2_recall": (0.349, 0.485954), "rouge_l_recall": (0.393, 0.487091), "js-2": (0.257, 0.425485),
}  # fmt: skip
"""Mean tau within documents: over all of them, and as printed, over those alone with p ≤ .05."""
UNIEVAL = {
    ("sfres", "naturalness"): (0.367252, 0.333399, 0.247094),
    ("sfres", "informativeness"): (0.282079, 0.224918, 0.169297),
    ("sfres", "overall"): (0.370815, 0.291593, 0.214708),
    ("sfhot", "naturalness"): (0.397428, 0.319813, 0.237635),
    ("sfhot", "informativeness"): (0.357353, 0.249329, 0.191217),
    ("sfhot", "overall"): (0.406425, 0.320721, 0.236024),
}
"""Pearson, Spearman and Kendall over all texts."""


@pytest.mark.parametrize(("which", "significant"), [(0, None), (1, 0.05)])
def test_realsumm_over_all_documents_and_over_significant_ones(
    data_dir: Path, which: int, significant: float | None
) -> None:
    with (data_dir / "realsumm" / "scores.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    # one system is in the set of abstractive and in that of extractive ones
    key = {"item": [row["doc"] for row in rows], "system": [f"{row['set']} {row['system']}" for row in rows]}
    human = [float(row["litepyramid_recall"]) for row in rows]
    people = pd.DataFrame({"participant": "pyramid", **key, "criterion": "recall", "value": human})
    scores = pd.concat(
        pd.DataFrame({**key, "metric": metric, "value": [float(row[metric]) for row in rows]}) for metric in REALSUMM
    )
    options = CorrelationOptions(exchanges=FEW, significant_groups=significant)
    found = correlate(people, scores, "segment", "item", "tau-b", options=options).records()
    assert {record["metric"] for record in found} == set(REALSUMM)
    close = 5e-4 if significant is None else 5e-7
    for record in found:
        assert record["value"] == pytest.approx(REALSUMM[record["metric"]][which], abs=close)
        assert (record["n"] == 100) == (significant is None)


@pytest.mark.long
@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "tau-b"])
@pytest.mark.parametrize("data_set", ["sfres", "sfhot"])
def test_unieval_over_all_texts(data_dir: Path, data_set: str, coefficient: Any) -> None:
    rows = json.loads((data_dir / "unieval-sf" / f"{data_set}.json").read_text(encoding="utf-8"))
    place = ["pearson", "spearman", "tau-b"].index(coefficient)
    items = {"item": range(len(rows)), "system": "all"}
    for criterion in ("naturalness", "informativeness", "overall"):
        human, predicted = ([row[name][criterion] for row in rows] for name in ("scores", "predict_scores"))
        people = pd.DataFrame({"participant": "people", **items, "criterion": criterion, "value": human})
        scores = pd.DataFrame({**items, "metric": "unieval", "value": predicted})
        options = CorrelationOptions(exchanges=FEW)
        (record,) = correlate(people, scores, "segment", None, coefficient, options=options).records()
        assert record["value"] == pytest.approx(UNIEVAL[data_set, criterion][place], abs=5e-7)
        assert record["n"] == len(rows)
