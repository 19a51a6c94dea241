"""The mean with its t interval against R, under change of scale, and on data that have none."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import mean_interval

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "mean_interval.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result = mean_interval(case["input"]["values"], confidence=case["input"]["confidence"])
    expected = case["expect"]
    assert (result.mean, result.sd, result.se) == pytest.approx(
        (expected["mean"], expected["sd"], expected["se"]), rel=1e-13
    )
    assert result.ci == pytest.approx(expected["ci"], rel=1e-12)
    assert result.n == expected["n"]


@given(st.lists(st.integers(-100, 100), min_size=2, max_size=30), st.integers(-1000, 1000), st.integers(1, 20))
def test_affine_change_moves_the_interval_with_it(values, shift, scale):
    before = mean_interval(values)
    after = mean_interval([scale * value + shift for value in values])
    moved = [scale * end + shift for end in before.ci]
    assert after.ci == pytest.approx(moved, rel=1e-9, abs=1e-9)
    assert after.sd == pytest.approx(scale * before.sd, rel=1e-9)


@given(st.lists(st.integers(-100, 100), min_size=2, max_size=30))
def test_more_confidence_is_wider(values):
    narrow, wide = mean_interval(values, confidence=0.9), mean_interval(values, confidence=0.99)
    assert wide.ci[0] <= narrow.ci[0] <= narrow.mean <= narrow.ci[1] <= wide.ci[1]


def test_few_values():
    empty, single = mean_interval([]), mean_interval([4])
    assert math.isnan(empty.mean)
    assert empty.warnings == ("the mean is undefined: there are no values",)
    assert single.mean == 4.0
    assert all(math.isnan(value) for value in (single.sd, single.se, *single.ci))
    assert single.warnings == ("one value only: it has no interval",)


def test_constant_values_have_an_interval_without_width():
    result = mean_interval([0.1, 0.1, 0.1])
    assert (result.sd, result.se) == (0.0, 0.0)
    assert result.ci == (result.mean, result.mean)


def test_bad_input_is_refused():
    with pytest.raises(DataError, match="2 missing or infinite value"):
        mean_interval([None, math.nan, 1.0])
    with pytest.raises(UsageError, match="confidence must lie between 0 and 1"):
        mean_interval([1, 2, 3], confidence=95)
