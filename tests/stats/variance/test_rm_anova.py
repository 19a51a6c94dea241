"""Repeated-measures ANOVA against R (afex, car), against itself in other words, and on data that it refuses."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import anova, paired_t, rm_anova, two_sample_t

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "rm_anova.json").read_text(encoding="utf-8"))["cases"]


def crossed(table):
    """Values, subjects and conditions of a table of shape (subjects, conditions)."""
    rows, columns = np.shape(table)
    return np.ravel(table), np.repeat(np.arange(rows), columns), np.tile(np.arange(columns), rows)


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    given_ = case["input"]
    result = rm_anova(given_["values"], given_["subjects"], given_["within"], **case.get("settings", {}))
    assert [effect.name for effect in result.effects] == list(case["expect"]["effects"])
    for name, expected in case["expect"]["effects"].items():
        effect = result[name]
        assert (effect.df, effect.error.df) == (expected["df1"], expected["df2"])
        got = (effect.ss, effect.error.ss, effect.f, effect.p, effect.partial_eta2, effect.generalised_eta2)
        assert got == pytest.approx([expected[key] for key in ("SS", "SS_error", "F", "p", "pes", "ges")], rel=1e-9)
        if "GG_eps" in expected:
            found = effect.sphericity
            # R shows ε of Huynh and Feldt above 1 and then counts with 1.
            epsilons = (expected["GG_eps"], min(expected["HF_eps"], 1))
            assert (found.gg, found.hf) == pytest.approx(epsilons, rel=1e-9)
            assert (effect.p_gg, effect.p_hf) == pytest.approx((expected["p_GG"], expected["p_HF"]), rel=1e-9)
            mauchly = (expected["mauchly_W"], expected["mauchly_p"])
            assert (found.mauchly_w, found.mauchly_p) == pytest.approx(mauchly, rel=1e-9)
        else:
            assert effect.sphericity is None
            assert effect.p_gg == effect.p_hf == effect.p


def test_by_hand():
    # Subjects' means 2, 4, 6; conditions' means 3 and 5: SS = 3·(1 + 1) = 6 on 1. Residuals after both are
    # ±0.5, 0, ∓0.5 (differences 1, 2, 3 less 2, halved): SS = 4·0.25 = 1 on 2. F = 6 / 0.5.
    # SS of subjects 2·(4 + 0 + 4) = 16: generalised η² = 6 / (6 + 1 + 16), partial 6 / 7.
    result = rm_anova(*with_names([[1.5, 2.5], [3, 5], [4.5, 7.5]]))
    assert (result.f, result.df) == (pytest.approx(12), (1, 2))
    assert result["order"].generalised_eta2 == pytest.approx(6 / 23)
    assert result["order"].partial_eta2 == pytest.approx(6 / 7)


def with_names(table):
    values, subjects, conditions = crossed(table)
    return values, subjects, {"order": conditions}


def test_df_of_lapata_2006():
    # 179 subjects × 8 bins: 7 and 7·178 (the paper prints 1239, which is 178 subjects); 32 subjects × 3 orders: 2, 62.
    random = np.random.default_rng(1)
    assert rm_anova(*with_names(random.normal(4, 1, (179, 8)))).df == (7, 1246)
    assert rm_anova(*with_names(random.normal(4, 1, (32, 3)))).df == (2, 62)


tables = st.integers(2, 4).flatmap(
    lambda columns: st.lists(st.lists(st.integers(-40, 40), min_size=columns, max_size=columns), min_size=3, max_size=7)
)


@given(tables, st.randoms(use_true_random=False), st.integers(-1000, 1000), st.sampled_from([-8, -1, 2, 16]))
def test_rows_labels_and_affine_changes_do_not_matter(table, random, shift, scale):
    values, subjects, conditions = crossed(table)
    before = rm_anova(values, subjects, {"order": conditions}).effect
    rows = random.sample(range(values.size), values.size)
    names = random.sample(["w", "x", "y", "z"], 4)
    relabelled = [names[conditions[row]] for row in rows]
    after = rm_anova(scale * values[rows] + shift, [f"s{subjects[row]}" for row in rows], {"order": relabelled}).effect
    assert after.f == pytest.approx(before.f, rel=1e-6, abs=1e-9, nan_ok=True)
    assert after.p_gg == pytest.approx(before.p_gg, rel=1e-5, abs=1e-9, nan_ok=True)
    assert after.ss == pytest.approx(scale**2 * before.ss, rel=1e-8, abs=1e-6)


@given(tables)
def test_p_gg_lies_between_p_and_the_lower_bound(table):
    effect = rm_anova(*with_names(table)).effect
    if effect.sphericity is not None and effect.p < 0.05:
        d = len(table[0]) - 1
        assert 1 / d - 1e-9 <= effect.sphericity.gg <= effect.sphericity.hf + 1e-9 <= 1 + 2e-9
        assert effect.p <= effect.p_hf + 1e-12 <= effect.p_gg + 2e-12


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), min_size=3, max_size=12))
def test_two_conditions_are_a_paired_t(pairs):
    first, second = zip(*pairs, strict=True)
    t = paired_t(first, second)
    result = rm_anova(*with_names(pairs))
    assert result.f == pytest.approx(t.t**2, rel=1e-8, abs=1e-9, nan_ok=True)
    assert result.p == pytest.approx(t.p, rel=1e-8, abs=1e-12, nan_ok=True)


def test_effect_between_two_groups_is_a_t_of_the_subjects_means():
    random = np.random.default_rng(3)
    table = random.normal(size=(9, 4))
    values, subjects, conditions = crossed(table)
    cohort = np.where(subjects < 4, "novice", "expert")
    t = two_sample_t(table[:4].mean(axis=1), table[4:].mean(axis=1), variances="equal")
    for sums in ("II", "III"):
        effect = rm_anova(values, subjects, {"order": conditions}, between={"cohort": cohort}, sums=sums)["cohort"]
        assert (effect.f, effect.p, effect.error.df) == pytest.approx((t.t**2, t.p, 7))


def test_without_within_factors_type_two_between_equals_factorial_anova():
    random = np.random.default_rng(5)
    cohort, group = list("aaaabbbbbbb"), list("xxyyxxxyyyy")
    table = random.normal(size=(11, 3))
    values, subjects, conditions = crossed(table)
    for sums in ("II", "III"):
        table_of = anova(table.mean(axis=1), {"cohort": cohort, "group": group}, sums=sums)
        between = {"cohort": np.repeat(cohort, 3), "group": np.repeat(group, 3)}
        result = rm_anova(values, subjects, {"order": conditions}, between=between, sums=sums)
        for name in ("cohort", "group", "cohort:group"):
            assert result[name].f == pytest.approx(table_of[name].f, rel=1e-9)


def test_sums_of_squares_of_a_balanced_design_add_up():
    random = np.random.default_rng(7)
    table = random.normal(size=(6, 6))
    values, subjects, _ = crossed(table)
    within = {"order": np.tile([0, 0, 0, 1, 1, 1], 6), "text": np.tile([0, 1, 2] * 2, 6)}
    between = {"list": np.repeat([1, 2, 1, 2, 1, 2], 6)}
    result = rm_anova(values, subjects, within, between=between)
    errors = {effect.error.ss for effect in result.effects}
    assert len(errors) == 4  # subjects, and the interactions of order, text and both with them
    assert sum(errors) + sum(effect.ss for effect in result.effects) == pytest.approx(
        float(np.var(values) * values.size)
    )


def test_several_values_in_a_cell_are_averaged_and_said():
    values = [1, 3, 4, 5, 6, 9]
    result = rm_anova(values, ["a", "a", "a", "b", "b", "b"], {"order": ["x", "x", "y", "x", "y", "y"]})
    means = rm_anova([2, 4, 5, 7.5], ["a", "a", "b", "b"], {"order": ["x", "y", "x", "y"]})
    assert result.f == pytest.approx(means.f)
    assert result.settings["cells"] == 4
    assert "6 values were averaged to 4 means, 1 to 2 for each subject and condition" in result.warnings[0]
    assert means.warnings == ()


def test_doubtful_sphericity_is_said():
    result = rm_anova(*(GOLDEN[0]["input"][key] for key in ("values", "subjects", "within")))
    assert "sphericity is doubtful for cond" in result.warnings[0]


def test_fewer_subjects_than_conditions_leave_mauchly_undefined_but_not_epsilon():
    table = np.random.default_rng(2).normal(size=(3, 5))
    result = rm_anova(*with_names(table))
    assert math.isnan(result.effect.sphericity.mauchly_p)
    assert 0.25 <= result.effect.sphericity.gg <= 0.5  # of rank 2 in 4 dimensions
    assert "3 subjects are too few" in result.warnings[0]


def test_records_have_one_line_an_effect_with_its_own_error():
    case = GOLDEN[1]
    result = rm_anova(*(case["input"][key] for key in ("values", "subjects", "within"))).about("time")
    records = result.records()
    assert [record["by"] for record in records] == ["text", "order", "text:order"]
    assert [record["df"] for record in records] == [(2, 30), (3, 45), (6, 90)]
    assert records[0]["epsilon_gg"] == pytest.approx(0.918249077147103)
    assert result["order:text"] is result["text:order"]


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[1, 2, 3]], r"F is undefined for order: there are no more subjects \(1\) than groups"),
        ([[0.1, 0.1], [0.1, 0.1]], r"all means are equal \(0.1\)"),
        ([[0.1, 0.4], [0.3, 0.6], [0.7, 1.0]], "order: it does not vary between subjects"),
    ],
)
def test_undefined_f_is_nan_with_its_reason(table, reason):
    result = rm_anova(*with_names(table))
    assert math.isnan(result.f)
    assert math.isnan(result.p)
    assert re.search(reason, result.warnings[0])


def test_missing_cells_are_refused_with_the_list_of_them():
    values, subjects = [1, 2, 3, 4, 5], ["ann", "ann", "bob", "bob", "cid"]
    within = {"order": ["x", "y", "x", "y", "x"]}
    with pytest.raises(DataError, match=r"1 of 6 cells .subject × order. have no value: cid × y. Leave out 1 subject"):
        rm_anova(values, subjects, within)
    with pytest.raises(DataError, match="or use mixed_model"):
        rm_anova(values, subjects, within)
    many = {"order": list(range(12))}
    with pytest.raises(DataError, match=r"12 of 24 cells .* b × 6 and 2 more. Leave out 2 subject"):
        rm_anova(range(12), list("abababababab"), many)


@pytest.mark.parametrize(
    ("values", "subjects", "within", "settings", "message"),
    [
        ([], [], {"order": []}, {}, "there are no values"),
        ([1, 2, 3], ["a", "b"], {"order": ["x", "y", "x"]}, {}, "values has 3, subjects has 2, order has 3"),
        ([1, math.nan], ["a", "a"], {"order": ["x", "y"]}, {}, "1 missing or infinite value"),
        ([1, math.inf], ["a", "a"], {"order": ["x", "y"]}, {}, "1 missing or infinite value"),
        ([1, 2], ["a", None], {"order": ["x", "y"]}, {}, "subjects has 1 missing label"),
        ([1, 2], ["a", "b"], {"order": ["x", "x"]}, {}, r"order has one level only \(x\)"),
        (
            [1, 2],
            ["a", "b"],
            {"order": ["x", "y"]},
            {},
            "every subject has one condition only; say that it lies between",
        ),
        (
            [1, 2, 3, 4],
            ["a", "a", "b", "b"],
            {"order": ["x", "y", "x", "y"]},
            {"between": {"cohort": ["m", "n", "m", "m"]}},
            r"cohort is said to lie between subjects, but 1 of 2 subjects have several .* the first a \(m, n\)",
        ),
    ],
)
def test_what_should_not_be_passed_is_refused(values, subjects, within, settings, message):
    with pytest.raises(DataError, match=message):
        rm_anova(values, subjects, within, **settings)


def test_type_three_needs_every_group():
    subjects = np.repeat(np.arange(6), 2)
    between = {"cohort": np.repeat(list("mmnnnn"), 2), "list": np.repeat(list("xxxxyy"), 2)}
    values = np.random.default_rng(1).normal(size=12)
    within = {"order": np.tile([1, 2], 6)}
    with pytest.raises(DataError, match=r"there are none in m × y. Use sums='II'"):
        rm_anova(values, subjects, within, between=between, sums="III")
    result = rm_anova(values, subjects, within, between=between)
    assert result["cohort"].df == result["list"].df == 1
    assert "F is undefined for cohort:list, cohort:list:order: its factors are not identifiable" in result.warnings[0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sums": "I"}, "sums must be one of II, III; got 'I'"),
        ({"observed": ["age"]}, "observed names 'age', which is not a factor; there are order"),
        ({"between": {"order": [1, 1, 2, 2]}}, "order is given both within and between subjects"),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(UsageError, match=message):
        rm_anova([1, 2, 3, 5], ["a", "a", "b", "b"], {"order": ["x", "y", "x", "y"]}, **settings)


def test_short_names_need_a_single_effect_and_a_factor():
    case = GOLDEN[1]["input"]
    result = rm_anova(case["values"], case["subjects"], case["within"])
    with pytest.raises(UsageError, match="has 3 effects"):
        _ = result.f
    with pytest.raises(UsageError, match="there is no effect 'length'; use one of: text, order, text:order"):
        _ = result["length"]
    with pytest.raises(UsageError, match="within names no factor"):
        rm_anova([1, 2], ["a", "b"], {})
