"""Logistic mixed models with crossed participants and items against R."""

from __future__ import annotations

import math

import pandas as pd
import pytest
from crossed_data import crossed_answers

from textassay.analysis.crossed_logistic import ODDS, crossed_logistic, odds_table


def answers() -> pd.DataFrame:
    frame = crossed_answers()
    return frame.assign(right=(frame["value"] > frame["value"].mean()) * 1.0)


def test_equals_r() -> None:
    # R 4.2.2, lme4 1.1.31: glmer(r ~ s + (1|p) + (1|i) + (1|i:s), d, binomial, bobyqa), r = y > mean(y); with (1|p:s),
    # whose standard deviation is .003, it does not converge there. R stops where -47.06854, a little below ours.
    found = crossed_logistic(answers(), "right", of="right")
    assert found.model is not None
    assert found.model.loglik == pytest.approx(-47.06854488, abs=1e-3)
    assert found.model.coefficient("system[b]").estimate == pytest.approx(0.59410252029, rel=5e-3)
    assert found.model.coefficient("system[c]").estimate == pytest.approx(1.41623043920, rel=5e-3)
    assert found.model.coefficient("system[c]").se == pytest.approx(0.77636614348, rel=2e-2)
    assert found.model.sd("item × system") == pytest.approx(0.6285313, rel=1e-2)
    said = "logistic mixed model: without random effects of participant × system: the rarer outcome has 35 cases only"
    assert found.warnings == (said,)  # 36 levels


def test_table_has_the_test_and_all_odds_ratios() -> None:
    found = crossed_logistic(answers(), "right", of="right")
    table = odds_table("odds", "Odds", [found], "Odds of right.")
    assert table.columns == ODDS
    assert [row[1] for row in table.rows] == ["all systems", "a / b", "a / c", "b / c"]
    assert found.model is not None
    assert found.pairs is not None
    ratio = 1 / math.exp(found.model.coefficient("system[c]").estimate)
    assert table.rows[2][2] == pytest.approx(ratio)
    assert table.rows[2][3] < ratio < table.rows[2][4]
    assert table.rows[0][5:] == (
        found.model.test("system").chi2,
        found.model.test("system").df,
        found.model.test("system").p,
    )


def test_counts_out_of_trials_equal_single_answers() -> None:
    """Three actions chosen or not are one row of 0 to 3 out of 3, or three rows: coefficients are the same."""
    counts = crossed_answers().assign(hits=lambda rows: rows["value"] % 4, offered=3)
    single = [
        {**row, "hit": 1.0 if place < row["hits"] else 0.0} for row in counts.to_dict("records") for place in range(3)
    ]
    one = crossed_logistic(counts, "hits", trials="offered", of="hits")
    three = crossed_logistic(pd.DataFrame(single), "hit", of="hits")
    assert one.model is not None
    assert three.model is not None
    assert one.model.estimates == pytest.approx(three.model.estimates, rel=1e-3)


def test_rows_without_trials_are_left_out() -> None:
    counts = crossed_answers().assign(hits=lambda rows: rows["value"] % 2, offered=1)
    counts.loc[counts["item"] == "i0", ["hits", "offered"]] = 0
    found = crossed_logistic(counts, "hits", trials="offered", of="hits")
    assert found.model is not None
    assert found.model.n == 60


def test_why_there_is_no_model() -> None:
    alike = crossed_logistic(answers().assign(right=1.0), "right", of="right")
    assert (alike.model, alike.rows) == (None, [])
    assert alike.warnings[0].startswith("no logistic mixed model: all 72 outcomes are successes")
    one = crossed_logistic(answers().assign(system="a"), "right", of="right")
    assert one.warnings == ("there is one system only, so nothing is compared",)
