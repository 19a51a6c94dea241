"""Corrections of p against R's p.adjust, and what must hold for any p."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.stats import adjust_p

CASE = json.loads((Path(__file__).parents[1] / "golden" / "adjust_p.json").read_text(encoding="utf-8"))["cases"][0]
METHODS = sorted(CASE["expect"])
SOME_P = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@pytest.mark.parametrize("method", METHODS)
def test_equal_to_r(method: str) -> None:
    found = adjust_p(CASE["input"]["p"], method=method)
    assert found.adjusted == pytest.approx(CASE["expect"][method], abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
@given(p=SOME_P)
def test_never_smaller_never_above_one_and_in_the_same_order(method: str, p: list[float]) -> None:
    adjusted = adjust_p(p, method=method).adjusted
    assert all(before <= after + 1e-15 <= 1 + 1e-15 for before, after in zip(p, adjusted, strict=True))
    assert sorted(range(len(p)), key=lambda i: (p[i], i)) == sorted(range(len(p)), key=lambda i: (adjusted[i], p[i], i))


def test_undefined_p_are_not_counted() -> None:
    found = adjust_p([0.01, math.nan, 0.04])
    assert found.adjusted[0] == 0.02
    assert math.isnan(found.adjusted[1])
    assert found.warnings == ("1 comparisons have no p and are not counted",)


def test_nothing_to_correct() -> None:
    assert adjust_p([]).adjusted == ()


@pytest.mark.parametrize(
    ("p", "message"), [([0.5, 1.2], "the one at index 1 is 1.2"), (["a"], "numbers only"), ([[0.1]], "2 dimensions")]
)
def test_bad_input_is_refused(p: list, message: str) -> None:
    with pytest.raises(DataError, match=message):
        adjust_p(p)


def test_unknown_method_is_refused() -> None:
    with pytest.raises(DataError, match="there is no correction"):
        adjust_p([0.1], method="sidak")
