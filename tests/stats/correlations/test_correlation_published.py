"""Correlations that makers of data published, from their own data."""

import csv
import json
from collections import defaultdict

import numpy as np
import pytest

from textassay.stats import kendall_tau, kendall_tau_batch, pearson, spearman

UNIEVAL = {
    ("sfres", "naturalness"): (0.367252, 0.333399, 0.247094),
    ("sfres", "informativeness"): (0.282079, 0.224918, 0.169297),
    ("sfres", "overall"): (0.370815, 0.291593, 0.214708),
    ("sfhot", "naturalness"): (0.397428, 0.319813, 0.237635),
    ("sfhot", "informativeness"): (0.357353, 0.249329, 0.191217),
    ("sfhot", "overall"): (0.406425, 0.320721, 0.236024),
}
"""UniEval's sample-level Pearson, Spearman and Kendall of predicted with human scores, as its makers printed them."""

REALSUMM = {
    "bert_recall_score": (0.347, 0.468386),
    "mover_score": (0.281, 0.435992),
    "rouge_1_recall": (0.406, 0.489136),
    "rouge_2_recall": (0.349, 0.485954),
    "rouge_l_recall": (0.393, 0.487091),
    "js-2": (0.257, 0.425485),
}
"""REALSumm's mean tau over documents: over all of them, and as printed, over those with p ≤ .05 only."""


@pytest.mark.parametrize(("data_set", "criterion"), UNIEVAL)
def test_unieval(data_dir, data_set, criterion):
    rows = json.loads((data_dir / "unieval-sf" / f"{data_set}.json").read_text(encoding="utf-8"))
    predicted = [row["predict_scores"][criterion] for row in rows]
    human = [row["scores"][criterion] for row in rows]
    found = pearson(predicted, human).r, spearman(predicted, human).r, kendall_tau(predicted, human).tau
    assert found == pytest.approx(UNIEVAL[data_set, criterion], abs=5e-7)


@pytest.fixture(scope="module")
def documents(data_dir):
    """Document → its rows, one a system."""
    found = defaultdict(list)
    with (data_dir / "realsumm" / "scores.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found[row["doc"]].append(row)
    return found


@pytest.mark.parametrize("metric", REALSUMM)
def test_realsumm_over_all_documents(documents, metric):
    scores, human = (
        np.array([[float(row[column]) for row in rows] for rows in documents.values()])
        for column in (metric, "litepyramid_recall")
    )
    assert scores.shape == (100, 25)
    assert kendall_tau_batch(scores, human).mean == pytest.approx(REALSUMM[metric][0], abs=5e-4)


@pytest.mark.parametrize("metric", REALSUMM)
def test_realsumm_as_printed_keeps_significant_documents_only(documents, metric):
    found = [
        kendall_tau([float(row[metric]) for row in rows], [float(row["litepyramid_recall"]) for row in rows])
        for rows in documents.values()
    ]
    kept = [each.tau for each in found if each.p <= 0.05]
    assert len(kept) < 100
    assert np.mean(kept) == pytest.approx(REALSUMM[metric][1], abs=5e-7)
