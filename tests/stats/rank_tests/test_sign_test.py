"""The sign test against R and scipy, under change of order and scale, and on data without a test."""

import json
import math
from pathlib import Path

import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import sign_test
from textassay.stats.rank_tests.sign_test import sign_test_of

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "sign_test.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result, expected = sign_test(**case["input"], **case["settings"]), case["expect"]
    assert result.p == pytest.approx(expected["p"], rel=1e-12)
    assert result.share == pytest.approx(expected["share"], rel=1e-14)
    assert result.ci == pytest.approx(expected["ci"], rel=1e-10)


@given(st.integers(0, 300), st.integers(0, 300), st.sampled_from([0.9, 0.95, 0.99]))
def test_counts_equal_scipy(below, above, confidence):
    result = sign_test_of(below, 7, above, confidence=confidence)
    assert result.ties == 7
    if below + above:
        theirs = scipy.stats.binomtest(above, below + above)
        assert result.p == pytest.approx(theirs.pvalue, rel=1e-9)
        assert result.ci == pytest.approx(tuple(theirs.proportion_ci(confidence)), rel=1e-8, abs=1e-12)


@given(st.lists(st.integers(-5, 5), min_size=1), st.integers(1, 100), st.randoms(use_true_random=False))
def test_only_the_signs_count(values, scale, random):
    before = sign_test(values)
    after = sign_test([scale * value for value in random.sample(values, len(values))])
    mirrored = sign_test([-value for value in values], alternative="less")
    assert (after.below, after.ties, after.above) == (before.below, before.ties, before.above)
    assert after.p == pytest.approx(before.p, nan_ok=True)
    assert mirrored.p == pytest.approx(sign_test(values, alternative="greater").p, nan_ok=True)


def test_rounding_breaks_no_tie():
    values = [0.1 + 0.2 - 0.3, 1, -1, 2]
    assert sign_test(values).ties == 1
    assert sign_test(values, tolerance=0).ties == 0


@pytest.mark.parametrize("values", [[], [0, 0, 0], [1e-12, -1e-12]])
def test_undefined_is_nan_with_its_reason(values):
    result = sign_test(values)
    assert all(math.isnan(value) for value in (result.p, result.share, *result.ci))
    assert "all values are 0, or there are none" in result.warnings[0]
    assert result.ties == len(values)


@pytest.mark.parametrize("values", [[1, math.nan], [math.inf, 2], ["a"], [[1, 2]]])
def test_what_should_not_be_passed_is_refused(values):
    with pytest.raises(DataError, match="values"):
        sign_test(values)


def test_wrong_settings_are_refused():
    with pytest.raises(UsageError, match="confidence"):
        sign_test([1, 2], confidence=95)
    with pytest.raises(UsageError, match="alternative must be one of"):
        sign_test([1, 2], alternative="above")
    with pytest.raises(UsageError, match="tolerance must be 0 or more, got -1"):
        sign_test([1, 2], tolerance=-1)
    with pytest.raises(DataError, match="counts cannot be negative, got -1 below"):
        sign_test_of(-1, 0, 3)


def test_record_shows_the_counts():
    (record,) = sign_test([1, 1, -1, 0]).records()
    assert (record["n"], record["below"], record["ties"], record["above"]) == (3, 1, 1, 2)
