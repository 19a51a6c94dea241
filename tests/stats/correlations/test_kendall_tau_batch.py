"""Very many tau at once against one at a time, with ties, large numbers and numbers close together."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from textassay.errors import DataError, UsageError
from textassay.stats import kendall_tau, kendall_tau_batch
from textassay.stats.correlations.kendall_tau_batch import _AT_ONCE

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "kendall_tau_batch.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result = kendall_tau_batch(**case["input"])
    assert result.tau.tolist() == pytest.approx(case["expect"]["tau"], rel=1e-13)


def one_by_one(x, y, variant):
    partners = np.broadcast_to(y, np.shape(x))
    return [kendall_tau(a, b, variant=variant, p="asymptotic").tau for a, b in zip(x, partners, strict=True)]


shapes = st.tuples(st.integers(1, 6), st.integers(2, 9))


@given(shapes.flatmap(lambda shape: st.tuples(*[arrays(float, shape, elements=st.integers(0, 4))] * 2)))
def test_equals_one_at_a_time(data):
    x, y = data
    for variant in ("a", "b", "c"):
        ours = kendall_tau_batch(x, y, variant=variant).tau.tolist()
        assert ours == pytest.approx(one_by_one(x, y, variant), nan_ok=True, abs=1e-13)
        same_partner = kendall_tau_batch(x, y[0], variant=variant).tau.tolist()
        assert same_partner == pytest.approx(one_by_one(x, y[0], variant), nan_ok=True, abs=1e-13)


@pytest.mark.parametrize(
    "base",
    [
        np.array([1.0, 1 + 1e-12, 1 + 2e-12, 1 - 1e-12]),  # tied in 32 bits, not in 64
        np.array([1e300, 2e300, 3e300, -1e300]),  # beyond 32 bits
        np.array([2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3]),  # whole numbers that no float tells apart
        np.array([1e-320, 2e-320, 0.0, 5e-320]),  # below 32 bits
    ],
)
def test_close_and_extreme_numbers_keep_their_order(base):
    places = np.array([[0, 1, 2, 3], [3, 2, 1, 0], [0, 0, 2, 2]])
    ranks = np.argsort(np.argsort(base))[places]
    expected = one_by_one(ranks, [1, 3, 2, 4], "b")
    assert kendall_tau_batch(base[places], [1, 3, 2, 4]).tau.tolist() == pytest.approx(expected)
    assert kendall_tau_batch(np.tile([1, 3, 2, 4], (3, 1)), base[places]).tau.tolist() == pytest.approx(expected)
    # One partner of all that only 64 bits tell apart.
    partner = base[[2, 0, 3, 1]]
    whole = np.argsort(np.argsort(base))[[2, 0, 3, 1]]
    assert kendall_tau_batch(places, partner).tau.tolist() == pytest.approx(one_by_one(places, whole, "b"))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, np.float16, np.float32])
def test_any_kind_of_number(dtype):
    x = np.array([[1, 2, 3, 3], [4, 1, 1, 2]], dtype=dtype)
    assert kendall_tau_batch(x, x[::-1]).tau.tolist() == pytest.approx(one_by_one(x, x[::-1], "b"))


def test_blocks_meet_without_a_seam():
    generator = np.random.Generator(np.random.PCG64(6))
    m, n = 2 * (_AT_ONCE // 130) + 17, 130  # two full blocks and a rest; more than 127 signs a sum
    x, y = generator.normal(size=(m, n)), generator.integers(0, 9, (m, n))
    some = np.r_[0:3, _AT_ONCE // 130 - 2 : _AT_ONCE // 130 + 2, m - 3 : m]
    ours = kendall_tau_batch(x, y).tau
    assert ours.shape == (m,)
    assert ours[some].tolist() == pytest.approx(one_by_one(x[some], y[some], "b"))


def test_constant_vectors_are_nan_and_counted():
    result = kendall_tau_batch([[1, 1, 1], [1, 2, 3], [3, 1, 2]], [1, 2, 3])
    assert math.isnan(result.tau[0])
    assert result.undefined == 1
    assert result.mean == pytest.approx((1 - 1 / 3) / 2)
    assert result.warnings == ("1 of 3 have no tau: one of the two vectors is constant",)
    assert math.isnan(kendall_tau_batch([[1, 2]], [[2, 2]], variant="a").tau[0])


def test_no_vectors_have_no_mean():
    result = kendall_tau_batch(np.empty((0, 5)), np.empty((0, 5)))
    assert result.tau.size == 0
    assert math.isnan(result.mean)


def test_result_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        kendall_tau_batch([[1, 2]], [1, 2]).tau[0] = 0


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1, 2, 3], [1, 2, 3], r"got \(3,\) and \(3,\)"),
        ([[1, 2, 3]], [[1, 2]], r"got \(1, 3\) and \(1, 2\)"),
        ([[1, 2, 3]], [1, 2], r"got \(1, 3\) and \(2,\)"),
        ([[1], [2]], [1], "at least 2 values, got 1"),
        ([[1, 2], [math.nan, 2]], [1, 2], r"x has a missing or infinite value \(nan\) in vector 1 at index 0"),
        ([[1, 2], [3, 2]], [math.inf, 2], r"y has a missing or infinite value \(inf\) in vector 0 at index 0"),
        ([["a", "b"]], [1, 2], "x must hold numbers only"),
    ],
)
def test_what_should_not_be_passed_is_refused(x, y, message):
    with pytest.raises(DataError, match=message):
        kendall_tau_batch(x, y)


def test_missing_value_in_a_late_block_is_found():
    x = np.tile(np.arange(4.0), (_AT_ONCE // 4 + 9, 1))
    x[-2, 3] = np.nan
    with pytest.raises(DataError, match=f"vector {len(x) - 2} at index 3"):
        kendall_tau_batch(x, np.arange(4))


def test_unknown_variant_is_refused():
    with pytest.raises(UsageError, match="variant must be one of a, b, c"):
        kendall_tau_batch([[1, 2]], [1, 2], variant="tau-b")
