"""Friedman's test and its F form against R, scipy and a textbook, its identity with W, and data without a test."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.stats import friedman, kendall_w
from textassay.stats.rank_tests.friedman import read_blocks

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "friedman.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result, expected = friedman(case["input"]["ratings"]), case["expect"]
    assert (result.df, list(result.f_df)) == (expected["df"], expected["F_df"])
    assert (result.chi2, result.f) == pytest.approx((expected["chi2"], expected["F"]), rel=1e-12)
    assert (result.p, result.f_p) == pytest.approx((expected["p"], expected["F_p"]), rel=1e-10, abs=0)
    assert result.mean_ranks == pytest.approx(expected["mean_ranks"], rel=1e-13)
    assert result.warnings == ()


def test_by_hand():
    # Sums of ranks 3, 7, 8 about 6: 9 + 1 + 4 = 14; χ² = 12·14 / (3·3·4); F = 2χ² / (6 - χ²).
    result = friedman([[1, 2, 3], [1, 3, 2], [1, 2, 3]])
    assert (result.chi2, result.f) == pytest.approx((14 / 3, 7))


tables = st.integers(2, 6).flatmap(
    lambda items: st.lists(st.lists(st.integers(1, 5), min_size=items, max_size=items), min_size=2, max_size=6)
)


@given(tables)
def test_is_kendall_w_by_another_name(table):
    ours, w = friedman(table), kendall_w(table)
    assert ours.w == pytest.approx(w.w, nan_ok=True)
    assert (ours.chi2, ours.p) == pytest.approx((w.chi2, w.p), nan_ok=True)
    if not math.isnan(w.w) and w.w < 1:
        assert ours.f == pytest.approx((len(table) - 1) * w.w / (1 - w.w))


@given(tables.filter(lambda table: len(table[0]) > 2))
def test_equals_scipy(table):
    ours = friedman(table)
    if not math.isnan(ours.chi2):
        theirs = scipy.stats.friedmanchisquare(*np.array(table, dtype=float).T)
        assert ours.chi2 == pytest.approx(theirs.statistic, rel=1e-9, abs=1e-9)


@given(tables, st.randoms(use_true_random=False), st.integers(1, 9), st.integers(-9, 9))
def test_order_and_scale_of_blocks_do_not_matter(table, random, scale, shift):
    columns = random.sample(range(len(table[0])), len(table[0]))
    changed = [[scale * row[column] + shift for column in columns] for row in random.sample(table, len(table))]
    before, after = friedman(table), friedman(changed)
    assert (after.chi2, after.f_p) == pytest.approx((before.chi2, before.f_p), nan_ok=True)
    assert sorted(after.mean_ranks) == pytest.approx(sorted(before.mean_ranks), nan_ok=True)


def test_full_agreement_has_the_chance_of_it():
    # Three blocks show the order of the first with chance (1/3!)²; with two of three tied there are 3 orders: 1/3².
    for row, p in (([1, 2, 3], 1 / 36), ([1, 1, 2], 1 / 9)):
        result = friedman([row] * 3)
        assert result.f == math.inf
        assert result.f_p == pytest.approx(p)
        assert result.w == pytest.approx(1)
        assert "agree fully" in result.warnings[0]


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([[1, 2, 3]], "at least 2 blocks and 2 treatments are needed, got 1 and 3"),
        ([[1], [2]], "got 2 and 1"),
        (np.empty((0, 0)), "got 0 and 0"),
        ([[4, 4, 4], [2, 2, 2]], "in every block all values are equal"),
    ],
)
def test_undefined_is_nan_with_its_reason(ratings, reason):
    result = friedman(ratings)
    assert all(math.isnan(value) for value in (result.chi2, result.p, result.f, result.f_p, result.w))
    assert reason in result.warnings[0]


def test_missing_cells_are_refused_by_name():
    with pytest.raises(DataError, match="ann × b"):
        friedman([[1, math.nan], [2, 1]], blocks=["ann", "bob"], treatments=["a", "b"])
    with pytest.raises(DataError, match="numbers only"):
        friedman([[1, 2], [1, 2, 3]])


def test_records_name_the_treatments():
    records = friedman([[1, 2], [2, 1], [1, 2]], treatments=["a", "b"]).about("clarity", "System").records()
    assert [record["statistic"] for record in records] == ["chi2", "F", "mean rank", "mean rank"]
    assert [record["by"] for record in records] == ["System", "System", "a", "b"]


# --- The table that Friedman's test and its kin start from ----------------------------------------------------------


def test_ranks_sums_and_ties():
    # Ranks 1.5 1.5 3 / 3 1 2: sums 4.5, 2.5, 5; one pair tied: 2³ - 2.
    data = read_blocks([[1, 1, 5], [9, 2, 4]], treatments=["a", "b", "c"])
    assert data.mean_ranks.tolist() == [2.25, 1.25, 2.5]
    assert (data.n, data.k, data.ties, data.treatments) == (2, 3, 6.0, ("a", "b", "c"))


def test_concordance_is_kendall_w():
    table = [[3, 4, 5, 5, 2], [3, 3, 5, 4, 2], [4, 4, 5, 5, 1]]
    assert read_blocks(table).concordance == pytest.approx(kendall_w(table).w, rel=1e-14)


def test_flat_blocks_are_named():
    data = read_blocks([[1, 2], [3, 3], [2, 1]], blocks=["ann", "bob", "cy"])
    assert data.warnings == ("all values are equal, so they add nothing but ties, in bob",)
    assert not data.undefined


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[1, 2, 3]], "got 1 and 3"),
        ([[1], [2]], "got 2 and 1"),
        (np.empty((0, 3)), "got 0 and 3"),
        (np.empty((3, 0)), "got 3 and 0"),
        ([[2, 2], [3, 3]], "in every block all values are equal"),
    ],
)
def test_undefined_says_why(table, reason):
    assert reason in read_blocks(table).undefined


def test_bad_tables_are_refused():
    with pytest.raises(DataError, match=r"missing or infinite: bob × s1, bob × s3\."):
        read_blocks([[1, 2, 3], [None, 3, math.inf]], ["ann", "bob"], ["s1", "s2", "s3"])
    with pytest.raises(DataError, match=r"block 1 × treatment 1, .* and 4 more"):
        read_blocks(np.full((3, 3), math.nan))
    with pytest.raises(DataError, match=r"shape \(blocks, treatments\), got \(3,\)"):
        read_blocks([1, 2, 3])
    with pytest.raises(DataError, match="2 treatments in ratings but 1 names"):
        read_blocks([[1, 2], [2, 1]], treatments=["a"])
