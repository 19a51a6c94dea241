"""Times on the logarithmic scale."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.stats import log_times

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "log_times.json").read_text(encoding="utf-8"))
CASE = GOLDEN["cases"][0]


def test_equals_r():
    found = log_times(CASE["input"]["times"])
    expected = CASE["expect"]
    assert found.values == pytest.approx(expected["values"], rel=1e-12)
    assert (found.mean, found.sd, found.geometric_mean) == pytest.approx(
        (expected["mean"], expected["sd"], expected["geometric_mean"]), rel=1e-12
    )
    assert found.warnings == ()


@given(st.lists(st.floats(1, 1e5), min_size=1, max_size=20), st.floats(0.01, 100))
def test_a_factor_of_the_times_moves_the_logarithms(times, factor):
    before, after = log_times(times), log_times([factor * time for time in times])
    assert after.mean == pytest.approx(before.mean + math.log(factor), abs=1e-9)
    assert after.geometric_mean == pytest.approx(factor * before.geometric_mean)


def test_times_without_a_logarithm_are_nan_and_counted():
    found = log_times([100, 0, -5])
    assert [math.isnan(value) for value in found.values] == [False, True, True]
    assert found.warnings == ("2 of 3 times are 0 or less and have no logarithm",)
    assert found.n == 1
    assert math.isnan(found.sd)


def test_no_times_have_no_mean():
    assert math.isnan(log_times([]).mean)
    assert "there are no times above 0" in log_times([0]).warnings[-1]


@pytest.mark.parametrize("times", [[1, math.nan], [math.inf], ["fast"], [[1, 2]]])
def test_what_is_no_time_is_refused(times):
    with pytest.raises(DataError, match="times"):
        log_times(times)
