"""The course of times over positions against R."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import lorch_myers, position_effects

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "position_effects.json").read_text(encoding="utf-8"))
CASE = GOLDEN["cases"][0]


def test_equals_r():
    found = position_effects(*(CASE["input"][key] for key in ("times", "participants", "positions")))
    expected = CASE["expect"]
    slope = found.slope
    assert (slope.estimate, found.t, slope.df, found.p) == pytest.approx(
        (expected["slope"], expected["t"], expected["df"], expected["p"]), rel=1e-9
    )
    assert slope.ci == pytest.approx(expected["ci"], rel=1e-9)
    assert found.means == pytest.approx(expected["means"], rel=1e-12)
    assert list(found.participants) == expected["n"]
    assert len(found.records()) == 1 + len(found.positions)


@given(st.integers(0, 10_000))
def test_slope_is_that_of_lorch_and_myers(seed):
    random = np.random.default_rng(seed)
    who, position, times = np.repeat([0, 1, 2], 5), np.tile(random.permutation(5), 3), random.normal(300, 40, 15)
    found, expected = position_effects(times, who, position), lorch_myers(times, who, {"x": position})["x"]
    assert (found.t, found.p) == pytest.approx((expected.statistic, expected.p))


def test_a_mean_is_the_mean_of_participants_means():
    # At position 1: a has 100 and 300 (mean 200), b has 400: (200 + 400)/2, not 800/3.
    found = position_effects([100, 300, 400, 250, 500], list("aabab"), [1, 1, 1, 2, 2])
    assert found.means == (300.0, 375.0)
    assert found.participants == (2, 2)


def test_one_position_has_no_slope():
    found = position_effects([1, 2, 3], ["a", "b", "b"], [1, 1, 1])
    assert math.isnan(found.t)
    assert "position does not vary (b)" in found.warnings[1]
    assert "the test of the slope is undefined" in found.warnings[-1]


@pytest.mark.parametrize(
    ("times", "positions", "settings", "error", "message"),
    [
        ([], [], {}, DataError, "there are no values"),
        ([1, 2], [1], {}, DataError, "position has 1"),
        ([1, 2], [1, math.nan], {}, DataError, "position has 1 missing or infinite"),
        ([1, 2], [1, 2], {"confidence": 2}, UsageError, "confidence must lie"),
    ],
)
def test_what_should_not_be_passed_is_refused(times, positions, settings, error, message):
    with pytest.raises(error, match=message):
        position_effects(times, ["a"] * len(times), positions, **settings)
