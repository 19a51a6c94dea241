"""The bootstrap against R's boot on the same resamples, under change of scale, and where there is no interval."""

import json
import math
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import norm

from textassay.errors import DataError, UsageError
from textassay.seeds import Stream
from textassay.stats import Sums, anova, bootstrap
from textassay.stats.resampling.bootstrap import (
    acceleration_of,
    bca_interval,
    order_quantile,
    percentile_interval,
)
from textassay.stats.resampling.resamples import resample_counts

STORED = json.loads((Path(__file__).parents[2] / "golden" / "bootstrap.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", STORED["cases"], ids=[case["id"] for case in STORED["cases"]])
def test_equals_r_on_the_same_resamples(case):
    given_, expected, options = case["input"], case["expect"], case["settings"]
    # R was given these resamples; the stream must still draw them.
    weights = resample_counts(Stream(options["seed"], "bootstrap", 0), len(given_["weights"][0]), options["draws"])
    assert weights.tolist() == given_["weights"]
    result = bootstrap(given_["values"], given_["groups"], **options)
    assert (result.value, result.se, result.bias) == pytest.approx(
        (expected["value"], expected["se"], expected["bias"]), rel=1e-9
    )
    assert result.percentile == pytest.approx(expected["percentile"], rel=1e-9)
    assert result.bca == pytest.approx(expected["bca"], rel=1e-9)
    assert result.ci == result.bca


def test_standard_error_of_the_mean_is_that_of_theory():
    values = np.array([3.0, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8])
    result = bootstrap(values, None, draws=20_000)
    # σ/√n with divisor n; the bootstrap's own error at 20,000 draws is half a per cent.
    assert result.se == pytest.approx(values.std() / math.sqrt(12), rel=0.03)
    assert abs(result.bias) < 5 * result.se / math.sqrt(20_000)


def test_clusters_widen_the_interval_where_their_values_hang_together():
    draw = np.random.Generator(np.random.PCG64(5))
    participants = np.repeat(np.arange(30), 10)
    values = draw.normal(size=30)[participants] + 0.3 * draw.normal(size=300)
    plain = bootstrap(values, None)
    clustered = bootstrap(values, None, clusters=participants)
    assert clustered.se > 2 * plain.se
    assert (plain.units, clustered.units, clustered.n) == ((300,), (30,), 300)


def test_crossed_clusters_are_drawn_both():
    draw = np.random.Generator(np.random.PCG64(6))
    participants, items = np.repeat(np.arange(20), 15), np.tile(np.arange(15), 20)
    values = draw.normal(size=20)[participants] + draw.normal(size=15)[items] + draw.normal(size=300)
    both = bootstrap(values, None, clusters={"participant": participants, "item": items})
    ways = [bootstrap(values, None, clusters=column) for column in (participants, items)]
    # Variances of the two ways add up, with the error term once or twice.
    assert both.se**2 == pytest.approx(sum(way.se**2 for way in ways), rel=0.15)
    assert both.units == (20, 15)
    assert both.ci == both.percentile
    assert all(map(math.isnan, both.bca))
    assert both.settings["resampled"] == "participant × item"
    assert "not defined for crossed clusters" in both.warnings[-1]


def test_a_function_and_sums_of_ones_own():
    values = [2.0, 3, 5, 7, 11, 13, 17, 19, 23, 29]

    def mean_square(data, weights):
        return (weights @ data**2) / weights.sum(axis=1)

    plain = bootstrap(values, None, statistic=mean_square, seed=4)
    terms = np.stack([np.ones(10), np.array(values) ** 2], axis=1)
    quick = bootstrap(values, None, statistic=Sums(terms, lambda sums: sums[..., 1] / sums[..., 0]), seed=4)
    assert plain.ci == pytest.approx(quick.ci)
    assert plain.statistic == "mean_square"


def test_the_same_seed_gives_the_same_interval_and_another_one_another():
    values = np.arange(30.0)
    assert bootstrap(values, None, seed=1) == bootstrap(values, None, seed=1)
    assert bootstrap(values, None, seed=1).ci != bootstrap(values, None, seed=2).ci


@given(
    st.lists(st.integers(-50, 50), min_size=10, max_size=20),
    st.sampled_from(["mean", "median", "sd"]),
    st.integers(-30, 30),
    st.integers(1, 9),
)
def test_change_of_scale_carries_over(values, statistic, shift, scale):
    before = bootstrap(values, None, statistic=statistic, draws=99)
    after = bootstrap([scale * value + shift for value in values], None, statistic=statistic, draws=99)
    move = 0 if statistic == "sd" else shift
    for one, other in zip((before.value, *before.percentile), (after.value, *after.percentile), strict=True):
        assert other == pytest.approx(scale * one + move, abs=1e-6)


@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from("ab")), min_size=12, max_size=24), st.integers(1, 9))
def test_f_does_not_change_with_scale_and_names(data, scale):
    values, groups = zip(*data, strict=True)
    assume(not math.isnan(anova(values, groups).f))
    before = bootstrap(values, groups, statistic="f", draws=99)
    renamed = ["one" if group == "a" else "two" for group in groups]
    after = bootstrap([scale * value - 5 for value in values], renamed, statistic="f", draws=99)
    assert before.value == pytest.approx(anova(values, groups).f)
    assert after.percentile == pytest.approx(before.percentile, rel=1e-6, abs=1e-9)
    assert after.undefined == before.undefined


def test_resamples_without_a_group_are_counted_and_left_out():
    result = bootstrap([1, 2, 3, 4, 9], ["a", "a", "a", "a", "b"], statistic="difference", draws=200)
    assert 0 < result.undefined < 200  # each resample misses the one of b with probability .8⁵ = .33
    assert len(result.samples) == 200 - result.undefined
    assert f"undefined in {result.undefined} of 200 resamples" in result.warnings[0]
    assert any("too narrow" in warning for warning in result.warnings)


@pytest.mark.parametrize(
    ("values", "groups", "options", "reason"),
    [
        ([], None, {}, "the statistic is undefined"),
        ([1.0], None, {}, "at least 2 units to draw from, got 1 observations"),
        ([1, 2, 3], None, {"clusters": ["p", "p", "p"]}, "got 1 clusters"),
        ([1, 1, 2, 2], list("aabb"), {"statistic": "f"}, "the statistic is undefined"),
        ([[1, 1], [1, 2], [1, 3]], None, {"statistic": "pearson"}, "the statistic is undefined"),
    ],
)
def test_without_an_interval_it_is_nan_with_its_reason(values, groups, options, reason):
    result = bootstrap(values, groups, draws=50, **options)
    assert all(math.isnan(end) for end in (*result.ci, *result.bca, result.se))
    assert reason in result.warnings[0]
    assert result.records()


def test_constant_values_have_no_bca_interval():
    result = bootstrap([4.0] * 12, None, draws=50)
    assert result.ci == (4.0, 4.0)
    assert "the BCa interval is undefined here" in result.warnings[0]


@pytest.mark.parametrize(
    ("values", "groups", "options", "error", "message"),
    [
        ([1, math.nan], None, {}, DataError, r"1 missing or infinite value\(s\), the first at index 1"),
        ([1, math.inf], None, {}, DataError, "missing or infinite"),
        ([[[1]]], None, {}, DataError, "their shape is"),
        ([[1, 2]], None, {}, DataError, "'mean' needs values that are a plain list"),
        ([1, 2, 3], ["a", "b"], {"statistic": "f"}, DataError, "values has 3, groups has 2"),
        ([1, 2, 3], ["a", "b", "c"], {"statistic": "difference"}, DataError, "compares two groups; groups has 3"),
        ([1, 2], None, {"statistic": "f"}, UsageError, "pass their labels after the values"),
        ([1, 2], ["a", "b"], {}, UsageError, "groups is for the statistics difference, f, eta2"),
        ([1, 2], None, {"statistic": "mode"}, UsageError, "got 'mode'"),
        ([1, 2], None, {"draws": 0}, UsageError, "draws must be"),
        ([1, 2], None, {"confidence": 95}, UsageError, "confidence must lie"),
        ([1, 2], None, {"clusters": ["a"]}, DataError, "cluster has 1"),
        ([1, 2], None, {"statistic": lambda v, w: np.zeros((len(w), 2))}, UsageError, "one number per draw"),
    ],
)
def test_bad_input_is_refused(values, groups, options, error, message):
    with pytest.raises(error, match=message):
        bootstrap(values, groups, **options)


def test_a_thousand_f_ratios_take_little_time():
    draw = np.random.Generator(np.random.PCG64(1))
    participants, systems = np.repeat(np.arange(100), 80), np.tile(np.arange(8), 1000)
    values = draw.normal(size=8000)
    start = time.perf_counter()
    bootstrap(values, systems, statistic="f", clusters=participants, draws=1000)
    assert time.perf_counter() - start < 1.0  # about .02 s on a quiet machine


# --- Quantiles of draws, and the correction of percentiles for bias and acceleration --------------------------------


DRAWS = np.sort(np.random.Generator(np.random.PCG64(1)).gamma(2.0, size=999))


def test_whole_places_are_draws_and_those_between_are_on_the_normal_scale():
    ordered = np.array([1.0, 2.0, 4.0, 8.0])
    assert order_quantile(ordered, 0.4) == 2.0
    share = (norm.ppf(0.5) - norm.ppf(0.4)) / (norm.ppf(0.6) - norm.ppf(0.4))
    assert order_quantile(ordered, 0.5) == pytest.approx(2 + 2 * share)
    assert (order_quantile(ordered, 0.01), order_quantile(ordered, 0.99)) == (1.0, 8.0)


def test_without_bias_and_acceleration_bca_is_the_percentile_interval():
    median = float(np.median(DRAWS))  # 499 of 999 draws lie below it
    bca = bca_interval(DRAWS, median + 1e-12, 0.0, 0.9)
    assert bca == pytest.approx(percentile_interval(DRAWS, 0.9), rel=0.01)


def test_bca_by_hand():
    value, a = float(DRAWS[599]) + 1e-9, 0.05  # 600 of 999 draws lie below
    bias = norm.ppf(600 / 999)
    ends = [norm.cdf(bias + (bias + z) / (1 - a * (bias + z))) for z in norm.ppf([0.025, 0.975])]
    assert bca_interval(DRAWS, value, a, 0.95) == pytest.approx([order_quantile(DRAWS, end) for end in ends])


def test_intervals_that_cannot_be():
    assert all(map(math.isnan, bca_interval(DRAWS, -1.0, 0.1, 0.95)))
    assert all(map(math.isnan, bca_interval(DRAWS, 2.0, math.nan, 0.95)))
    assert all(map(math.isnan, percentile_interval(np.empty(0), 0.95)))


def test_acceleration_of_a_mean_is_a_sixth_of_the_skewness_over_root_n():
    x = np.array([1.0, 2.0, 2.5, 4.0, 9.0])
    left_out = (x.sum() - x) / 4
    centred = x - x.mean()
    assert acceleration_of(left_out) == pytest.approx((centred**3).sum() / (6 * (centred**2).sum() ** 1.5))
    assert math.isnan(acceleration_of(np.full(4, 0.1)))
    assert math.isnan(acceleration_of(np.array([1.0, math.nan])))
    assert math.isnan(acceleration_of(np.empty(0)))
