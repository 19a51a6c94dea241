"""Factorial ANOVA against R and car, identities on balanced data, and designs that have no F."""

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
from textassay.stats import Anova, anova, tukey

GOLDEN = {
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
    data = GOLDEN["twoway_unbalanced_types"]["input"]
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
    table = dict(GOLDEN["twoway_unbalanced_types"]["expect"][key])
    for first, second in (("supp:dose", "dose:supp"), ("dose:supp", "supp:dose")):
        table.setdefault(first, table.get(second))
    same(tooth_growth(*factors, sums=sums), table)


def test_type_iii_is_not_what_treatment_contrasts_give() -> None:
    wrong = GOLDEN["twoway_type3_wrong_contrasts"]["expect"]["type3_treatment"]["supp"]["F value"]
    assert tooth_growth("supp", "dose", sums="III")["supp"].f == pytest.approx(12.1373688207467, rel=1e-10)
    assert wrong == pytest.approx(4.8736, abs=1e-4)


def test_one_value_a_cell_equals_r_with_main_effects_only() -> None:
    case = GOLDEN["twoway_no_replication"]
    columns = {name: case["input"][name] for name in ("system", "text")}
    same(anova(case["input"]["y"], columns, terms=["system", "text"]), case["expect"])
    full = anova(case["input"]["y"], columns)
    assert all(math.isnan(effect.f) for effect in full.effects)
    assert "leave out the highest interaction" in full.warnings[0]


def test_three_main_effects_equal_car() -> None:
    case = GOLDEN["threeway_main_effects_type2"]
    names = ("system", "text", "evaluator")
    same(anova(case["input"]["y"], {name: case["input"][name] for name in names}, terms=names), case["expect"])


def test_tukey_takes_the_error_of_the_whole_model() -> None:
    data, expected = GOLDEN["twoway_no_replication"]["input"], GOLDEN["tukey_in_twoway"]["expect"]
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
    data = GOLDEN["twoway_empty_cell"]["input"]
    table = anova(data["y"], {"A": data["A"], "B": data["B"]}, sums=sums)
    same(table, GOLDEN["twoway_empty_cell"]["expect"][key])
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
        ([1, 2], {"a": ["x", "y"]}, {"observed": ["b"]}, UsageError, "no factor"),
    ],
)
def test_what_should_not_be_passed_is_refused(
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
    with pytest.raises(UsageError, match="there are a, b, a:b"):
        table["c"]
