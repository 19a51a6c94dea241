"""Comparisons of pairs: one sign, one name for each p, and one place in which a comparison is turned."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import UsageError
from textassay.pairwise import Better, PairwiseComparison, PairwiseComparisons
from textassay.results import RECORD_KEYS
from textassay.stats import conover_friedman, games_howell, nemenyi, tukey

AB = PairwiseComparison(
    first="a", second="b", difference=2.0, ci=(0.5, 3.5), p=0.04, p_raw=0.01, n=9, se=0.5, test_value=4.0, df=7,
    effect_size=0.8, effect_size_ci=(0.2, 1.4), more={"tie": 0.1},
)  # fmt: skip
AC = PairwiseComparison(first="a", second="c", difference=0.0, ci=(-1.0, 1.0), p=1.0, p_raw=1.0, n=8)
BC = PairwiseComparison(first="b", second="c", difference=math.nan, p=math.nan, p_raw=math.nan, n=0)


def compared(better: Better = "higher", **more: float) -> PairwiseComparisons:
    return PairwiseComparisons(
        method="t tests", settings={"tails": 2}, pairs=(AB, AC, BC), of="clarity", by="system", better=better,
        adjustment="Holm", interval="single", test="t", effect_size="Cohen's d", **more,
    )  # fmt: skip


def test_turning_changes_names_difference_test_interval_and_effect_together() -> None:
    turned = AB.turned()
    assert (turned.first, turned.second, turned.difference, turned.ci) == ("b", "a", -2.0, (-3.5, -0.5))
    assert (turned.test_value, turned.effect_size, turned.effect_size_ci) == (-4.0, -0.8, (-1.4, -0.2))
    # What has no direction stays.
    assert (turned.p, turned.p_raw, turned.n, turned.se, turned.df, turned.more) == (0.04, 0.01, 9, 0.5, 7, AB.more)


def test_a_share_is_turned_about_one_half() -> None:
    share = replace(AB, effect_size=0.7, effect_size_ci=(0.6, 0.9), no_effect=0.5).turned()
    assert share.effect_size == pytest.approx(0.3)
    assert share.effect_size_ci == pytest.approx((0.1, 0.4))
    # With ties of 0.2 the two shares add up to 0.8; the interval of the other share is no mirror image.
    tied = replace(AB, effect_size=0.7, effect_size_ci=(0.6, 0.9), no_effect=0.4).turned()
    assert tied.effect_size == pytest.approx(0.1)
    assert all(map(math.isnan, tied.effect_size_ci))


@given(st.floats(-9, 9), st.floats(0, 3), st.floats(-2, 2))
def test_turning_twice_changes_nothing(difference: float, half: float, effect: float) -> None:
    pair = replace(AB, difference=difference, ci=(difference - half, difference + half), effect_size=effect)
    again = pair.turned().turned()
    assert (again.first, again.difference, again.ci, again.effect_size) == (
        pair.first, difference, pair.ci, effect,
    )  # fmt: skip


def test_lookup_by_names_in_either_order() -> None:
    found = compared()
    assert found["a", "b"].difference == 2.0
    assert found["b", "a"].difference == -2.0
    assert found["b", "a"].first == "b"
    assert found.get("a", "z") is None
    assert (len(found), found[1].second, [pair.first for pair in found], found[:1]) == (
        3, "c", ["a", "a", "b"], found.pairs[:1],
    )  # fmt: skip
    assert found.names == ("a", "b", "c")
    with pytest.raises(UsageError, match="'a' and 'z' were not compared; compared were a, b, c"):
        found["a", "z"]


@pytest.mark.parametrize(("better", "favoured"), [("higher", "a"), ("lower", "b"), ("none", "")])
def test_favours_the_better_by_the_sign_of_the_difference(better: Better, favoured: str) -> None:
    found = compared(better)
    # Equal values and an undefined difference favour nobody, and so it stays from the other side.
    assert [pair.favours for pair in found] == [favoured, "", ""]
    assert [pair.favours for pair in found.turned()] == [favoured, "", ""]
    assert found["b", "a"].favours == favoured


def test_significant_is_the_adjusted_p_below_alpha() -> None:
    assert [pair.significant for pair in compared()] == [True, False, False]
    assert compared().n_significant == 1
    assert compared(alpha=0.04).n_significant == 0  # 0.04 is not below 0.04, though p_raw is


def test_the_family_is_what_has_a_p_unless_given() -> None:
    assert compared().family == 2
    assert compared(family=5).family == 5
    assert replace(compared(), adjustment="none", family=-1).family == 1


def test_records_have_the_stable_keys_and_one_name_for_each_p() -> None:
    first, second, third = compared().records()
    assert tuple(first)[: len(RECORD_KEYS)] == RECORD_KEYS
    shown = {key: first[key] for key in ("statistic", "of", "by", "value", "df", "p", "ci", "n", "method")}
    assert shown == {
        "statistic": "difference", "of": "clarity", "by": "system", "value": 2.0, "df": 7, "p": 0.04,
        "ci": (0.5, 3.5), "n": 9, "method": "t tests",
    }  # fmt: skip
    own = {key: first[key] for key in ("first", "second", "p_raw", "adjustment", "family", "better", "favours", "tie")}
    assert own == {
        "first": "a", "second": "b", "p_raw": 0.01, "adjustment": "Holm", "family": 2, "better": "higher",
        "favours": "a", "tie": 0.1,
    }  # fmt: skip
    assert (first["test"], first["test_value"], first["effect_size_name"]) == ("t", 4.0, "Cohen's d")
    assert (first["effect_size"], first["effect_size_ci"], second["effect_size_ci"]) == (0.8, (0.2, 1.4), None)
    assert (third["df"], third["se"], third["favours"], third["significant"]) == (None, None, "", False)


def test_without_intervals_and_effects_the_records_have_none() -> None:
    bare = replace(compared(), interval="none", test="", effect_size="")
    record = bare.records()[0]
    assert [record[key] for key in ("ci", "confidence", "test_value", "effect_size")] == [None] * 4


def test_records_within_a_result_have_its_signature() -> None:
    holder = tukey([1, 2, 3, 5, 6, 8], list("aabbcc"))
    record = compared().records(holder)[0]
    assert (record["method"], record["signature"], record["of"]) == (holder.method, holder.signature, "clarity")


def test_the_table_says_what_p_and_intervals_are() -> None:
    table = compared().table(name="clarity-pairs")
    assert table.columns == (
        "First", "Second", "Difference", "Low", "High", "t", "df", "p", "p raw", "Significant", "Winner",
        "Cohen's d", "n",
    )  # fmt: skip
    assert table.rows[0] == ("a", "b", 2.0, 0.5, 3.5, 4.0, 7, 0.04, 0.01, True, "a", 0.8, 9)
    assert table.note == (
        "Difference: First − Second; p is adjusted for 2 comparisons (Holm); "
        "the intervals (95 %) are those of each pair alone."
    )
    plain = replace(compared("none"), adjustment="none", interval="none", test="", effect_size="", unit="mean rank")
    assert plain.table().columns == ("First", "Second", "Difference", "df", "p", "Significant", "n")
    assert plain.table().note == "Difference: First − Second, in mean rank; p is not adjusted."


def test_about_names_the_measure_in_result_and_pairs() -> None:
    found = tukey([1, 2, 5, 6], list("aabb"), factor="system").about("errors", better="lower")
    assert (found.of, found.pairs.of, found.pairs.by) == ("errors", "errors", "system")
    assert found.pairs[0].favours == "a"
    assert found.records()[0]["favours"] == "a"


BLOCKS = [[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]]
FLAT, LABELS = [3, 4, 4.5, 1, 2, 3, 4, 4, 6], list("aaabbbccc")


@pytest.mark.parametrize(
    "result", [tukey(FLAT, LABELS), games_howell(FLAT, LABELS), nemenyi(BLOCKS), conover_friedman(BLOCKS)]
)
def test_every_statistic_keeps_the_convention(result) -> None:
    means = dict(zip(result.groups, getattr(result, "means", None) or result.mean_ranks, strict=True))
    for pair in result.pairs:
        assert pair.difference == pytest.approx(means[pair.first] - means[pair.second])
        assert math.copysign(1, pair.test_value) == math.copysign(1, pair.difference)
        assert pair.p_raw <= pair.p


def test_of_pairs_with_the_same_names_the_first_counts() -> None:
    found = replace(compared(), pairs=(AB, replace(AB, difference=5.0), AC, BC))
    assert [getattr(found.get(*names), "difference", None) for names in (("a", "b"), ("b", "a"))] == [2.0, -2.0]
