"""The sign test and Holm's correction, against what counting and calculating by hand give."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.tasks.preference.sign_test import sign_test


def test_p_counts_the_ways() -> None:
    # 9 of 10 above: (C(10,9) + C(10,10)) / 2¹⁰ on each side
    result = sign_test([1] * 9 + [-1] + [0] * 3)
    assert (result.below, result.ties, result.above) == (1, 3, 9)
    assert result.p == pytest.approx(2 * 11 / 1024)
    assert result.share == 0.9
    # Clopper & Pearson: low solves P(X ≥ 9 | low) = .025, high solves P(X ≤ 9 | high) = .025
    low, high = result.ci
    assert sum(math.comb(10, k) * low**k * (1 - low) ** (10 - k) for k in (9, 10)) == pytest.approx(0.025)
    assert high**10 == pytest.approx(0.975)


def test_rounding_does_not_break_ties() -> None:
    assert sign_test([0.1 + 0.2 - 0.3, 1.0]).ties == 1


def test_nothing_but_ties_is_undefined_and_says_so() -> None:
    result = sign_test([0, 0])
    assert math.isnan(result.p)
    assert math.isnan(result.share)
    assert result.warnings == ("the sign test is undefined: all values are 0, or there are none",)


def test_missing_value_is_refused() -> None:
    with pytest.raises(DataError):
        sign_test([1, math.nan])


@given(st.lists(st.integers(-3, 3), max_size=30))
def test_turning_the_signs_turns_the_result(values: list[int]) -> None:
    one, other = sign_test(values), sign_test([-value for value in values])
    assert (one.below, one.above) == (other.above, other.below)
    assert one.p == pytest.approx(other.p, nan_ok=True)
    assert one.share == pytest.approx(1 - other.share, nan_ok=True)
