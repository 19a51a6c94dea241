"""Figures that others published for real data, from the data themselves."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import pytest

from textassay.stats import mixed_model
from textassay.stats.mixed.model_comparison import likelihood_ratio_test


@pytest.fixture(scope="module")
def reading(data_dir: Path) -> dict[str, list]:
    """Grodner & Gibson (2005), experiment 1, critical region; object relatives are +1, subject relatives -1."""
    path = data_dir / "spr-grodner-gibson" / "df_gg05e1.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        "log_rt": [math.log(float(row["rawRT"])) for row in rows],
        "so": [1.0 if row["condition"] == "objgap" else -1.0 for row in rows],
        "subject": [row["subject"] for row in rows],
        "item": [row["item"] for row in rows],
    }


def test_by_subjects(reading) -> None:
    # (1 + so || subject): 0.0620, SE 0.0221
    fixed, random = {"so": reading["so"]}, {"subject": reading["subject"]}
    model = mixed_model(reading["log_rt"], fixed, random, slopes={"subject": ["so"]}, correlated=False)
    effect = model.coefficient("so")
    assert (round(effect.estimate, 4), round(effect.se, 4)) == (0.0620, 0.0221)


def test_crossed_with_items_and_likelihood_ratio(reading) -> None:
    # (1 + so | subject) + (1 + so || item): 0.06202, SE 0.02422; likelihood ratio 6.15, p = .013
    settings = {"slopes": {"subject": ["so"], "item": ["so"]}, "correlated": ["subject"]}
    fixed, random = {"so": reading["so"]}, {name: reading[name] for name in ("subject", "item")}
    model = mixed_model(reading["log_rt"], fixed, random, **settings)
    without = mixed_model(reading["log_rt"], fixed, random, terms=[], **settings)
    effect = model.coefficient("so")
    assert (round(effect.estimate, 5), round(effect.se, 5)) == (0.06202, 0.02422)
    ratio = likelihood_ratio_test(without, model)
    assert (round(ratio.chi2, 2), ratio.df, round(ratio.p, 3)) == (6.15, 1, 0.013)
