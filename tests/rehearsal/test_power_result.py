from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from textassay.rehearsal.power_result import PowerEstimate, PowerResult, enough, wilson
from textassay.results import RECORD_KEYS
from textassay.tasks.samples import Assumption

SOME = PowerEstimate("clarity", 20, 10, 10, 0.5, null=False, runs=100, significant=81, undefined=0)


def of(*estimates: PowerEstimate) -> PowerResult:
    assumptions = (
        Assumption("effect", 0.5, "points", "best less worst", null=0),
        Assumption("noise_sd", 1, "points", "rest"),
    )
    return PowerResult(
        method="power by simulation",
        block="quality",
        estimates=estimates,
        assumptions=assumptions,
        alpha=0.05,
        confidence=0.95,
    )


@given(st.integers(1, 2000), st.data(), st.sampled_from([0.9, 0.95, 0.999]))
def test_interval_is_that_of_scipy(n: int, data: st.DataObject, confidence: float) -> None:
    successes = data.draw(st.integers(0, n))
    theirs = binomtest(successes, n).proportion_ci(confidence, method="wilson")
    assert wilson(successes, n, confidence) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_records_have_the_stable_keys_and_the_numbers_asked_for() -> None:
    null = replace(SOME, effect=0.0, null=True, significant=4)
    power, error = of(SOME, null).records()
    assert tuple(power)[: len(RECORD_KEYS)] == RECORD_KEYS
    assert (power["statistic"], power["value"], power["n"]) == ("power", 0.81, 100)
    # R 4.2.2: prop.test(81, 100, correct = FALSE)$conf.int
    assert power["ci"] == pytest.approx((0.722211546, 0.874852485), abs=1e-8)
    assert (power["participants"], power["items"], power["effect"], power["unit"]) == (20, 10, 0.5, "points")
    assert (error["statistic"], error["value"]) == ("type I error", 0.04)


def test_nothing_defined_is_undefined_and_not_nothing() -> None:
    (record,) = of(replace(SOME, significant=0, undefined=100)).records()
    assert math.isnan(record["value"])
    assert all(map(math.isnan, record["ci"]))
    (partly,) = of(replace(SOME, significant=10, undefined=50)).records()
    assert partly["value"] == 0.1  # runs without a p are not significant
    assert partly["undefined"] == 50


def test_tables_are_for_people() -> None:
    null = replace(SOME, effect=0.0, null=True, significant=4)
    power, fewest, assumed = of(SOME, replace(SOME, participants=10, significant=40), null).analysis().tables
    assert power.rows[0][:7] == ("clarity", 20, 10, 10, "0.5", 100, 0.81)
    assert power.rows[2][4] == "0 (none: false positives)"
    assert "best less worst, in points" in power.note
    assert fewest.rows == (("clarity", "0.5", 20, 10, 200, 0.81),)
    assert assumed.rows == (("noise_sd", 1, "points", "rest"),)
    assert [table.name for table in of(null).analysis().tables] == ["power", "assumed"]


def test_fewest_trials_that_suffice_are_named_for_each_criterion_and_effect() -> None:
    tried = [
        replace(SOME, participants=40, items=10, trials=10),
        replace(SOME, participants=10, items=30, trials=30),
        replace(SOME, participants=10, items=10, trials=10, significant=79),
        replace(SOME, of="fluency", significant=20),
        replace(SOME, effect=0.0, null=True, significant=99),
    ]
    found = enough(tried)
    assert found.rows == (("clarity", "0.5", 10, 30, 300, 0.81), ("fluency", "0.5", None, None, None, None))
    assert "none of the numbers tried reaches it" in found.note
    assert "none" not in enough(tried[:2]).note


def test_fewest_trials_may_need_more_participants() -> None:
    tried = [replace(SOME, participants=30, items=10, trials=10), replace(SOME, participants=20, items=30, trials=30)]
    assert enough(tried).rows == (("clarity", "0.5", 30, 10, 300, 0.81),)
