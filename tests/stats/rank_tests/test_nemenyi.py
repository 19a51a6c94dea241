"""Nemenyi's test against R's ptukey and Demšar's example, under change of order, and on data without a test."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import friedman, nemenyi

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "nemenyi.json").read_text("utf-8"))["cases"]
AUC = [
    [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.9751, 0.975], [0.957, 0.978, 0.946, 0.970],
]  # fmt: skip
"""Four classifiers on 14 data sets: Demšar (2006), table 6, which prints .975 for the .9751 that it ranks higher."""


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result, expected = nemenyi(case["input"]["ratings"]), case["expect"]
    turned = result.pairs.turned()  # the known answers are second − first
    assert [pair.difference for pair in turned] == pytest.approx(expected["difference"], abs=1e-12)
    assert [pair.test_value for pair in turned] == pytest.approx(expected["q"], abs=1e-11)
    assert result.p == pytest.approx(expected["p"], abs=1e-8)  # R's ptukey is good to about 1e-9 here
    assert result.critical_difference == pytest.approx(expected["critical_difference"], rel=1e-6)  # qtukey stops early


def test_published_example():
    # The paper ranks from the best down: 3.143, 2.000, 2.893, 1.964; critical difference 1.25 at 5 % and 1.12 at 10 %.
    result = nemenyi(AUC)
    assert [round(5 - rank, 3) for rank in result.mean_ranks] == [3.143, 2.0, 2.893, 1.964]
    assert round(result.critical_difference, 2) == 1.25
    assert round(nemenyi(AUC, alpha=0.1).critical_difference, 2) == 1.12
    assert result.n_significant == 0
    # At 10 % C4.5 is worse than C4.5+m (1.143) and C4.5+m+cf (1.179), and no other pair differs.
    significant = [(pair.first, pair.second) for pair in nemenyi(AUC, alpha=0.1).pairs if pair.significant]
    assert significant == [("treatment 1", "treatment 2"), ("treatment 1", "treatment 4")]


def test_significant_is_beyond_the_critical_difference():
    result = nemenyi(GOLDEN[0]["input"]["ratings"], treatments=list("abcdefg"))
    for pair in result.pairs:
        assert pair.significant == (abs(pair.difference) > result.critical_difference)
    assert result.n_significant == 4
    assert len(result.letters) == 7
    assert not set(result.letters[2]) & set(result.letters[5])  # c and f differ
    assert "ties" in result.warnings[0]


def test_records_hold_pairs_then_count_then_critical_difference():
    shown = [record["statistic"] for record in nemenyi([[1, 2, 3], [1, 3, 2]]).records()]
    assert shown == ["difference"] * 3 + ["significant pairs", "critical difference"]


tables = st.lists(st.permutations([1, 2, 3, 4]), min_size=2, max_size=8)


@given(tables, st.randoms(use_true_random=False))
def test_order_of_blocks_and_treatments_does_not_matter(table, random):
    columns = random.sample(range(4), 4)
    changed = [[row[column] for column in columns] for row in random.sample(table, len(table))]
    assert sorted(nemenyi(changed).p) == pytest.approx(sorted(nemenyi(table).p), abs=1e-12)


@given(st.lists(st.permutations([1, 2]), min_size=2, max_size=12))
def test_two_treatments_are_friedman(table):
    # Two means with known variance: the studentized range is √2 |z|, and z² is Friedman's χ².
    assert nemenyi(table).p[0] == pytest.approx(friedman(table).p, rel=1e-9)


@pytest.mark.parametrize("ratings", [[[1, 2, 3]], [[4, 4], [2, 2]], [[1], [2]]])
def test_undefined_is_nan_with_its_reason(ratings):
    result = nemenyi(ratings)
    assert math.isnan(result.critical_difference)
    assert all(math.isnan(p) for p in result.p)
    assert result.n_significant == 0
    assert "cannot be compared" in result.warnings[0]


def test_what_should_not_be_passed_is_refused():
    with pytest.raises(DataError, match="block 2 × treatment 1"):
        nemenyi([[1, 2], [math.nan, 1]])
    with pytest.raises(UsageError, match="alpha must lie between 0 and 1"):
        nemenyi([[1, 2], [2, 1]], alpha=5)
