"""The model of preference strength against R, Bradley–Terry and itself with the sides swapped."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import bradley_terry, ordinal_model, preference_strength

GOLDEN = Path(__file__).parents[2] / "golden" / "preference_strength.json"
CASES = json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"]
BY_ID = {case["id"]: case for case in CASES}


def fitted(case, **more):
    data = (case["input"][key] for key in ("strengths", "system_a", "system_b"))
    return preference_strength(*data, **{**case.get("settings", {}), **more})


@pytest.mark.parametrize("case", CASES, ids=list(BY_ID))
def test_equals_r(case):
    expected, model = case["expect"], fitted(case)
    relative = model.against(model.systems[0])
    mixed = bool(model.components)
    assert model.converged
    assert model.warnings == ()
    assert model.loglik == pytest.approx(expected["loglik"], rel=1e-6 if mixed else 1e-10)
    assert relative.values == pytest.approx(expected["against_first"], rel=2e-4 if mixed else 1e-8)
    if "se" in expected:
        assert relative.se == pytest.approx(expected["se"], rel=1e-8)
        assert model.chi2 == pytest.approx(2 * (expected["loglik"] - expected["null_loglik"]), rel=1e-8)
        assert [each.estimate for each in model.thresholds] == pytest.approx(expected["thresholds"], rel=1e-8)
    if "sd" in expected:
        assert model.components[0].sd == pytest.approx(expected["sd"], rel=2e-5)
    if "side" in expected:
        side = model.extra("left side")
        assert (side.value, side.se) == pytest.approx((expected["side"], expected["side_se"]), rel=1e-8)
        assert side.p == pytest.approx(expected["side_p"], rel=1e-7)


def draw(seed, n=120, tastes=0.7):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 4, n)
    b = (a + rng.integers(1, 4, n)) % 4
    person = np.arange(n) % 10
    taste = tastes * rng.normal(size=(10, 4))
    latent = 0.5 * (b - a) + taste[person, b] - taste[person, a] + rng.logistic(size=n)
    left = np.where(rng.random(n) < 0.5, a, b)
    return np.digitize(latent, [-2, -0.7, 0.7, 2]) - 2, a, b, person, left


@given(st.integers(0, 10**6))
@settings(max_examples=6)
def test_swapping_the_sides_of_some_rows_changes_nothing(seed):
    strengths, a, b, person, left = draw(seed)
    swap = np.random.default_rng(seed + 1).random(120) < 0.5
    swapped = (np.where(swap, -strengths, strengths), np.where(swap, b, a), np.where(swap, a, b))
    for more in ({}, {"left": left}, {"random": {"person": person}}):
        one, other = preference_strength(strengths, a, b, **more), preference_strength(*swapped, **more)
        assume(one.converged)
        assert other.loglik == pytest.approx(one.loglik, rel=1e-9)
        assert other.values == pytest.approx(one.values, rel=1e-5, abs=1e-7)
        assert other.se == pytest.approx(one.se, rel=1e-4)


def test_two_degrees_are_bradley_and_terry():
    strengths, a, b, _, _ = draw(4, tastes=0)
    decided = strengths != 0
    signs = np.sign(strengths[decided])
    model = preference_strength(signs, a[decided], b[decided])
    other = bradley_terry(a[decided], b[decided], -signs)
    assert model.values == pytest.approx(other.values, rel=1e-7)
    assert model.se == pytest.approx(other.se, rel=1e-6)
    assert model.loglik == pytest.approx(other.loglik, rel=1e-10)
    assert [pair.effect_size for pair in model.pairs] == pytest.approx([p.effect_size for p in other.pairs], rel=1e-7)
    assert [each.estimate for each in model.thresholds] == [0.0]


def test_a_winner_that_always_stands_on_the_same_side_is_data_as_any():
    # b over a twice, a over b once, always written with the winner as system_b: log(2/1).
    model = preference_strength([1, 1, 1], ["a", "b", "a"], ["b", "a", "b"])
    assert model.against("a").values == pytest.approx((0, math.log(2)))


def test_probabilities_of_a_pair_and_of_a_tie_make_one():
    strengths, a, b, _, _ = draw(5)
    model = preference_strength(strengths, a, b)
    cut = model.thresholds[2].estimate
    for pair in model.pairs:
        expected = 1 / (1 + math.exp(cut - pair.difference))
        assert pair.effect_size == pytest.approx(expected, rel=1e-9)
        other = 1 / (1 + math.exp(cut + pair.difference))
        assert pair.more["tie"] == pytest.approx(1 - expected - other, rel=1e-9)
        assert pair.effect_size_ci[0] < pair.effect_size < pair.effect_size_ci[1]


def test_two_systems_with_tastes_are_random_intercepts():
    # The difference of two tastes with variance τ² is one intercept with variance 2τ².
    case = BY_ID["two_systems_with_tastes"]
    model = fitted(case)
    other = ordinal_model(case["input"]["strengths"], {}, thresholds="symmetric", random=case["settings"]["random"])
    assert model.loglik == pytest.approx(other.loglik, rel=1e-8)
    assert model.components[0].sd * math.sqrt(2) == pytest.approx(other.sd("participant"), rel=1e-4)
    centre = (other.thresholds[0].estimate + other.thresholds[-1].estimate) / 2
    assert model.against("a").values[1] == pytest.approx(-centre, rel=1e-4)


def test_tastes_widen_the_standard_errors():
    strengths, a, b, person, _ = draw(6, n=300, tastes=1.2)
    plain, own = preference_strength(strengths, a, b), preference_strength(strengths, a, b, random={"person": person})
    assert own.components[0].sd == pytest.approx(1.2, abs=0.5)
    assert all(wide > narrow for wide, narrow in zip(own.se, plain.se, strict=True))
    assert own.chi2 < plain.chi2
    assert len(own.random_effects["person"]) == 10
    assert all(len(tastes) == 4 for tastes in own.random_effects["person"].values())


def test_empty_degrees_are_kept_if_their_mirror_image_was_used():
    a, b = ["x", "y"] * 6, ["y", "x"] * 6
    model = preference_strength([3, 1, 1, -1, 1, 3, -1, 1, 3, -1, 1, 1], a, b, levels=[-3, -2, -1, 0, 1, 2, 3])
    assert model.categories == ("-3", "-1", "1", "3")
    assert "categories -2, 0, 2 were never chosen" in model.warnings[0]


def test_systems_never_compared_with_each_other_are_said():
    model = preference_strength([1, -1, 2, -2], ["a", "a", "c", "c"], ["b", "b", "d", "d"])
    assert "{a, b} and {c, d}" in model.warnings[0]
    assert np.all(np.isnan(model.values))
    assert math.isnan(model.chi2)
    assert not model.converged


def test_separation_is_said():
    model = preference_strength([1, 1, 1, -1], ["a", "b", "a", "c"], ["b", "c", "b", "d"])
    assert "separated" in model.warnings[0]
    assert np.all(np.isnan(model.values))


def test_a_system_that_always_won_can_still_be_placed():
    # By strength alone: it won by 1, by 2 and by 3, so the distance is finite, unlike in Bradley and Terry's model.
    model = preference_strength([1, 2, 3, 1, 2, -1, 1, -2], list("aaaabbbb"), list("ccccaaaa"))
    assert model.converged
    assert np.all(np.isfinite(model.values))


def test_records_end_with_thresholds_and_spread():
    strengths, a, b, person, left = draw(8)
    model = preference_strength(strengths, a, b, left=left, random={"person": person}).about("fluency")
    names = [record["statistic"] for record in model.records()]
    assert names[-5:] == ["threshold"] * 4 + ["SD"]
    assert "left side" in names
    assert names.count("difference") == 6


S, A, B = [1, -1, 2, -2], ["a", "b", "c", "a"], ["b", "c", "a", "c"]


@pytest.mark.parametrize(
    ("strengths", "a", "b", "more", "error", "message"),
    [
        ([], [], [], {}, DataError, "no comparisons"),
        ([0, 0, 0, 0], A, B, {}, DataError, "all 4 strengths are 0"),
        ([1, math.nan, 2, -2], A, B, {}, DataError, "1 missing or infinite"),
        ([1, math.inf, 2, -2], A, B, {}, DataError, "index 1"),
        (S, A[:3], B, {}, DataError, "system_a has 3"),
        (S, [None, *A[1:]], B, {}, DataError, "1 missing label"),
        (S, B, B, {}, DataError, r"the same \(b\) at index 0"),
        (S, A, B, {"left": ["a", "b", "b", "a"]}, DataError, "at index 2 it is 'b', the systems are 'c' and 'a'"),
        (S, A, B, {"left": ["a"]}, DataError, "left has 1"),
        (S, A, B, {"levels": [-1, 0, 1, 2]}, DataError, "same on both sides"),
        (S, A, B, {"levels": [-1, 0, 1]}, DataError, "not on the scale"),
        (S, A, B, {"random": {"p": ["x"] * 4}}, DataError, "one level only"),
        (S, A, B, {"random": {"p": ["x"]}}, DataError, "p has 1"),
        (S, A, B, {"link": "cauchit"}, UsageError, "link must be one of"),
        (S, A, B, {"confidence": 0}, UsageError, "between 0 and 1"),
    ],
)
def test_refuses(strengths, a, b, more, error, message):
    with pytest.raises(error, match=message):
        preference_strength(strengths, a, b, **more)
