"""F1, F2 and min F′ against R, the degrees of freedom of Lapata (2006), and designs that do not fit the data."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import anova, by_subjects_items, rm_anova

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "by_subjects_items.json").read_text(encoding="utf-8"))
GOLDEN = GOLDEN["cases"]
KEYS = ("values", "subjects", "items", "factors")


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result = by_subjects_items(*(case["input"][key] for key in KEYS), **case["settings"])
    expected = case["expect"]
    for table, short in ((result.by_subjects, "F1"), (result.by_items, "F2")):
        for name, line in expected[short].items():
            effect = table[name]
            assert (effect.df, effect.error.df) == (line["num Df"], line["den Df"])
            assert (effect.f, effect.p) == pytest.approx((line["F"], line["Pr(>F)"]), rel=1e-9)
            if "ges" in line:
                assert (effect.error.ms, effect.generalised_eta2) == pytest.approx((line["MSE"], line["ges"]), rel=1e-9)
    for name, line in expected["minF"].items():
        both = result[name]
        assert (both.min_f, both.df[1], both.p) == pytest.approx((line["minF"], line["df_den"], line["p"]), rel=1e-9)


def latin_square(subjects, items, conditions, seed=1):
    """Each subject sees each item once; the condition turns with both."""
    random = np.random.default_rng(seed)
    who, what = (part.ravel() for part in np.indices((subjects, items)))
    condition = (who + what) % conditions
    return random.normal(500, 50, who.size), who, what, condition


def test_df_of_lapata_2006_experiment_1():
    # 179 subjects, 8 texts × 8 bins = 64 texts, each its own item: the bin lies within subjects and between items.
    values, who, what, condition = latin_square(179, 8, 8)
    texts = what * 8 + condition
    result = by_subjects_items(values, who, texts, {"bin": condition}, across_items="between")
    assert [record["df"] for record in result.records()][:2] == [(7, 1246), (7, 56)]
    means = np.bincount(texts, values) / np.bincount(texts)
    assert result.by_items.f == pytest.approx(anova(means, np.arange(64) % 8).f)


def test_df_of_lapata_2006_experiment_2():
    # 32 subjects, 8 items, three orders, within both.
    values, who, what, condition = latin_square(33, 9, 3)
    some = (who < 32) & (what < 8)
    result = by_subjects_items(values[some], who[some], what[some], {"order": condition[some]}, across_items="within")
    assert [record["df"] for record in result.records()][:2] == [(2, 62), (2, 14)]


def test_f1_is_the_analysis_by_subjects_and_f2_the_same_with_items_in_their_place():
    values, who, what, condition = latin_square(12, 6, 3)
    result = by_subjects_items(values, who, what, {"order": condition}, across_items="within")
    assert result.by_subjects.f == pytest.approx(rm_anova(values, who, {"order": condition}).f)
    assert result.by_items.f == pytest.approx(rm_anova(values, what, {"order": condition}).f)
    turned = by_subjects_items(values, what, who, {"order": condition}, across_items="within")
    assert turned["order"].min_f == pytest.approx(result["order"].min_f)
    assert turned["order"].df == pytest.approx(result["order"].df)


@given(st.integers(0, 10_000))
def test_min_f_is_smaller_than_both(seed):
    values, who, what, condition = latin_square(6, 4, 2, seed)
    result = by_subjects_items(values, who, what, {"order": condition}, across_items="within")
    f1, f2, both = (record["value"] for record in result.records())
    assert both <= min(f1, f2)
    assert both == pytest.approx(1 / (1 / f1 + 1 / f2), rel=1e-9)


def test_factors_of_mixed_placement():
    # Two cohorts of subjects read the same items in two orders; items come from two genres.
    values, who, what, condition = latin_square(8, 8, 2)
    factors = {"order": condition, "cohort": who // 4, "genre": what // 4}
    result = by_subjects_items(
        values,
        who,
        what,
        factors,
        across_subjects={"order": "within", "cohort": "between", "genre": "within"},
        across_items={"order": "within", "cohort": "within", "genre": "between"},
    )
    assert len(result.min_f) == 7
    assert result.by_subjects["cohort"].error.df == 6
    assert result.by_items["genre"].error.df == 6
    assert result["genre:cohort"].df[0] == 1
    assert "between cohort (2)" in result.settings["subjects"]


def test_undefined_min_f_has_its_reason():
    values = [1.0, 1, 2, 2, 1, 1, 2, 2]
    who, what, order = [0, 0, 0, 0, 1, 1, 1, 1], [0, 1, 2, 3] * 2, [0, 0, 1, 1, 0, 0, 1, 1]
    result = by_subjects_items(values, who, what, {"order": order}, across_items="between")
    assert math.isnan(result["order"].min_f)
    assert "min F′ is undefined for order: F1 or F2 is undefined" in result.warnings[-1]
    assert result.warnings[0].startswith("by subject: F is undefined for order")


def test_placement_has_to_be_said():
    values, who, what, condition = latin_square(4, 4, 2)
    with pytest.raises(
        UsageError, match=r"within items or between them.*the data have order in several levels per item"
    ):
        by_subjects_items(values, who, what, {"order": condition})


def test_placement_has_to_fit_the_data():
    values, who, what, condition = latin_square(4, 4, 2)
    with pytest.raises(DataError, match="order is said to lie between items, but 4 of 4 items have several"):
        by_subjects_items(values, who, what, {"order": condition}, across_items="between")
    with pytest.raises(DataError, match="order is said to lie within items, but every item has one condition only"):
        by_subjects_items(values, who, 2 * what + condition, {"order": condition}, across_items="within")
    kept = ~((what == 0) & (condition == 1))
    with pytest.raises(DataError, match=r"1 of 8 cells .item × order. have no value: 0 × 1. Leave out 1 item"):
        by_subjects_items(values[kept], who[kept], what[kept], {"order": condition[kept]}, across_items="within")


@pytest.mark.parametrize("across", ["across", {"order": "nested"}, {}, {"order": "within", "age": "within"}])
def test_unknown_placement_is_refused(across):
    values, who, what, condition = latin_square(4, 4, 2)
    with pytest.raises(UsageError, match="across_items must say 'within' or 'between' for each of order"):
        by_subjects_items(values, who, what, {"order": condition}, across_items=across)


def test_no_factor_and_unknown_effect_are_refused():
    values, who, what, condition = latin_square(4, 4, 2)
    with pytest.raises(UsageError, match="factors names no factor"):
        by_subjects_items(values, who, what, {}, across_items="within")
    with pytest.raises(UsageError, match="there is no effect 'age'; use one of: order"):
        _ = by_subjects_items(values, who, what, {"order": condition}, across_items="within")["age"]
