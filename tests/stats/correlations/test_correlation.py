"""Pearson and Spearman against R, published values, enumeration, invariances, and bad data."""

import json
import math
from collections import Counter
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import pearson, spearman
from textassay.stats.correlations.correlation import (
    EXACT_LIMIT,
    exact_p,
    null_counts,
    permutation_p,
    product_moment,
    read_pair,
    series_p,
    standardised,
)
from textassay.stats.distributions import correlation_upper

FOLDER = Path(__file__).parents[2] / "golden"
PEARSON = json.loads((FOLDER / "pearson.json").read_text(encoding="utf-8"))["cases"]
SPEARMAN = json.loads((FOLDER / "spearman.json").read_text(encoding="utf-8"))["cases"]
PAIRED = [case for case in PEARSON if "x" in case["input"]]
BOTH = pytest.mark.parametrize("correlate", [pearson, spearman])


@pytest.mark.parametrize("case", PAIRED, ids=[case["id"] for case in PAIRED])
def test_pearson_equals_r(case):
    result = pearson(**case["input"])
    expected = case["expect"]
    assert result.r == pytest.approx(expected["r"], rel=1e-13)
    assert result.p == pytest.approx(expected["p"], rel=1e-10)
    assert result.ci == pytest.approx(expected["ci"], rel=1e-12)
    assert (result.exact, result.df, result.warnings) == (False, len(case["input"]["x"]) - 2, ())


def test_published_p_follow_from_published_r():
    case = next(case for case in PEARSON if case["id"] == "c09_experiment_b")
    for r, p in zip(case["input"]["r"], case["expect"]["p"], strict=True):
        low, high = (correlation_upper(abs(r) + step, case["input"]["n"]) for step in (0.0005, -0.0005))
        assert low - 0.00005 <= p <= high + 0.00005


@pytest.mark.parametrize("case", SPEARMAN, ids=[case["id"] for case in SPEARMAN])
def test_spearman_equals_r(case):
    result = spearman(**case["input"])
    assert result.r == pytest.approx(case["expect"]["r"], rel=1e-13)
    assert result.p == pytest.approx(case["expect"]["p"], rel=1e-11)
    assert result.exact == case["expect"]["exact"]


def test_three_systems_show_one_third():
    systems, people = [0.31, 0.35, 0.62], [2.1, 2.9, 4.4]
    assert pearson(systems, people, p="permutation").p == pytest.approx(1 / 3)
    assert spearman(systems, people).p == pytest.approx(1 / 3)
    assert spearman(systems, people, p="permutation").p == pytest.approx(1 / 3)
    assert pearson(systems, people, p="permutation").settings["p"] == "exact permutation"


def test_spearman_interval_is_bonett_and_wright():
    # rho = 19/21, n = 8: artanh ± 1.959964 √((1 + rho²/2)/5), worked out by hand.
    x, y = [1.2, 3.4, 2.2, 5.1, 4.8, 0.7, 2.9, 3.9], [10, 14, 11, 15, 17, 9, 13, 12]
    rho = 19 / 21
    half = 1.959963984540054 * math.sqrt((1 + rho**2 / 2) / 5)
    expected = [math.tanh(math.atanh(rho) - half), math.tanh(math.atanh(rho) + half)]
    assert spearman(x, y).ci == pytest.approx(expected, rel=1e-12)


def test_ties_are_stated_and_the_exact_p_is_at_hand():
    result = spearman([1, 2, 2, 4], [1, 2, 3, 4])
    assert result.exact is False
    assert result.warnings[0] == "there are ties: p is the t approximation; p='permutation' gives the exact one"
    # Of 4! orders, 2 tie with the observed value (the tied pair swapped): 2 · 2/24.
    assert spearman([1, 2, 2, 4], [1, 2, 3, 4], p="permutation").p == pytest.approx(1 / 6)


def test_beyond_the_series_p_is_the_t_approximation():
    x = list(range(1300))
    y = [(value * 7919) % 1300 for value in x]
    assert spearman(x, y).settings["p"] == "t approximation"
    assert spearman(x[:1290], y[:1290]).settings["p"] == "Edgeworth series"


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([], [], "at least 2 pairs, got 0"),
        ([1], [2], "at least 2 pairs, got 1"),
        ([3, 3, 3], [1, 2, 3], "x is constant (always 3)"),
        ([1, 2, 3], [0.1, 0.1, 0.1], "y is constant (always 0.1)"),
    ],
)
@BOTH
def test_undefined_is_nan_with_its_reason(correlate, x, y, reason):
    result = correlate(x, y)
    assert math.isnan(result.r)
    assert math.isnan(result.p)
    assert math.isnan(result.ci[0])
    assert reason in result.warnings[0]


def test_two_and_three_pairs_say_what_they_cannot_give():
    two, three = pearson([1, 2], [5, 9]), pearson([1, 2, 3], [2, 4, 6])
    assert (two.r, three.r, three.p) == (1.0, 1.0, 0.0)
    assert math.isnan(two.p)
    assert two.warnings[0] == "p is undefined: Student's t needs at least 3 pairs, got 2"
    assert three.warnings == ("the interval is undefined: it needs at least 4 pairs, got 3",)
    assert spearman([1, 2], [5, 9]).p == 1.0  # both orders of two are as extreme


def test_perfect_and_almost_constant_data_are_flagged():
    assert "perfect" in pearson([1, 2, 3, 4], [2, 4, 6, 8]).warnings[0]
    almost = pearson([1.0, 1.0 + 1e-15, 1.0, 1.0], [1, 2, 3, 4])
    assert almost.warnings[0].startswith("x is almost constant")


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1, 2, 3], [1, 2], "x has 3, y has 2"),
        ([1, math.nan, 3], [1, 2, 3], "x has 1 missing or infinite"),
        ([1, 2, 3], [1, None, math.inf], "y has 2 missing or infinite"),
        ([math.nan] * 3, [1, 2, 3], "x has 3 missing or infinite value.s. of 3"),
        (["a", "b"], [1, 2], "x must hold numbers only"),
        ([[1, 2], [2, 1]], [1, 2], "x must be a plain list"),
    ],
)
@BOTH
def test_what_should_not_be_passed_is_refused(correlate, x, y, message):
    with pytest.raises(DataError, match=message):
        correlate(x, y)


@BOTH
def test_wrong_settings_are_refused(correlate):
    with pytest.raises(UsageError, match="p must be one of auto, t, permutation; got 'exactly'"):
        correlate([1, 2, 3], [1, 2, 3], p="exactly")
    with pytest.raises(UsageError, match="confidence must lie between 0 and 1"):
        correlate([1, 2, 3], [1, 2, 3], confidence=95)
    with pytest.raises(DataError, match="up to 9 pairs, got 10"):
        correlate(range(10), range(10), p="permutation")


pairs = st.lists(st.tuples(st.integers(-40, 40), st.integers(-40, 40)), min_size=3, max_size=25)


@given(pairs, st.integers(1, 30), st.integers(-100, 100), st.booleans())
@BOTH
def test_affine_change_keeps_the_size_and_mirrors_the_sign(correlate, data, scale, shift, negative):
    x, y = zip(*data, strict=True)
    before = correlate(x, y)
    assume(not math.isnan(before.r))
    factor = -scale if negative else scale
    after = correlate([factor * value + shift for value in x], y)
    assert after.r == pytest.approx(-before.r if negative else before.r, abs=1e-12)
    assert after.p == pytest.approx(before.p, rel=1e-6, abs=1e-12)


@given(pairs, st.randoms(use_true_random=False))
@BOTH
def test_order_of_pairs_and_of_variables_does_not_matter(correlate, data, random):
    shuffled = random.sample(data, len(data))
    before = correlate([x for x, _ in data], [y for _, y in data])
    after = correlate([y for _, y in shuffled], [x for x, _ in shuffled])
    assert after.r == pytest.approx(before.r, abs=1e-12, nan_ok=True)
    assert after.p == pytest.approx(before.p, rel=1e-6, abs=1e-12, nan_ok=True)


@given(pairs)
def test_spearman_sees_only_the_order(data):
    x, y = zip(*data, strict=True)
    before, after = spearman(x, y), spearman([value**3 for value in x], y)
    assert after.r == pytest.approx(before.r, nan_ok=True)
    assert after.p == pytest.approx(before.p, nan_ok=True)


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_very_small_and_very_large_numbers(scale):
    x, y = [1.0, 2.0, 4.0, 3.0], [1.0, 3.0, 2.0, 5.0]
    assert pearson([value * scale for value in x], y).r == pytest.approx(pearson(x, y).r, rel=1e-12)


def test_record_names_both_variables():
    (record,) = pearson([1, 2, 3, 4], [1, 3, 2, 4]).about("rouge-l", "clarity").records()
    assert (record["statistic"], record["of"], record["by"], record["n"]) == ("pearson", "rouge-l", "clarity", 4)
    assert record["exact"] is False


# --- The null distribution of Spearman's rho against full enumeration and against R's series ------------------------


@pytest.mark.parametrize("n", range(1, 8))
def test_counts_equal_enumeration(n):
    found = Counter(sum((i - j) ** 2 for i, j in enumerate(order)) for order in permutations(range(n)))
    assert null_counts(n).tolist() == [found[s] for s in range(0, (n**3 - n) // 3 + 1, 2)]


def test_counts_of_the_largest_are_complete_and_symmetric():
    counts = null_counts(EXACT_LIMIT)
    assert counts.sum() == math.factorial(EXACT_LIMIT)
    assert counts.tolist() == counts[::-1].tolist()


def test_counts_cannot_be_changed_by_who_got_them():
    with pytest.raises(ValueError, match="read-only"):
        null_counts(4)[0] = 5


@pytest.mark.parametrize(("n", "p"), [(2, 1.0), (3, 1 / 3), (4, 1 / 12), (5, 1 / 60), (12, 2 / math.factorial(12))])
def test_perfect_agreement_is_two_of_all_orders(n, p):
    largest = (n**3 - n) // 3
    assert exact_p(0, n) == p
    assert exact_p(largest, n) == p
    assert exact_p(largest // 4 * 2, n) <= 1.0


@pytest.mark.parametrize(
    ("n", "s", "p"),
    [  # R 4.2.2: set.seed(n); x <- rnorm(n); y <- x * .5 + rnorm(n); cor.test(x, ±y, method = "spearman")
        (10, 62, 0.0602489828244726),
        (12, 86, 0.0145393118705073),
        (13, 472, 0.324652305696781),
        (20, 2122, 0.00655512686406234),
        (50, 16672, 0.164584302524881),
        (200, 837810, 7.59677206956713e-08),
    ],
)
def test_series_equals_r(n, s, p):
    assert series_p(s, n) == pytest.approx(p, rel=1e-12)


@pytest.mark.parametrize("n", [9, 10, 11, 12])
def test_series_is_close_to_the_count_where_both_can_be_had(n):
    # An approximation: it agrees with the full count to a few thousandths, and less well in the far tail.
    for s in range(0, (n**3 - n) // 3 + 1, 2):
        if exact_p(s, n) > 0.01:
            assert series_p(s, n) == pytest.approx(exact_p(s, n), abs=0.004)


def test_series_never_goes_below_what_n_values_can_show():
    assert series_p(0, 15) == pytest.approx(2 / math.factorial(15))
    assert series_p((15**3 - 15) / 6, 15) == 1.0


# --- Two variables, checked and standardised ------------------------------------------------------------------------


def test_reason_is_told_where_there_is_no_correlation():
    assert read_pair([1, 2], [3, 4]).undefined == ""
    assert read_pair([1], [2]).undefined == "a correlation needs at least 2 pairs, got 1"
    assert read_pair([1, 2], [3, 3]).undefined == "y is constant (always 3), so there is no correlation"


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_standardised_has_mean_0_and_length_1(scale):
    values = standardised(np.array([1.0, 2.0, 4.0]) * scale)
    assert values.sum() == pytest.approx(0, abs=1e-15)
    assert values @ values == pytest.approx(1)


def test_perfect_is_exactly_one():
    x = np.array([0.1, 0.2, 0.7, 0.4])
    assert product_moment(x, 3 * x + 0.1) == 1.0
    assert product_moment(x, -x) == -1.0
    assert product_moment(x, np.array([0.1, 0.2, 0.7, 0.4000001])) < 1.0


# --- The permutation p of a correlation against a plain enumeration -------------------------------------------------


numbers = st.lists(st.integers(0, 6), min_size=5, max_size=5).filter(lambda values: len(set(values)) > 1)


@given(numbers, numbers)
def test_equals_plain_enumeration(x, y):
    x, y = np.array(x, dtype=float), np.array(y, dtype=float)
    observed = product_moment(x, y)
    all_r = [product_moment(np.array(order), y) for order in permutations(x.tolist())]
    tails = sum(r >= observed - 1e-9 for r in all_r), sum(r <= observed + 1e-9 for r in all_r)
    assert permutation_p(x, y) == min(1.0, 2 * min(tails) / math.factorial(5))


def test_nine_values():
    x = np.arange(9.0)
    assert permutation_p(x, x**2) == pytest.approx(2 / math.factorial(9))
    assert permutation_p(x, -(x**3)) == pytest.approx(2 / math.factorial(9))
