"""Conover's comparisons against R (least significant differences on ranks), and on data without a test."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import adjust_p, conover_friedman, conover_kruskal_wallis, friedman, two_sample_t

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
    with pytest.raises(DataError, match="unknown correction 'tukey'"):
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


def test_what_should_not_be_passed_is_refused():
    with pytest.raises(DataError, match="values has 3, group has 2"):
        conover_kruskal_wallis([1, 2, 3], ["a", "b"])
    with pytest.raises(DataError, match="missing or infinite"):
        conover_friedman([[1, math.inf], [2, 1]])
    with pytest.raises(UsageError, match="alpha"):
        conover_kruskal_wallis([1, 2, 3, 4], list("aabb"), alpha=0)
