"""Mean squares and the six forms by hand."""

import numpy as np
import pytest

from textassay.stats.agreement.icc_forms import NO_SQUARES, MeanSquares, mean_squares, shrout_fleiss


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
