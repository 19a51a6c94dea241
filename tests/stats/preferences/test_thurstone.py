"""Thurstone's case V against R's probit models, with ties and order effect."""

import json
import math
import re
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import bradley_terry, thurstone

STORED = json.loads((Path(__file__).parents[2] / "golden" / "thurstone.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", STORED["cases"], ids=[case["id"] for case in STORED["cases"]])
def test_equals_r(case):
    expected = case["expect"]
    result = thurstone(*(case["input"][key] for key in STORED["arguments"]), **case["settings"])
    against = result.against(result.systems[0])
    assert against.values == pytest.approx(expected["ability"], rel=1e-8)
    assert against.se == pytest.approx(expected["se"], rel=1e-7)
    assert result.loglik == pytest.approx(expected["loglik"], rel=1e-12)
    for key, name in (("order", "order effect"), ("tau", "τ")):
        if key in expected:
            assert result.extra(name).value == pytest.approx(expected[key], rel=1e-8)
            assert result.extra(name).se == pytest.approx(expected[f"se_{key}"], rel=1e-7)
    if "known_ability" in expected:
        assert against.values == pytest.approx(expected["known_ability"], rel=1e-6)


def test_two_systems_with_ties_by_hand():
    # 10 wins, 6 ties, 4 losses: Φ(η - τ) = .5 and Φ(-η - τ) = .2, so η = τ and 2η = 0.8416.
    result = thurstone(["a"] * 20, ["b"] * 20, [1] * 10 + [0] * 6 + [-1] * 4)
    pair = result.pairs[0]
    assert pair.difference == pytest.approx(0.8416212335729143 / 2)
    assert result.extra("τ").value == pytest.approx(pair.difference)
    assert (pair.effect_size, pair.more["tie"]) == pytest.approx((0.5, 0.3))


rows = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("abc"), st.sampled_from([-1, 1])).filter(lambda r: r[0] != r[1]),
    min_size=12,
    max_size=40,
)


@settings(max_examples=25)
@given(rows)
def test_has_estimates_where_bradley_terry_has(data):
    columns = [list(column) for column in zip(*data, strict=True)]
    probit, logit = thurstone(*columns), bradley_terry(*columns)
    assert probit.converged == logit.converged
    assert probit.df == logit.df


@settings(max_examples=25)
@given(rows)
def test_two_systems_are_their_shares_whatever_the_scale(data):
    columns = [list(column) for column in zip(*[row for row in data if "c" not in row[:2]], strict=True)]
    assume(columns)
    probit, logit = thurstone(*columns), bradley_terry(*columns)
    assert probit.pairs[0].effect_size == pytest.approx(logit.pairs[0].effect_size, nan_ok=True)
    assert probit.chi2 == pytest.approx(logit.chi2, abs=1e-9, nan_ok=True)


@settings(max_examples=25)
@given(rows, st.permutations("abc"))
def test_names_and_the_order_of_rows_do_not_matter(data, names):
    renamed = dict(zip("abc", names, strict=True))
    before = thurstone(*zip(*data, strict=True))
    after = thurstone(*zip(*[(renamed[a], renamed[b], o) for a, b, o in reversed(data)], strict=True))
    for ability in before.abilities:
        assert after.ability(renamed[ability.system]).value == pytest.approx(ability.value, abs=1e-6, nan_ok=True)


@pytest.mark.parametrize(
    ("rows", "options", "reason"),
    [
        ([("a", "b", 1), ("b", "c", 1), ("c", "b", 1)], {}, "a was never placed below"),
        ([("a", "b", 0), ("b", "a", 0)], {}, "all 2 comparisons are ties"),
        ([("a", "b", 1), ("b", "a", 0), ("a", "b", 1)], {}, "the likelihood keeps growing"),
        ([("a", "b", 1), ("b", "a", 1)], {"order_effect": True}, "with the order effect"),
    ],
)
def test_data_without_estimates_are_nan_with_their_reason(rows, options, reason):
    result = thurstone(*zip(*rows, strict=True), **options)
    assert all(math.isnan(value) for value in result.values)
    assert re.search(reason, result.warnings[0])


def test_bad_input_is_refused():
    with pytest.raises(UsageError, match="ties must be one of auto, glenn-david, half, drop; got 'davidson'"):
        thurstone(["a"], ["b"], [1], ties="davidson")
    with pytest.raises(DataError, match="the lengths must be equal"):
        thurstone(["a"], ["b"], [1, 1])
    with pytest.raises(DataError, match="missing label"):
        thurstone(["a", float("nan")], ["b", "b"], [1, 1])
