"""Intraclass correlations against R's psych, under changes, and on bad data."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import icc
from textassay.stats.agreement.icc import NO_SQUARES, MeanSquares, mean_squares, shrout_fleiss

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "icc.json").read_text(encoding="utf-8"))["cases"]

tables = st.integers(3, 6).flatmap(
    lambda items: st.lists(st.lists(st.integers(1, 7), min_size=items, max_size=items), min_size=2, max_size=5)
)


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result = icc(case["input"]["ratings"])
    expected = case["expect"]
    assert [form.name for form in result.forms] == expected["type"]
    assert [form.df for form in result.forms] == list(zip(expected["df1"], expected["df2"], strict=True))
    found = {
        "icc": [form.icc for form in result.forms],
        "F": [form.f for form in result.forms],
        "p": [form.p for form in result.forms],
        "lower": [form.ci[0] for form in result.forms],
        "upper": [form.ci[1] for form in result.forms],
    }
    for key, values in found.items():
        assert values == pytest.approx(expected[key], rel=1e-9), key


def test_published_figures():
    assert [round(x, 2) for x in icc(GOLDEN[0]["input"]["ratings"]).icc] == [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]


@given(tables, st.randoms(use_true_random=False), st.integers(1, 9), st.integers(-50, 50))
def test_order_unit_and_origin_do_not_matter(table, random, factor, shift):
    columns = random.sample(range(len(table[0])), len(table[0]))
    changed = [[factor * row[column] + shift for column in columns] for row in random.sample(table, len(table))]
    assert icc(changed).icc == pytest.approx(icc(table).icc, nan_ok=True, abs=1e-9)


@given(tables, st.lists(st.integers(-9, 9), min_size=5, max_size=5))
def test_consistency_ignores_how_high_each_rater_rates(table, shifts):
    moved = [[value + shift for value in row] for row, shift in zip(table, shifts, strict=False)]
    before, after = icc(table), icc(moved)
    for name in ("ICC3", "ICC3k"):
        assert after.form(name).icc == pytest.approx(before.form(name).icc, nan_ok=True, abs=1e-9)


@pytest.mark.parametrize(
    ("ratings", "values", "reason"),
    [
        ([[1, 2, 3]], [math.nan] * 6, "got 1 and 3"),
        ([[1], [2]], [math.nan] * 6, "got 2 and 1"),
        ([[], []], [math.nan] * 6, "got 2 and 0"),
        ([[3, 3], [3, 3]], [math.nan] * 6, "all ratings are equal (3)"),
        ([[1, 2, 3], [1, 2, 3]], [1] * 6, "all raters agree on every item"),
        # B = 1/6, J = 0, E = 1/2: the variance of the mean, B + (J-E)/3, is 0, and 1e-17 in floats.
        ([[1, 1, 2], [1, 2, 1]], [-1 / 3, -1, -0.5, -1, math.nan, -2], "do not differ enough: ICC2k"),
        ([[1, 2], [2, 1]], [-1, math.nan, -1, math.nan, math.nan, math.nan], "ICC2, ICC1k, ICC2k, ICC3k"),
    ],
)
def test_undefined_figures_have_their_reason(ratings, values, reason):
    result = icc(ratings)
    assert result.icc == pytest.approx(tuple(values), nan_ok=True)
    assert reason in result.warnings[-1]


def test_raters_one_apart_leave_no_error():
    result = icc([[1, 2, 3], [2, 3, 4]])
    assert result.form("ICC3").icc == 1
    assert math.isnan(result.form("ICC3").f)
    assert not math.isnan(result.form("ICC1").f)
    assert "ICC2 and ICC3 are undefined" in result.warnings[0]


def test_raters_who_contradict_each_other_get_figures_or_reasons():
    # R's psych::ICC gives -1, -2, -1 for these, NaN for the bounds of ICC2, and 1e30 and the like for the last three.
    opposed = icc([[1, 2, 3, 4], [4, 3, 2, 1]])
    assert opposed.icc == pytest.approx((-1, -2, -1, math.nan, math.nan, math.nan), nan_ok=True)
    assert all(math.isnan(end) for end in opposed.form("ICC2").ci)
    assert opposed.warnings[-1].endswith("more than by chance: ICC2")
    # Here it gives ICC2k the bounds 6.74 and .66, the lower from a division by a negative number.
    below = icc([[1, 4, 2, 5, 3], [4, 1, 5, 2, 3], [3, 3, 1, 4, 5]])
    assert below.form("ICC2").ci == pytest.approx((-0.6431902944, 0.3943233222))
    assert math.isnan(below.form("ICC2k").ci[0])
    assert below.form("ICC2k").ci[1] == pytest.approx(0.6613771202)
    assert below.warnings == ("bounds are undefined because raters disagree more than by chance: ICC2k",)


def test_rounding_is_no_error_term():
    # 0.1 + 0.2 is not 0.3 in floats; the raters still differ by the same amount.
    base = np.array([0.1, 0.7, 0.3, 1.1])
    assert math.isnan(icc([base, base + 0.2]).form("ICC3").f)


def test_bad_input_is_refused():
    with pytest.raises(DataError, match=r"the intraclass correlation needs every rater's value.*bob × t2"):
        icc([[1, 2], [2, None]], raters=["ann", "bob"], items=["t1", "t2"])
    with pytest.raises(DataError, match="rater 1 × item 1"):
        icc([[math.inf, 2], [2, 3]])
    with pytest.raises(DataError, match="shape"):
        icc([1, 2, 3])
    with pytest.raises(UsageError, match="confidence"):
        icc([[1, 2], [2, 3]], confidence=1)
    with pytest.raises(UsageError, match="no form 'ICC4'; did you mean 'ICC1'"):
        icc([[1, 2], [2, 3]]).form("ICC4")


# --- Mean squares and the six forms by hand -------------------------------------------------------------------------


def test_mean_squares_by_hand():
    # Items 1.5 2.5 3.5 4.5 over two raters one apart: B = 2·5/3, J = 8·.25, nothing left, W = 2/4.
    squares = mean_squares(np.array([[1.0, 2, 3, 4], [2, 3, 4, 5]]))
    assert squares == MeanSquares(pytest.approx(10 / 3), pytest.approx(2), 0.0, pytest.approx(0.5))


def test_forms_by_hand():
    # B = 10, J = 4, E = 2, W = 3, k = 3, n = 5: ICC1 7/16, ICC2 8 / (10 + 4 + 6/5), ICC3 8/14, k: 7/10, 8 / 10.4, 8/10.
    forms = shrout_fleiss(MeanSquares(10, 4, 2, 3), 3, 5, 0.025)
    assert [form.icc for form in forms] == pytest.approx([7 / 16, 8 / 15.2, 8 / 14, 0.7, 8 / 10.4, 0.8])
    assert [form.name for form in forms] == ["ICC1", "ICC2", "ICC3", "ICC1k", "ICC2k", "ICC3k"]
    assert {form.name: form.df for form in forms}["ICC1"] == (4, 10)
    assert all(form.ci[0] < form.icc < form.ci[1] for form in forms)


def test_forms_of_the_mean_step_up_those_of_one():
    # Spearman & Brown: k r / (1 + (k-1) r), for the values as for the bounds.
    forms = shrout_fleiss(MeanSquares(10, 4, 2, 3), 3, 5, 0.025)
    for single, mean in zip(forms[:3], forms[3:], strict=True):
        for one, many in zip((single.icc, *single.ci), (mean.icc, *mean.ci), strict=True):
            assert many == pytest.approx(3 * one / (1 + 2 * one))


def test_no_squares_no_forms():
    assert all(np.isnan(form.icc) and np.isnan(form.p) for form in shrout_fleiss(NO_SQUARES, 1, 0, 0.025))
