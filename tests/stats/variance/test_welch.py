"""Welch's and Brown and Forsythe's F, Games and Howell's pairs: R, identities, data without an F."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.stats import RobustAnova, anova, brown_forsythe, games_howell, tukey, welch_anova

GOLDEN = Path(__file__).parents[2] / "golden"
Test = Callable[..., RobustAnova]


def cases(name: str) -> list[dict[str, Any]]:
    stored: list[dict[str, Any]] = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["cases"]
    return stored


@pytest.mark.parametrize(
    ("function", "case"),
    [(function, case) for function in (welch_anova, brown_forsythe) for case in cases(function.__name__)],
)
def test_equals_r(function: Test, case: dict[str, Any]) -> None:
    result, expected = function(case["input"]["values"], case["input"]["groups"]), case["expect"]
    assert result.f == pytest.approx(expected["F"], rel=1e-10)
    assert result.df == pytest.approx(expected["df"], rel=1e-10)
    assert result.p == pytest.approx(expected["p"], rel=1e-9)


def test_games_howell_equals_r() -> None:
    (case,) = cases("games_howell")
    result = games_howell(case["input"]["values"], case["input"]["groups"])
    turned = result.pairs.turned()  # the known answers are second − first
    assert [pair.difference for pair in turned] == pytest.approx(case["expect"]["difference"], rel=1e-9)
    assert [pair.df for pair in result.pairs] == pytest.approx(case["expect"]["df"], rel=1e-10)
    assert result.p == pytest.approx(case["expect"]["p"], rel=1e-8)
    assert result.n_significant == 1
    assert result.letters == ("ab", "b", "a")
    for pair in result.pairs:
        assert (pair.ci[0] > 0 or pair.ci[1] < 0) == pair.significant


three_groups = st.lists(st.lists(st.integers(-20, 20), min_size=3, max_size=6), min_size=3, max_size=3)


@given(three_groups, st.integers(1, 4), st.integers(-9, 9))
def test_scale_and_order_of_groups_do_not_matter(groups: list[list[int]], scale: int, offset: int) -> None:
    assume(all(len(set(values)) > 1 for values in groups))
    flat = [value for values in groups for value in values]
    labels = [name for name, values in zip("abc", groups, strict=True) for _ in values]
    for function in (welch_anova, brown_forsythe):
        plain = function(flat, labels)
        moved = function([scale * value + offset for value in flat], [{"a": "z"}.get(name, name) for name in labels])
        assert (moved.f, moved.p) == pytest.approx((plain.f, plain.p), rel=1e-7, abs=1e-12)
    pairs = games_howell(flat, labels).pairs
    moved_pairs = games_howell([-value for value in flat], labels).pairs
    assert [-pair.difference for pair in moved_pairs] == pytest.approx([pair.difference for pair in pairs])
    assert [pair.p for pair in moved_pairs] == pytest.approx([pair.p for pair in pairs], rel=1e-7)


def test_groups_of_one_size_and_spread_give_the_plain_f_of_brown_and_forsythe() -> None:
    values, labels = [1, 2, 3, 4, 5, 6, 3, 4, 5], list("aaabbbccc")
    plain, robust = anova(values, labels), brown_forsythe(values, labels)
    assert robust.f == pytest.approx(plain.f)
    assert robust.df == pytest.approx((2, 6))
    # The pairs then differ from Tukey's by their degrees of freedom only: 4 for two groups of 3, not 6.
    mine, tukeys = games_howell(values, labels), tukey(values, labels)
    assert [pair.difference for pair in mine.pairs] == [pair.difference for pair in tukeys.pairs]
    assert all(one.p > other.p for one, other in zip(mine.pairs, tukeys.pairs, strict=True))


@pytest.mark.parametrize("function", [welch_anova, brown_forsythe])
@pytest.mark.parametrize(
    ("values", "labels", "reason"),
    [
        ([1, 2, 3], ["a", "a", "a"], "1 group"),
        ([], [], "0 group"),
        ([1, 2, 3], ["a", "a", "b"], "fewer for b"),
        ([1, 1, 3, 3], ["a", "a", "b", "b"], "the values of a, b do not vary"),
        ([0.3, 0.1 + 0.2, 3, 3], ["a", "a", "b", "b"], "the values of a, b do not vary"),
    ],
)
def test_undefined_has_its_reason(function: Test, values: list[float], labels: list[str], reason: str) -> None:
    result = function(values, labels)
    assert math.isnan(result.f)
    assert math.isnan(result.p)
    assert reason in result.warnings[0]


def test_one_group_that_does_not_vary_stops_welch_only() -> None:
    values, labels = [1, 1, 3, 4], ["a", "a", "b", "b"]
    assert "the values of a do not vary" in welch_anova(values, labels).warnings[0]  # its weight n/s² is infinite
    # Means 1 and 3.5 around 2.25: Σn(ȳ-ȳ..)² = 6.25; c = 0 and ½ · ½; df = c²/(c²/1).
    result = brown_forsythe(values, labels)
    assert (result.f, *result.df) == pytest.approx((25, 1, 1))


def test_pairs_that_cannot_be_tested_are_named() -> None:
    result = games_howell([1, 2, 5, 5, 7], ["a", "a", "b", "b", "c"])
    assert [math.isnan(pair.p) for pair in result.pairs] == [False, True, True]
    assert "a with c, b with c" in result.warnings[0]
    assert "0 groups" in games_howell([], []).warnings[0]


@pytest.mark.parametrize("function", [welch_anova, brown_forsythe, games_howell])
@pytest.mark.parametrize(
    ("values", "labels", "message"),
    [
        ([1, math.nan], ["a", "b"], "missing or infinite"),
        ([1, 2, 3], ["a", "b"], "lengths must be equal"),
        ([1, 2], ["a", None], "missing label"),
    ],
)
def test_what_should_not_be_passed_is_refused(
    function: Callable[..., object], values: list[float], labels: list[Any], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        function(values, labels)
