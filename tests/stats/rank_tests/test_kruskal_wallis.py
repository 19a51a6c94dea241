"""Kruskal and Wallis's H against R and scipy, under change of order and scale, and on data without a test."""

import json
import math
from pathlib import Path

import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.stats import anova, kruskal_wallis
from textassay.stats.distributions import chi2_upper

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "kruskal_wallis.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result, expected = kruskal_wallis(**case["input"]), case["expect"]
    assert result.df == expected["df"]
    assert result.h == pytest.approx(expected["H"], rel=1e-12)
    assert result.p == pytest.approx(expected["p"], rel=1e-11)
    assert result.epsilon2 == pytest.approx(expected["H"] / (len(case["input"]["values"]) - 1))


def test_by_hand():
    # Ranks 1 to 6 in pairs: 12/(6·7) · 2(1.5² + 3.5² + 5.5²) - 3·7 = 32/7.
    result = kruskal_wallis([10, 20, 30, 40, 50, 60], list("aabbcc"), factor="system")
    assert result.h == pytest.approx(32 / 7)
    assert result.p == pytest.approx(chi2_upper(32 / 7, 2))
    records = result.records()
    assert [record["by"] for record in records] == ["system", "system: a", "system: b", "system: c"]
    assert [record["value"] for record in records[1:]] == [1.5, 3.5, 5.5]


rows = st.lists(st.tuples(st.integers(-9, 9), st.sampled_from("abc")), min_size=5, max_size=30)


@given(rows)
def test_equals_scipy_and_anova_of_ranks(data):
    values, groups = zip(*data, strict=True)
    ours = kruskal_wallis(values, groups)
    if math.isnan(ours.h):
        return
    samples = [[value for value, group in data if group == name] for name in sorted(set(groups))]
    assert ours.h == pytest.approx(scipy.stats.kruskal(*samples).statistic, rel=1e-9, abs=1e-9)
    table = anova(scipy.stats.rankdata(values), groups)
    assert ours.epsilon2 == pytest.approx(table.eta2, abs=1e-12)  # the share of the spread of the ranks


@given(rows, st.integers(1, 9), st.integers(-50, 50), st.randoms(use_true_random=False))
def test_order_scale_and_names_do_not_matter(data, scale, shift, random):
    names = dict(zip("abc", random.sample(["x", "y", "z"], 3), strict=True))
    shuffled = random.sample(data, len(data))
    before = kruskal_wallis([value for value, _ in data], [group for _, group in data])
    after = kruskal_wallis([(scale * value + shift) ** 3 for value, _ in shuffled], [names[g] for _, g in shuffled])
    assert after.h == pytest.approx(before.h, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize(
    ("values", "groups", "reason"),
    [
        ([], [], "there are no values"),
        ([1, 2, 3], ["a", "a", "a"], "one group only (a)"),
        ([1, 2, 3], ["a", "b", "c"], "one value only"),
        ([4, 4, 4, 4], ["a", "a", "b", "b"], "all values are equal (4)"),
    ],
)
def test_undefined_is_nan_with_its_reason(values, groups, reason):
    result = kruskal_wallis(values, groups)
    assert math.isnan(result.h)
    assert math.isnan(result.p)
    assert reason in result.warnings[0]


@pytest.mark.parametrize(
    ("values", "groups", "message"),
    [
        ([1, 2], ["a"], "values has 2, group has 1"),
        ([1, math.nan], ["a", "b"], "values has 1 missing or infinite"),
        ([1, 2], ["a", None], "group has 1 missing label"),
    ],
)
def test_what_should_not_be_passed_is_refused(values, groups, message):
    with pytest.raises(DataError, match=message):
        kruskal_wallis(values, groups)
