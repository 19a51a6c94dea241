"""Two one-sided tests: R, the link with the interval, input that makes no test."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import equivalence

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "equivalence.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case: dict[str, Any]) -> None:
    data, expected = case["input"], case["expect"]
    result = equivalence(data["x"], data["y"], tuple(data["bounds"]), **case.get("settings", {}))
    assert result.t == pytest.approx(expected["t"], rel=1e-10)
    assert result.df == pytest.approx(expected["df"], rel=1e-10)
    assert result.p == pytest.approx(expected["p"], rel=1e-9)
    assert result.ci == pytest.approx(expected["ci"], rel=1e-10)
    assert result.equivalent


numbers = st.lists(st.integers(-20, 20), min_size=3, max_size=10)


@given(numbers, numbers, st.integers(1, 12), st.booleans())
def test_equivalent_if_and_only_if_the_interval_lies_within_the_bounds(
    x: list[int], y: list[int], bound: int, paired: bool
) -> None:
    if paired:
        x, y = x[: len(y)], y[: len(x)]
        assume(len({a - b for a, b in zip(x, y, strict=True)}) > 1)
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    result = equivalence(x, y, (-bound, bound), paired=paired)
    inside = -bound < result.ci[0] and result.ci[1] < bound
    assert result.equivalent == inside
    swapped = equivalence(y, x, (-bound, bound), paired=paired)
    assert swapped.p == pytest.approx(result.p, rel=1e-9)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([1, 1], [2, 2]),
        ([1], [2]),
        ([], []),
        ([0.1] * 3, [0.1] * 3),  # the mean of three times .1 is not .1
        ([0.3, 0.1 + 0.2], [0.7, 0.7]),
    ],
)
@pytest.mark.parametrize("paired", [True, False])
def test_undefined_has_its_reason(x: list[float], y: list[float], paired: bool) -> None:
    result = equivalence(x, y, (-1, 1), paired=paired)
    assert math.isnan(result.p)
    assert not result.equivalent
    assert "at least two values that vary" in result.warnings[0]


@pytest.mark.parametrize(
    ("x", "y", "bounds", "error", "message"),
    [
        ([1, 2], [1, 2], (1, -1), UsageError, "low < high"),
        ([1, 2], [1, 2, 3], (-1, 1), DataError, "lengths must be equal"),
        ([1, math.inf], [1, 2], (-1, 1), DataError, "missing or infinite"),
    ],
)
def test_what_should_not_be_passed_is_refused(
    x: list[float], y: list[float], bounds: tuple[float, float], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        equivalence(x, y, bounds, paired=True)
