"""How many items and raters are needed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.meta.sample_size import needed_items, one_rater

VALUES = np.array([0.5, 0.1, 0.3, -0.2, 0.4, math.nan, 0.1])  # mean .2, SD .2530


def test_as_the_t_test_needs_it() -> None:
    """R: power.t.test(delta = .2, sd = sd(x), power = .8, type = "one.sample") gives n = 14.58."""
    found = needed_items(VALUES, 0.5, 4, raters=(4,))
    assert (found[0].mean, found[0].items) == (pytest.approx(0.2), 15)


def test_fewer_raters_need_more_items() -> None:
    """Four raters with a reliability of .5: one rater has .2, so that one alone reaches √(.2/.5) of the mean."""
    found = needed_items(VALUES, 0.5, 4, raters=(1, 4, math.inf))
    assert [each.mean for each in found] == pytest.approx([0.2 * math.sqrt(0.4), 0.2, 0.2 * math.sqrt(2)])
    assert [each.items for each in found] == [34, 15, 9]


def test_what_it_says_holds() -> None:
    """As many items as it asks for, drawn with that mean and spread, are significant in four of five cases."""
    items = needed_items(VALUES, 0.5, 4, raters=(4,))[0].items
    assert items == 15
    sd = np.nanstd(VALUES, ddof=1)
    drawn = np.random.default_rng(2).normal(0.2, sd, size=(4000, items))
    t = drawn.mean(axis=1) / (drawn.std(axis=1, ddof=1) / math.sqrt(items))
    assert np.mean(np.abs(t) > 2.1448) == pytest.approx(0.8, abs=0.03)  # t of 14 degrees of freedom


def test_limits() -> None:
    assert needed_items(np.array([0.1, -0.1, 0.0]), 0.5, 2)[0].items is None  # no mean at all
    assert needed_items(np.array([0.2, 0.2, 0.2]), 0.5, 2)[1].items == 2  # no spread
    assert needed_items(np.array([1.0, -1.0, 1e-6]), 0.5, 2)[0].items is None  # more than any study
    assert needed_items(VALUES, 0.0, 2)[0].items is None  # people do not agree: nothing can be told
    assert (one_rater(0.0, 3), one_rater(1.0, 3), one_rater(0.4, 1)) == (0, 1, 0.4)
    with pytest.raises(DataError, match="2 items have a value"):
        needed_items(np.array([1.0, 2.0, math.nan]), 0.5, 2)
    with pytest.raises(UsageError, match="power is 1"):
        needed_items(VALUES, 0.5, 2, power=1)
