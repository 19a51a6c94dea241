"""Marginal means and their pairs against emmeans, and against Tukey's HSD where both are the same."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from textassay.errors import UsageError
from textassay.stats import adjust_p, mixed_model
from textassay.stats.distributions import studentized_range_quantile
from textassay.stats.mixed.marginal_means import marginal_means
from textassay.stats.mixed.mixed_design import MixedFormula, reference_grid
from textassay.stats.mixed.model_matrix import model_matrix
from textassay.stats.mixed.satterthwaite import FixedInference

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "mixed_model_crossed.json").read_text(encoding="utf-8"))
DATA = GOLDEN["data"]
RANDOM = {name: DATA[name] for name in ("participant", "item")}
CASES = {case["id"]: case for case in GOLDEN["models"]}


def fitted(case):
    return mixed_model(DATA["y"], {name: DATA[name] for name in case["fixed"]}, RANDOM, **case["settings"])


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "emmeans" in case])
def test_equals_emmeans(name: str) -> None:
    expected = CASES[name]["emmeans"]
    found = fitted(CASES[name]).marginal_means(expected["factor"])
    assert [mean.name for mean in found.means] == expected["levels"]
    assert [mean.estimate for mean in found.means] == pytest.approx(expected["means"], rel=1e-7)
    assert [mean.se for mean in found.means] == pytest.approx(expected["se"], rel=1e-6)
    assert [mean.df for mean in found.means] == pytest.approx(expected["df"], rel=1e-5)
    assert [mean.ci[0] for mean in found.means] == pytest.approx(expected["ci"][0], rel=1e-6)
    assert [mean.ci[1] for mean in found.means] == pytest.approx(expected["ci"][1], rel=1e-6)
    assert [f"{pair.first} - {pair.second}" for pair in found.pairs] == expected["pairs"]
    assert [pair.difference for pair in found.pairs] == pytest.approx(expected["differences"], rel=1e-6)
    assert [pair.se for pair in found.pairs] == pytest.approx(expected["pair_se"], rel=1e-6)
    assert [pair.df for pair in found.pairs] == pytest.approx(expected["pair_df"], rel=1e-5)
    assert [pair.p for pair in found.pairs] == pytest.approx(expected["p_tukey"], rel=1e-5)
    if "p_holm" in expected:
        assert adjust_p([pair.p_raw for pair in found.pairs]).adjusted == pytest.approx(expected["p_holm"], rel=1e-5)
    # R's qtukey stops at an error of 1e-4.
    assert [pair.ci[0] for pair in found.pairs] == pytest.approx(expected["ci_tukey"][0], rel=1e-4)
    assert [pair.ci[1] for pair in found.pairs] == pytest.approx(expected["ci_tukey"][1], rel=1e-4)


def test_records_say_who_against_whom() -> None:
    found = fitted(CASES["slopes"]).about("clarity").marginal_means("system", confidence=0.9)
    records = found.records()
    assert [record["statistic"] for record in records] == ["marginal mean"] * 3 + ["difference"] * 3
    assert (records[3]["first"], records[3]["second"]) == ("A", "B")
    assert all(record["of"] == "clarity" and record["by"] == "system" and record["n"] == 231 for record in records)
    assert "confidence:0.9" in found.signature


def test_mean_over_an_empty_cell_is_undefined_and_says_so() -> None:
    case = CASES["empty_cell"]
    kept = [(s, c) != ("C", "expert") for s, c in zip(DATA["system"], DATA["cohort"], strict=True)]
    data = {name: [value for value, keep in zip(DATA[name], kept, strict=True) if keep] for name in DATA}
    model = mixed_model(
        data["y"],
        {name: data[name] for name in case["fixed"]},
        {name: data[name] for name in RANDOM},
        **case["settings"],
    )
    found = model.marginal_means("system")
    for mean in found.means[:2]:
        assert (mean.estimate, mean.df) == pytest.approx(tuple(case["emmeans_partly"][mean.name]), rel=1e-5)
    assert math.isnan(found.means[2].estimate)
    assert math.isnan(found.pairs[1].p)
    assert found.warnings == ("the mean of C is undefined: cells of the design are empty",)


def test_intervals_use_the_quantile_of_each_df() -> None:
    # Three means whose differences have different degrees of freedom: each half-width is q(.05, 3, df) / √2 · SE.
    fixed = {"system": list("abc")}
    grid = reference_grid(fixed, MixedFormula(), model_matrix(fixed))
    changes = np.array([np.diag([1.0, 0.2, 3.0])])
    inference = FixedInference(np.array([1.0, 2, 4]), np.diag([1.0, 0.5, 2]), changes, np.array([[0.3]]))
    found = marginal_means(grid, inference, "system", n=3)
    assert len({round(pair.df, 6) for pair in found.pairs}) == 3
    for pair in found.pairs:
        half = studentized_range_quantile(0.05, 3, pair.df) / math.sqrt(2) * pair.se
        assert pair.ci == pytest.approx((pair.difference - half, pair.difference + half), rel=1e-10)


def test_refuses_what_is_no_factor() -> None:
    model = fitted(CASES["covariate"])
    with pytest.raises(UsageError, match="not a factor"):
        model.marginal_means("length")
    with pytest.raises(UsageError, match="confidence"):
        model.marginal_means("system", confidence=95)
