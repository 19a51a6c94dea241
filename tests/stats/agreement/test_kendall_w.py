"""Kendall's W against R's irr and friedman.test, by hand, under change of order and scale, and on bad data."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import kendall_w, spearman

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "kendall_w.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result = kendall_w(case["input"]["ratings"], **case.get("settings", {}))
    expected = case["expect"]
    assert result.df == expected["df"]
    assert (result.w, result.chi2) == pytest.approx((expected["W"], expected["chi2"]), rel=1e-12)
    assert result.p == pytest.approx(expected["p"], rel=1e-10)
    assert result.mean_spearman == pytest.approx(expected["mean_spearman"], rel=1e-12)
    if "friedman_p" in expected:
        assert result.p == pytest.approx(expected["friedman_p"], rel=1e-10)
    if "F" in expected:
        assert (result.f, *result.f_df) == pytest.approx((expected["F"], *expected["F_df"]), rel=1e-12)
        assert result.f_p == pytest.approx(expected["F_p"], rel=1e-9)


def test_by_hand():
    # Ranks 1 2 3 / 1 2 3 / 3 2 1: sums 5 6 7, Σ(R-6)² = 2, W = 12·2 / (9·24).
    result = kendall_w([[1, 2, 3], [10, 20, 30], [3, 2, 1]])
    assert result.w == pytest.approx(1 / 9)
    assert (result.raters, result.items, result.df) == (3, 3, 2)


def test_two_raters_without_ties_are_spearman():
    # W = (rho + 1) / 2 for two raters.
    x, y = [3, 1, 4, 2, 5, 6], [2, 1, 6, 3, 4, 5]
    assert kendall_w([x, y]).w == pytest.approx((spearman(x, y).r + 1) / 2)


def test_without_ties_mean_spearman_follows_from_w():
    # (m W - 1) / (m - 1) with W = .8 of four raters.
    ratings = GOLDEN[0]["input"]["ratings"]
    assert kendall_w(ratings).mean_spearman == pytest.approx((4 * 0.8 - 1) / 3)


def test_f_is_undefined_where_nothing_is_left_to_measure_it_by():
    full = kendall_w([[1, 2, 3], [1, 2, 3]])
    assert full.w == 1
    assert math.isnan(full.f)
    assert math.isnan(full.f_p)
    assert "agree fully" in full.warnings[0]
    small = kendall_w([[1, 2], [2, 1]])
    assert math.isnan(small.f)
    assert "no degrees of freedom" in small.warnings[0]


def test_mean_spearman_is_over_raters_who_vary():
    result = kendall_w([[1, 2, 3], [1, 3, 2], [4, 4, 4]])
    assert result.mean_spearman == pytest.approx(0.5)
    alone = kendall_w([[1, 2, 3], [4, 4, 4]])
    assert math.isnan(alone.mean_spearman)
    assert "rho is undefined" in alone.warnings[1]


@given(st.integers(3, 6).flatmap(lambda n: st.lists(st.permutations(range(n)), min_size=2, max_size=5)))
def test_without_ties_the_correction_changes_nothing(table):
    assert kendall_w(table).w == pytest.approx(kendall_w(table, ties="uncorrected").w)


tables = st.integers(2, 6).flatmap(
    lambda items: st.lists(st.lists(st.integers(1, 5), min_size=items, max_size=items), min_size=2, max_size=6)
)


@given(tables, st.randoms(use_true_random=False))
def test_order_of_raters_and_items_does_not_matter(table, random):
    columns = random.sample(range(len(table[0])), len(table[0]))
    shuffled = [[row[column] for column in columns] for row in random.sample(table, len(table))]
    assert kendall_w(shuffled).w == pytest.approx(kendall_w(table).w, nan_ok=True)


@given(tables, st.lists(st.tuples(st.integers(1, 9), st.integers(-50, 50)), min_size=6, max_size=6))
def test_each_rater_may_use_the_scale_differently(table, changes):
    changed = [[scale * value + shift for value in row] for row, (scale, shift) in zip(table, changes, strict=False)]
    assert kendall_w(changed).w == pytest.approx(kendall_w(table).w, nan_ok=True)


@given(tables)
def test_lies_between_0_and_1_and_copies_agree_fully(table):
    w = kendall_w(table).w
    assert math.isnan(w) or -1e-12 <= w <= 1 + 1e-12
    copies = kendall_w([table[0]] * 3).w
    assert math.isnan(copies) if len(set(table[0])) == 1 else copies == pytest.approx(1)


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([[1, 2, 3]], "at least 2 raters and 2 items, got 1 and 3"),
        ([[1], [2]], "got 2 and 1"),
        (np.empty((0, 3)), "got 0 and 3"),
        (np.empty((3, 0)), "got 3 and 0"),
        ([[4, 4, 4], [2, 2, 2]], "every rater gave all items the same value"),
    ],
)
def test_undefined_w_is_nan_with_its_reason(ratings, reason):
    result = kendall_w(ratings)
    assert math.isnan(result.w)
    assert math.isnan(result.p)
    assert reason in result.warnings[0]


def test_rater_without_an_opinion_is_named():
    result = kendall_w([[1, 2, 3], [1, 3, 2], [4, 4, 4]], raters=["ann", "bob", "cy"])
    assert "cy" in result.warnings[0]
    assert "bob" not in result.warnings[0]


def test_missing_cells_are_refused_by_name():
    with pytest.raises(DataError, match=r"missing or infinite: bob × s1, bob × s3\.") as caught:
        kendall_w([[1, 2, 3], [None, 3, math.inf]], raters=["ann", "bob"], items=["s1", "s2", "s3"])
    assert "more" not in str(caught.value)
    with pytest.raises(DataError, match=r"rater 1 × item 1, .* and 4 more"):
        kendall_w(np.full((3, 3), math.nan))


def test_unknown_word_for_ties_is_refused():
    with pytest.raises(UsageError, match="corrected, uncorrected; got 'none'"):
        kendall_w([[1, 2], [2, 1]], ties="none")


def test_bad_shapes_are_refused():
    with pytest.raises(DataError, match=r"shape \(raters, items\), got \(3,\)"):
        kendall_w([1, 2, 3])
    with pytest.raises(DataError, match="numbers only"):
        kendall_w([[1, 2], [1, 2, 3]])
    with pytest.raises(DataError, match="2 raters in ratings but 1 names"):
        kendall_w([[1, 2], [2, 1]], raters=["ann"])
