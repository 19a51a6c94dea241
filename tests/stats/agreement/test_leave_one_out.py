"""Leave-one-out agreement against R, under changes, and on bad data."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import LongRatings, leave_one_out, pearson, spearman

FILE = Path(__file__).parents[2] / "golden" / "leave_one_out.json"
GOLDEN = json.loads(FILE.read_text(encoding="utf-8"))["cases"]

tables = st.integers(3, 6).flatmap(
    lambda items: st.lists(st.lists(st.integers(1, 7), min_size=items, max_size=items), min_size=2, max_size=5)
)


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result = leave_one_out(case["input"]["ratings"])
    expected = case["expect"]
    assert result.pearson == pytest.approx(tuple(expected["r"]), rel=1e-9)
    assert result.spearman == pytest.approx(tuple(expected["rho"]), rel=1e-9)
    for key in ("mean", "fisher_mean", "min", "max", "sd"):
        if key in expected:
            assert getattr(result.of_pearson, key) == pytest.approx(expected[key], rel=1e-9)
            assert getattr(result.of_spearman, key) == pytest.approx(expected[f"rho_{key}"], rel=1e-9)


@given(tables)
def test_two_raters_are_one_correlation(table):
    result = leave_one_out(table[:2])
    assert result.pearson == pytest.approx((pearson(*table[:2]).r,) * 2, nan_ok=True)
    assert result.spearman == pytest.approx((spearman(*table[:2]).r,) * 2, nan_ok=True)


@given(tables, st.randoms(use_true_random=False), st.sampled_from([0.1, 3.0]), st.sampled_from([-7.0, 0.3, 1e6]))
def test_order_unit_and_origin_do_not_matter(table, random, factor, shift):
    # Means of thirds and tenths round differently; ties must stay ties all the same.
    columns = random.sample(range(len(table[0])), len(table[0]))
    changed = [[factor * row[column] + shift for column in columns] for row in table]
    before, after = leave_one_out(table), leave_one_out(changed)
    if shift < 1e6:
        assert after.spearman == pytest.approx(before.spearman, nan_ok=True, abs=1e-9)
    assert after.pearson == pytest.approx(before.pearson, nan_ok=True, abs=1e-6)


def test_mean_is_of_those_who_rated_the_item():
    # The second rater shares three items with the third only: (2 4 9) against (1 2 4).
    nan = math.nan
    result = leave_one_out([[1, 2, nan, nan, nan], [nan, nan, 2, 4, 9], [nan, nan, 1, 2, 4]], raters=["a", "b", "c"])
    assert result.pearson[1] == pytest.approx(np.corrcoef([2, 4, 9], [1, 2, 4])[0, 1])
    assert result.shared == (0, 3, 3)
    assert math.isnan(result.pearson[0])
    assert result.warnings[0] == "1 rater(s) share fewer than 3 items with others and are excluded: a"
    assert result.of_pearson.n == 2


def test_rater_who_does_not_vary_is_left_out_by_name():
    result = leave_one_out([[1, 2, 3, 4], [1, 3, 2, 4], [5, 5, 5, 5]], raters=["ann", "bob", "cy"])
    assert math.isnan(result.pearson[2])
    assert result.of_pearson.n == 2
    assert result.warnings[0].endswith("do not vary: cy")


def test_perfect_agreement_has_no_fisher_mean():
    result = leave_one_out([[1, 2, 3], [1, 2, 3], [2, 3, 4]])
    assert result.of_pearson.mean == 1
    assert math.isnan(result.of_pearson.fisher_mean)
    assert "z is infinite" in result.warnings[0]


def test_nobody_varies():
    result = leave_one_out([[1, 1, 1], [2, 2, 2]])
    assert math.isnan(result.of_pearson.mean)
    assert result.of_pearson.n == 0
    assert "do not vary" in result.warnings[0]


@given(tables, st.randoms(use_true_random=False))
def test_long_form_gives_the_same(table, random):
    table[0][0] = math.nan
    cells = [(value, rater, item) for rater, row in enumerate(table) for item, value in enumerate(row)]
    random.shuffle(cells)
    values, raters, items = zip(*cells, strict=True)
    found = leave_one_out(LongRatings(values, [f"r{rater}" for rater in raters], items))
    expected = leave_one_out(table, raters=[f"r{rater}" for rater in range(len(table))])
    assert (found.raters, found.shared, found.settings) == (expected.raters, expected.shared, expected.settings)
    assert found.pearson == pytest.approx(expected.pearson, nan_ok=True)
    assert found.spearman == pytest.approx(expected.spearman, nan_ok=True)


def test_bad_input_is_refused():
    with pytest.raises(DataError, match="rater b has several values for unit 1; keep one"):
        leave_one_out(LongRatings([1, 2, 3], ["a", "b", "b"], [1, 1, 1]))
    with pytest.raises(DataError, match="values has 1 infinite value"):
        leave_one_out(LongRatings([1, math.inf], ["a", "b"], [1, 1]))
    with pytest.raises(DataError, match=r"leave-one-out agreement needs items.*\(3 values by 1 raters of 3 items\)"):
        leave_one_out([[1, 2, 3]])
    with pytest.raises(DataError, match="no two raters share one"):
        leave_one_out([[1, math.nan], [math.nan, 2]])
    with pytest.raises(DataError, match="no two raters share one"):
        leave_one_out(np.full((2, 3), math.nan))
    with pytest.raises(DataError, match="infinite value: rater 2 × item 1"):
        leave_one_out([[1, 2, 3], [math.inf, 2, 3]])
    with pytest.raises(DataError, match="shape"):
        leave_one_out([1, 2, 3])
    with pytest.raises(DataError, match="2 raters in ratings but 3 names"):
        leave_one_out([[1, 2, 3], [1, 2, 3]], raters=["a", "b", "c"])
    with pytest.raises(UsageError, match="least_shared must be 3 or more"):
        leave_one_out([[1, 2, 3], [1, 2, 3]], least_shared=2)
