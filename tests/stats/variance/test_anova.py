"""One-way ANOVA against R, by hand, under change of labels and scale, and on data that have no F."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import Anova, Effect, ErrorTerm, anova, tukey

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "anova.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result = anova(case["input"]["values"], case["input"]["groups"])
    expected = case["expect"]
    assert list(result.df) == expected["df"]
    assert result.ss == pytest.approx(expected["ss"], rel=1e-12)
    assert result.f == pytest.approx(expected["F"], rel=1e-12)
    assert result.p == pytest.approx(expected["p"], rel=1e-10)
    if "ms" in expected:
        assert result.ms == pytest.approx(expected["ms"], rel=1e-12)
    if "eta2" in expected:
        assert (result.eta2, result.omega2) == pytest.approx((expected["eta2"], expected["omega2"]), rel=1e-12)


def test_by_hand():
    # Means 2, 5, 8 around 5: SS between = 3·(9 + 0 + 9) = 54 on 2 df; SS within = 3·2 = 6 on 6 df; F = 27 / 1.
    # η² = 54/60; ω² = (54 - 2·1) / (60 + 1).
    result = anova([1, 2, 3, 4, 5, 6, 7, 8, 9], list("aaabbbccc"), factor="system")
    assert result.ss == (54.0, 6.0)
    assert result.ms == (27.0, 1.0)
    assert (result.f, result.df, result.n) == (27.0, (2, 6), 9)
    assert (result.eta2, result.omega2) == pytest.approx((0.9, 52 / 61))


def test_record_has_the_table_of_variance():
    (record,) = anova([1, 2, 3, 4], ["x", "x", "y", "y"], factor="system").about("clarity").records()
    assert (record["statistic"], record["of"], record["by"]) == ("F", "clarity", "system")
    assert record["df"] == (1, 2)
    assert record["n"] == 4
    assert record["ss"] == (4.0, 1.0)


def test_large_offset_costs_no_digits():
    values = [4.17, 5.58, 5.18, 6.11, 4.5, 4.61]
    plain = anova(values, list("aabbcc"))
    moved = anova([round(value * 100) + 10**12 for value in values], list("aabbcc"))
    assert moved.f == pytest.approx(plain.f, rel=1e-9)


values_in_groups = st.lists(
    st.tuples(st.integers(-50, 50).map(lambda number: number / 4), st.sampled_from("abcd")), min_size=6, max_size=40
)


@given(values_in_groups, st.permutations("abcd"), st.randoms(use_true_random=False))
def test_labels_and_order_do_not_matter(data, names, random):
    renamed = dict(zip("abcd", names, strict=True))
    shuffled = random.sample(data, len(data))
    before = anova([value for value, _ in data], [group for _, group in data])
    after = anova([value for value, _ in shuffled], [renamed[group] for _, group in shuffled])
    assert after.f == pytest.approx(before.f, rel=1e-9, abs=1e-12, nan_ok=True)
    assert after.df == before.df


@given(values_in_groups, st.integers(-1000, 1000), st.integers(1, 64), st.booleans())
def test_affine_change_leaves_f(data, shift, scale, negative):
    values, groups = zip(*data, strict=True)
    factor = -scale if negative else scale
    before = anova(values, groups)
    assume(not math.isnan(before.f))
    after = anova([factor * value + shift for value in values], groups)
    assert after.f == pytest.approx(before.f, rel=1e-8, abs=1e-10)
    assert after.eta2 == pytest.approx(before.eta2, rel=1e-8, abs=1e-10)


@given(values_in_groups)
def test_sums_of_squares_add_up(data):
    values, groups = zip(*data, strict=True)
    result = anova(values, groups)
    assert sum(result.ss) == pytest.approx(float(np.var(values) * len(values)), abs=1e-8)
    assert sum(result.df) == len(values) - 1


@pytest.mark.parametrize(
    ("values", "groups", "reason"),
    [
        ([], [], "there are no values"),
        ([1, 2, 3], ["a", "a", "a"], "one group only (a)"),
        ([1, 2, 3], ["a", "b", "c"], "one value only"),
        ([0.1] * 4, ["a", "a", "b", "b"], "all values are equal (0.1)"),
        ([0.1, 0.1, 0.1, 0.7, 0.7, 0.7], list("aaabbb"), "do not vary within"),
        ([0.1 + 0.2, 0.3, 0.3, 0.7, 0.7, 0.6 + 0.1], list("aaabbb"), "do not vary within"),
    ],
)
def test_undefined_f_is_nan_with_its_reason(values, groups, reason):
    result = anova(values, groups, factor="system")
    assert math.isnan(result.f)
    assert math.isnan(result.p)
    assert reason in result.warnings[0]


@pytest.mark.parametrize(
    ("values", "groups", "message"),
    [
        ([1, 2], ["a"], "values has 2, system has 1"),
        ([1, math.nan, math.inf], list("aab"), "2 missing or infinite value.s. of 3, the first at index 1 .nan."),
        ([1, 2, 3], ["a", None, "b"], "1 missing label.s., the first at index 1"),
        ([1, 2, 3], ["a", math.nan, "b"], "1 missing label"),
        (["low", "high"], ["a", "b"], "must hold numbers only"),
        ([[1, 2], [3, 4]], ["a", "b"], r"plain list of numbers; it has the shape \(2, 2\)"),
    ],
)
def test_what_should_not_be_passed_is_refused(values, groups, message):
    with pytest.raises(DataError, match=message):
        anova(values, groups, factor="system")


def test_number_labels_sort_as_numbers_and_mixed_ones_as_text():
    assert anova([1, 2, 3, 4], [10, 2, 10, 2]).settings["groups"] == 2
    assert anova([1, 2, 3, 5], [1, "a", 1, "a"]).df == (1, 2)


def test_settings_for_several_factors_count_with_one_too():
    values, groups = [1, 2, 3, 5, 6, 9], list("aaabbb")
    with pytest.raises(UsageError, match=r"sums must be one of I, II, III; got 'IV'"):
        anova(values, groups, sums="IV")
    with pytest.raises(UsageError, match="names 'text'"):
        anova(values, groups, factor="system", terms=["text"])
    observed = anova(values, groups, factor="system", observed=["system"])
    assert observed.f == pytest.approx(anova(values, groups).f)


def test_short_names_need_a_single_effect():
    effects = tuple(Effect(name, 1.0, 1, 1.0, 0.5, 0.1, 0.1) for name in ("system", "text"))
    result = Anova(method="two-way ANOVA", effects=effects, error=ErrorTerm(1.0, 1), n=4)
    with pytest.raises(UsageError, match="has 2 effects"):
        _ = result.f


def test_several_values_of_one_subject_are_warned_of():
    values, groups = [1, 2, 3, 4], list("xxyy")
    assert anova(values, groups, subjects=list("abcd")).warnings == ()
    (warning,) = anova(values, groups, subjects=list("abab")).warnings
    assert "2 subjects gave 4 values" in warning
    assert "rm_anova" in warning
    assert "rm_anova" not in anova(values, groups).warnings
    with pytest.raises(DataError, match="subjects has 3"):
        anova(values, groups, subjects=list("aab"))


# --- Factorial ANOVA against R and car, identities on balanced data, and designs that have no F ---------------------


GOLDEN_FACTORIAL = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[2] / "golden" / "factorial.json").read_text("utf-8"))["cases"]
}


def same(result: Anova, table: dict[str, dict[str, Any]]) -> None:
    for effect in result.effects:
        expected = table[effect.name]
        assert effect.df == expected["Df"]
        assert effect.ss == pytest.approx(expected["Sum Sq"], rel=1e-10)
        assert effect.f == pytest.approx(expected["F value"], rel=1e-10)
        assert effect.p == pytest.approx(expected["Pr(>F)"], rel=1e-9)
    assert result.error.ss == pytest.approx(table["Residuals"]["Sum Sq"], rel=1e-10)
    assert result.error.df == table["Residuals"]["Df"]


def tooth_growth(*factors: str, **settings: Any) -> Anova:
    data = GOLDEN_FACTORIAL["twoway_unbalanced_types"]["input"]
    columns = {"supp": data["A"], "dose": data["B"]}
    return anova(data["y"], {name: columns[name] for name in factors}, **settings)


@pytest.mark.parametrize(
    ("key", "factors", "sums"),
    [
        ("type1_AB", ("supp", "dose"), "I"),
        ("type1_BA", ("dose", "supp"), "I"),
        ("type2", ("supp", "dose"), "II"),
        ("type3", ("supp", "dose"), "III"),
    ],
)
def test_unbalanced_types_equal_r(key: str, factors: tuple[str, str], sums: str) -> None:
    table = dict(GOLDEN_FACTORIAL["twoway_unbalanced_types"]["expect"][key])
    for first, second in (("supp:dose", "dose:supp"), ("dose:supp", "supp:dose")):
        table.setdefault(first, table.get(second))
    same(tooth_growth(*factors, sums=sums), table)


def test_type_iii_is_not_what_treatment_contrasts_give() -> None:
    wrong = GOLDEN_FACTORIAL["twoway_type3_wrong_contrasts"]["expect"]["type3_treatment"]["supp"]["F value"]
    assert tooth_growth("supp", "dose", sums="III")["supp"].f == pytest.approx(12.1373688207467, rel=1e-10)
    assert wrong == pytest.approx(4.8736, abs=1e-4)


def test_one_value_a_cell_equals_r_with_main_effects_only() -> None:
    case = GOLDEN_FACTORIAL["twoway_no_replication"]
    columns = {name: case["input"][name] for name in ("system", "text")}
    same(anova(case["input"]["y"], columns, terms=["system", "text"]), case["expect"])
    full = anova(case["input"]["y"], columns)
    assert all(math.isnan(effect.f) for effect in full.effects)
    assert "leave out the highest interaction" in full.warnings[0]


def test_three_main_effects_equal_car() -> None:
    case = GOLDEN_FACTORIAL["threeway_main_effects_type2"]
    names = ("system", "text", "evaluator")
    same(anova(case["input"]["y"], {name: case["input"][name] for name in names}, terms=names), case["expect"])


def test_tukey_takes_the_error_of_the_whole_model() -> None:
    data, expected = GOLDEN_FACTORIAL["twoway_no_replication"]["input"], GOLDEN_FACTORIAL["tukey_in_twoway"]["expect"]
    table = anova(data["y"], {"system": data["system"], "text": data["text"]}, terms=["system", "text"])
    result = tukey(data["y"], data["system"], factor="system", error=table.error)
    turned = result.pairs.turned()  # R gives second − first
    assert [f"{pair.first}-{pair.second}" for pair in turned] == expected["pairs"]
    assert [pair.difference for pair in turned] == pytest.approx(expected["diff"], rel=1e-9)
    # R's qtukey stops at an error of about 1e-8 here; its intervals inherit it.
    assert [pair.ci[0] for pair in turned] == pytest.approx(expected["lwr"], rel=1e-6)
    assert [pair.ci[1] for pair in turned] == pytest.approx(expected["upr"], rel=1e-6)
    assert [pair.p for pair in result.pairs] == pytest.approx(expected["p_adj"], rel=1e-9)
    assert (result.q_critical, result.hsd) == pytest.approx((expected["q_crit"], expected["HSD"]), rel=1e-6)
    assert "given, on 15 df" in result.signature


values = st.lists(st.integers(-40, 40).map(lambda number: number / 8), min_size=24, max_size=24, unique=True)
BALANCED = {"a": list("xy") * 12, "b": [label for label in "klm" for _ in range(8)]}


@given(values)
def test_balanced_types_agree_and_sum_to_the_total(y: list[float]) -> None:
    tables = [anova(y, BALANCED, sums=sums) for sums in ("I", "II", "III")]
    for effects in zip(*(table.effects for table in tables), strict=True):
        assert [effect.ss for effect in effects] == pytest.approx([effects[0].ss] * 3, rel=1e-8, abs=1e-8)
    total = float(np.sum((np.array(y) - np.mean(y)) ** 2))
    parts = sum(effect.ss for effect in tables[0].effects) + tables[0].error.ss
    assert parts == pytest.approx(total, rel=1e-9)
    assert sum(effect.eta2 for effect in tables[0].effects) + tables[0].error.ss / total == pytest.approx(1)


@given(values, st.permutations(range(24)), st.integers(1, 5), st.integers(-50, 50))
def test_order_scale_and_labels_do_not_matter(y: list[float], order: list[int], scale: int, offset: int) -> None:
    plain = anova(y[:21], {name: column[:21] for name, column in BALANCED.items()}, sums="III")
    rows = [index for index in order if index < 21]
    other = {"b": ["klm".index(BALANCED["b"][row]) for row in rows], "a": [f"{BALANCED['a'][row]}!" for row in rows]}
    moved = anova([scale * y[row] + offset for row in rows], other, sums="III")
    for first, second in (("a", "a"), ("b", "b"), ("a:b", "b:a")):
        assert moved[second].f == pytest.approx(plain[first].f, rel=1e-6, abs=1e-9)


def test_one_factor_by_name_is_the_one_way_analysis() -> None:
    y, groups = [4, 5, 7, 2, 9, 4.5, 3], list("aabbccc")
    named, plain = anova(y, {"group": groups}), anova(y, groups)
    assert named.df == plain.df
    assert (named.f, named.p) == pytest.approx((plain.f, plain.p), rel=1e-12)
    assert (named.eta2, named.omega2) == pytest.approx((plain.eta2, plain.omega2), rel=1e-12)


def test_effect_sizes_by_hand() -> None:
    # Cell means 1, 3 / 5, 7 twice each ± 1: SS a = 8·(2²) = 32, b = 8·1 = 8, a:b 0, error 8 on 4 df; total 48.
    y = [0, 2, 2, 4, 4, 6, 6, 8]
    design = {"a": list("xxxxyyyy"), "b": list("kkllkkll")}
    table = anova(y, design, observed=["b"])
    a, b = table["a"], table["b"]
    assert (a.ss, b.ss, table.error.ss, table.error.df) == pytest.approx((32, 8, 8, 4))
    assert (a.eta2, a.partial_eta2) == pytest.approx((32 / 48, 32 / 40))
    assert a.generalised_eta2 == pytest.approx(32 / (32 + 8 + 8))  # what was found of b counts in
    assert b.generalised_eta2 == pytest.approx(8 / (8 + 8))
    assert a.omega2 == pytest.approx((32 - 2) / (48 + 2))


@pytest.mark.parametrize(("key", "sums"), [("type1", "I"), ("type2", "II")])
def test_an_empty_cell_costs_degrees_of_freedom_and_no_error(key: str, sums: str) -> None:
    data = GOLDEN_FACTORIAL["twoway_empty_cell"]["input"]
    table = anova(data["y"], {"A": data["A"], "B": data["B"]}, sums=sums)
    same(table, GOLDEN_FACTORIAL["twoway_empty_cell"]["expect"][key])
    assert "A:B has 1 of its 2 degrees of freedom" in table.warnings[0]


@given(st.lists(st.integers(-20, 20), min_size=12, max_size=12), st.lists(st.integers(0, 5), min_size=12, max_size=12))
def test_error_of_the_full_model_is_that_within_cells_however_many_are_empty(y: list[int], cells: list[int]) -> None:
    a, b = [cell % 2 for cell in cells], [cell // 2 for cell in cells]
    assume(len(set(a)) > 1 and len(set(b)) > 1 and len(set(y)) > 1)
    within = [[value for value, own in zip(y, cells, strict=True) if own == cell] for cell in set(cells)]
    error = anova(y, {"a": a, "b": b}).error
    assert error.df == 12 - len(within)
    assert error.ss == pytest.approx(sum(float(np.var(group)) * len(group) for group in within), rel=1e-9, abs=1e-9)


def test_factors_that_go_together_are_said() -> None:
    table = anova([1, 2, 4, 3, 5, 7], {"a": list("xxyyzz"), "b": list("kkllmm")}, terms=["a", "b"])
    assert table["b"].df == 0
    assert math.isnan(table["b"].f)
    assert table.error.ss == pytest.approx(3)  # .5, .5 and 2 within the three groups
    assert any("0 of its 2 degrees of freedom" in warning for warning in table.warnings)


@pytest.mark.parametrize(
    ("y", "factors", "settings", "error", "message"),
    [
        ([1, 2], {}, {}, DataError, "no factor"),
        ([1, 2, 3], {"a": ["x", "y"]}, {}, DataError, "lengths must be equal"),
        ([1, 2], {"a": ["x", None]}, {}, DataError, "missing label"),
        ([1, math.inf], {"a": ["x", "y"]}, {}, DataError, "missing or infinite"),
        ([1, 2], {"a": ["x", "x"]}, {}, DataError, "one level only"),
        ([1, 2], {"a": ["x", "y"]}, {"sums": "IV"}, UsageError, "one of I, II, III"),
        ([1, 2], {"a": ["x", "y"]}, {"terms": ["b"]}, UsageError, "names 'b'"),
        ([1, 2], {"a": ["x", "y"]}, {"observed": ["b"]}, UsageError, "not a factor"),
    ],
)
def test_what_should_not_be_passed_is_refused_factorial(
    y: list[float], factors: dict[str, list[Any]], settings: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        anova(y, factors, **settings)


@pytest.mark.parametrize(
    ("y", "reason"), [([3] * 8, "all values are equal"), ([1, 1, 2, 2, 3, 3, 4, 4], "do not vary within the cells")]
)
def test_undefined_has_its_reason(y: list[float], reason: str) -> None:
    table = anova(y, {"a": list("xxxxyyyy"), "b": list("kkllkkll")})
    assert all(math.isnan(effect.f) and math.isnan(effect.p) for effect in table.effects)
    assert reason in table.warnings[0]
    with pytest.raises(UsageError, match="there is no effect 'c'; use one of: a, b, a:b"):
        table["c"]
