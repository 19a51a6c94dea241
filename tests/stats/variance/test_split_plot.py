"""The effects of designs within and between units: a second implementation, and generalised η²."""

import numpy as np
import pytest
from statsmodels.stats.anova import AnovaRM

from textassay.stats.variance.cell_means import cell_means
from textassay.stats.variance.split_plot import split_plot


def made_up(subjects=7, shape=(3, 2, 4), seed=3):
    """Values in three factors within subjects."""
    random = np.random.default_rng(seed)
    places = np.indices((subjects, *shape)).reshape(4, -1)
    return random.normal(size=places.shape[1]), places[0], dict(zip(("a", "b", "c"), places[1:], strict=True))


def test_three_factors_within_equal_statsmodels():
    import pandas as pd

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
