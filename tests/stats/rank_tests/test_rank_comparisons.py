"""The form that comparisons of mean ranks share."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import adjust_p, conover_friedman, conover_kruskal_wallis, friedman, nemenyi, two_sample_t
from textassay.stats.rank_tests.rank_comparisons import rank_pairs


def test_pairs_carry_their_numbers_in_order():
    one, two, three, four = (np.array([1.0, 2.0, 3.0]) * scale for scale in (1, 10, 0.02, 0.01))
    pairs = rank_pairs(["a", "b", "c"], one, two, three, four, n=7, df=5)
    assert [(pair.first, pair.second) for pair in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [(pair.difference, pair.test_value, pair.p, pair.p_raw, pair.n, pair.df) for pair in pairs] == [
        (1.0, 10.0, 0.02, 0.01, 7, 5), (2.0, 20.0, 0.04, 0.02, 7, 5), (3.0, 30.0, 0.06, 0.03, 7, 5),
    ]  # fmt: skip


# --- Nemenyi's test against R's ptukey and Demšar's example, under change of order, and on data without a test ------


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


# --- Conover's comparisons against R (least significant differences on ranks), and on data without a test -----------


FOLDER = Path(__file__).parents[2] / "golden"
BLOCKS = json.loads((FOLDER / "conover_friedman.json").read_text("utf-8"))["cases"]
GROUPS = json.loads((FOLDER / "conover_kruskal_wallis.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", BLOCKS, ids=[case["id"] for case in BLOCKS])
def test_after_friedman_equals_r(case):
    result, expected = conover_friedman(case["input"]["ratings"]), case["expect"]
    assert result.df == expected["df"]
    assert [pair.test_value for pair in result.pairs.turned()] == pytest.approx(expected["t"], rel=1e-10, abs=1e-14)
    assert [pair.p_raw for pair in result.pairs] == pytest.approx(expected["p_uncorrected"], rel=1e-10, abs=0)
    assert result.p == pytest.approx(expected["p"], rel=1e-10, abs=0)


@pytest.mark.parametrize("case", GROUPS, ids=[case["id"] for case in GROUPS])
def test_after_kruskal_wallis_equals_r(case):
    result, expected = conover_kruskal_wallis(**case["input"]), case["expect"]
    assert [pair.p_raw for pair in result.pairs] == pytest.approx(expected["p_uncorrected"], rel=1e-10, abs=0)
    assert result.p == pytest.approx(expected["p"], rel=1e-10, abs=0)


def test_formula_of_the_book():
    # Conover (1999): √(2(nA - ΣR²) / ((n-1)(k-1))); ranks 1 2 3 / 1 3 2 / 1 2 3 / 1 2 3 have A = 56, sums 4, 9, 11.
    result = conover_friedman([[1, 2, 3], [1, 3, 2], [1, 2, 3], [1, 2, 3]])
    unit = math.sqrt(2 * (4 * 56 - (16 + 81 + 121)) / (3 * 2))
    assert [pair.test_value for pair in result.pairs] == pytest.approx([-5 / unit, -7 / unit, -2 / unit])


def test_other_corrections():
    ratings = BLOCKS[0]["input"]["ratings"]
    result = conover_friedman(ratings, correction="benjamini-hochberg")
    raw = [pair.p_raw for pair in result.pairs]
    assert result.p == pytest.approx(adjust_p(raw, method="benjamini-hochberg").adjusted)
    assert result.settings["correction"] == "benjamini-hochberg"
    with pytest.raises(DataError, match="there is no correction 'tukey'"):
        conover_friedman(ratings, correction="tukey")


def test_record_of_a_pair_has_its_degrees_of_freedom():
    record = conover_kruskal_wallis([1, 2, 3, 4], list("aabb"), factor="system").records()[0]
    assert (record["first"], record["second"], record["df"], record["by"]) == ("a", "b", 2, "system")


@given(st.lists(st.permutations([1, 2]), min_size=3, max_size=12).filter(lambda rows: len(set(map(tuple, rows))) > 1))
def test_two_treatments_give_the_f_form_of_friedman(table):
    result = conover_friedman(table)
    assert result.pairs[0].test_value ** 2 == pytest.approx(friedman(table).f, abs=1e-9)
    assert result.p[0] == pytest.approx(friedman(table).f_p, rel=1e-9)


@given(st.permutations(range(12)), st.integers(2, 9))
def test_two_groups_give_student_on_ranks(values, size):
    x, y = [value + 1 for value in values[:size]], [value + 1 for value in values[size:]]
    result = conover_kruskal_wallis(values, ["a"] * size + ["b"] * (12 - size))
    assert result.pairs[0].test_value == pytest.approx(two_sample_t(x, y, variances="equal").t, abs=1e-9)


rows = st.lists(st.tuples(st.integers(-9, 9), st.sampled_from("abc")), min_size=6, max_size=30)


@given(rows, st.integers(1, 9), st.integers(-50, 50), st.randoms(use_true_random=False))
def test_order_and_scale_do_not_matter(data, scale, shift, random):
    shuffled = random.sample(data, len(data))
    before = conover_kruskal_wallis([value for value, _ in data], [group for _, group in data])
    after = conover_kruskal_wallis([scale * value + shift for value, _ in shuffled], [group for _, group in shuffled])
    assert after.p == pytest.approx(before.p, nan_ok=True, rel=1e-9)


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([[1, 2, 3]], "at least 2 blocks"),
        ([[4, 4], [2, 2]], "all values are equal"),
        ([[1, 2, 3], [4, 5, 6]], "all blocks agree fully"),
    ],
)
def test_undefined_blocks(ratings, reason):
    result = conover_friedman(ratings)
    assert all(math.isnan(p) for p in result.p)
    assert reason in result.warnings[0]


@pytest.mark.parametrize(
    ("values", "groups", "reason"),
    [
        ([], [], "there are no values"),
        ([1, 2], ["a", "a"], "one group only"),
        ([3, 3, 3, 3], list("aabb"), "all values are equal"),
        ([1, 1, 2, 2], list("aabb"), "do not vary within the groups"),
        ([1, 2, 3], list("abc"), "one value only"),
    ],
)
def test_undefined_groups(values, groups, reason):
    result = conover_kruskal_wallis(values, groups)
    assert all(math.isnan(p) for p in result.p)
    assert reason in result.warnings[0]


def test_what_should_not_be_passed_is_refused_conover():
    with pytest.raises(DataError, match="values has 3, group has 2"):
        conover_kruskal_wallis([1, 2, 3], ["a", "b"])
    with pytest.raises(DataError, match="missing or infinite"):
        conover_friedman([[1, math.inf], [2, 1]])
    with pytest.raises(UsageError, match="alpha"):
        conover_kruskal_wallis([1, 2, 3, 4], list("aabb"), alpha=0)
