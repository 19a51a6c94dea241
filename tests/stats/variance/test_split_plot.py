"""The effects of designs within and between units: a second implementation, and generalised η²."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.stats.variance.cell_means import cell_means
from textassay.stats.variance.split_plot import between_units, sphericity, split_plot


def made_up(subjects=7, shape=(3, 2, 4), seed=3):
    """Values in three factors within subjects."""
    random = np.random.default_rng(seed)
    places = np.indices((subjects, *shape)).reshape(4, -1)
    return random.normal(size=places.shape[1]), places[0], dict(zip(("a", "b", "c"), places[1:], strict=True))


def test_three_factors_within_equal_statsmodels():
    import pandas as pd
    from statsmodels.stats.anova import AnovaRM

    values, subjects, within = made_up()
    table = AnovaRM(pd.DataFrame({"y": values, "s": subjects, **within}), "y", "s", list(within)).fit().anova_table
    found = split_plot(cell_means(values, subjects, within), "II", ())  # statsmodels 0.15.0
    assert [effect.name for effect in found.effects] == list(table.index)
    for effect in found.effects:
        row = table.loc[effect.name]
        assert (effect.f, effect.p) == pytest.approx((row["F Value"], row["Pr > F"]), rel=1e-8)
        assert (effect.df, effect.error.df) == (row["Num DF"], row["Den DF"])


def test_observed_factors_move_below_in_generalised_eta2():
    # η²_G = SS / (SS·[manipulated] + Σ SS of effects with an observed factor + Σ SS of errors), Olejnik & Algina 2003.
    values, subjects, within = made_up(6, (2, 3, 1))
    between = {"age": np.where(subjects < 3, "old", "young")}
    del within["c"]
    found = split_plot(cell_means(values, subjects, within, between), "II", ("age",))
    errors = sum({effect.error.ss for effect in found.effects})
    observed = sum(effect.ss for effect in found.effects if "age" in effect.factors)
    for effect in found.effects:
        below = errors + observed + (0 if "age" in effect.factors else effect.ss)
        assert effect.generalised_eta2 == pytest.approx(effect.ss / below)


def test_each_effect_has_its_own_error_term():
    values, subjects, within = made_up()
    found = split_plot(cell_means(values, subjects, within), "II", ())
    assert [effect.error.df for effect in found.effects] == [12, 6, 18, 12, 36, 18, 36]
    assert len({effect.error.ss for effect in found.effects}) == 7
    assert found.effects[0].ms == pytest.approx(found.effects[0].ss / 2)


# --- Sphericity of contrasts: what holds for every matrix, and a second implementation ------------------------------


contrasts = st.integers(2, 4).flatmap(
    lambda d: st.lists(st.lists(st.floats(-9, 9), min_size=d, max_size=d), min_size=4, max_size=9)
)


def left(table):
    """The residuals of contrasts after their means."""
    scores = np.array(table, dtype=float)
    return scores - scores.mean(axis=0)


@given(contrasts, st.floats(0.01, 100))
def test_epsilon_has_its_bounds_and_no_scale(table, scale):
    residuals = left(table)
    n, d = residuals.shape
    found = sphericity(residuals, n - 1, d + 1)
    if not math.isnan(found.gg):
        assert 1 / d <= found.gg * (1 + 1e-9)
        assert found.gg <= found.hf * (1 + 1e-9)
        assert found.hf <= 1
        assert sphericity(scale * residuals, n - 1, d + 1).gg == pytest.approx(found.gg, rel=1e-6)


def test_equal_and_uncorrelated_contrasts_are_spherical():
    # ±1 in each of two contrasts, all four combinations: cross-products 4·I, so W = 1 and ε = 1.
    found = sphericity(np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]) * 1.0, 3, 3)
    assert (found.mauchly_w, found.gg, found.hf) == pytest.approx((1, 1, 1))
    assert found.mauchly_p == pytest.approx(1)


def test_equals_pingouin():
    import pingouin

    # pingouin 0.7.0; its lower bounds and series are those of R. Rotating the contrasts changes nothing.
    table = np.random.default_rng(4).normal(size=(11, 4)) * [1, 2, 3, 5]
    helmert = np.array([[1, -1, 0, 0], [1, 1, -2, 0], [1, 1, 1, -3]]) / np.sqrt([[2], [6], [12]])
    found = sphericity(left(table @ helmert.T), 10, 4)
    frame = pd.DataFrame(table)
    spherical = pingouin.sphericity(frame)
    assert (found.mauchly_w, found.mauchly_p) == pytest.approx((spherical.W, spherical.pval), rel=1e-9)
    expected = [pingouin.epsilon(frame, correction=name) for name in ("gg", "hf")]
    assert [found.gg, found.hf] == pytest.approx(expected, rel=1e-9)


def test_two_subjects_and_no_subjects():
    two = sphericity(left([[1, 2], [3, 7]]), 1, 3)
    assert (two.gg, two.hf) == pytest.approx((0.5, 0.5))
    assert math.isnan(two.mauchly_w)
    assert math.isnan(two.mauchly_p)
    assert math.isnan(sphericity(left([[1, 2]]), 0, 3).gg)


def test_contrasts_that_go_together_have_no_mauchly():
    found = sphericity(left([[1, 2], [2, 4], [3, 6], [5, 10]]), 3, 3)
    assert math.isnan(found.mauchly_w)
    assert found.gg == pytest.approx(0.5)


def test_corrected_p_without_a_loss_of_degrees_is_p():
    found = sphericity(np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]) * 1.0, 3, 3)
    # F(2, 6) = 5.143253 is the 5 % point: R's qf(.95, 2, 6).
    assert found.corrected_p(5.14325284978472, 2, 6) == pytest.approx((0.05, 0.05))


# --- Effects between units, adjusted for each other, against plain least squares ------------------------------------


LEVELS = {"cohort": list("aaabbbbbcc"), "list": list("xxyxyyyyxy")}


def explained(columns, scores):
    """Sum of squares that least squares on these columns explains."""
    return float(np.sum((columns @ np.linalg.lstsq(columns, scores, rcond=None)[0]) ** 2))


def dummies(names):
    return np.array([[float(own == level) for level in sorted(set(names))] for own in names])


def test_type_two_is_the_difference_of_two_models():
    scores = np.random.default_rng(1).normal(size=(10, 3))
    model = between_units(LEVELS, 10, "II")
    cohort, group = dummies(LEVELS["cohort"]), dummies(LEVELS["list"])
    cells = dummies([one + two for one, two in zip(*LEVELS.values(), strict=True)])
    both = explained(np.hstack([cohort, group]), scores)
    expected = {
        (): explained(np.ones((10, 1)), scores),
        ("cohort",): both - explained(group, scores),
        ("list",): both - explained(cohort, scores),
        ("cohort", "list"): explained(cells, scores) - both,
    }
    assert {part.factors: part.sum_of_squares(scores) for part in model.parts} == pytest.approx(expected)
    assert [part.df for part in model.parts] == [1, 2, 1, 2]
    assert model.error_df == 4
    left = float(np.sum(scores**2)) - explained(cells, scores)
    assert float(np.sum(model.residuals(scores) ** 2)) == pytest.approx(left)


def test_type_three_compares_unweighted_means():
    # Two groups of 2 and 4: the mean of the two group means, (2 + 8)/2, has the squared length 25 / (1/4·(1/2 + 1/4)).
    scores = np.array([[1.0], [3.0], [7.0], [9.0], [7.0], [9.0]])
    model = between_units({"cohort": list("aabbbb")}, 6, "III")
    assert model.parts[0].sum_of_squares(scores) == pytest.approx(25 / (0.25 * 0.75))
    weighted = between_units({"cohort": list("aabbbb")}, 6, "II")
    assert weighted.parts[0].sum_of_squares(scores) == pytest.approx(36**2 / 6)


def test_equal_groups_make_both_types_agree():
    levels = {"cohort": list("aaaabbbb"), "list": list("xxyyxxyy")}
    scores = np.random.default_rng(2).normal(size=(8, 2))
    two, three = (between_units(levels, 8, sums) for sums in ("II", "III"))
    for one, other in zip(two.parts, three.parts, strict=True):
        assert one.sum_of_squares(scores) == pytest.approx(other.sum_of_squares(scores))


def test_without_factors_there_is_the_mean():
    model = between_units({}, 4, "II")
    assert model.parts[0].sum_of_squares(np.array([[1.0], [2.0], [3.0], [6.0]])) == pytest.approx(36)
    assert model.error_df == 3


def test_an_empty_combination_leaves_type_three_undefined():
    with pytest.raises(DataError, match="a × y"):
        between_units({"cohort": list("aabb"), "list": list("xxxy")}, 4, "III")
