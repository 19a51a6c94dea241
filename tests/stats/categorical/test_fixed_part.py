"""Columns of the fixed part, and rows for settings and levels."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.errors import UsageError
from textassay.stats.categorical.fixed_part import fixed_part
from textassay.stats.mixed.mixed_design import MixedFormula

RNG = np.random.default_rng(1)
SYSTEM, COHORT = ["a", "b", "c"] * 8, ["l", "m"] * 12
LENGTH = RNG.normal(size=24).tolist()
VARIABLES = {"system": SYSTEM, "cohort": COHORT, "length": LENGTH}
TERMS = ["system", "cohort", "length", "system:cohort", "cohort:system:length"]


@pytest.mark.parametrize("coding", ["treatment", "sum"])
@pytest.mark.parametrize("intercept", [True, False])
def test_a_setting_gives_the_row_of_an_observation_that_has_it(coding, intercept):
    part = fixed_part(24, VARIABLES, MixedFormula(TERMS, coding=coding), intercept=intercept)
    for row in range(24):
        found = part.design.row({name: column[row] for name, column in VARIABLES.items()})
        np.testing.assert_allclose(found, part.matrix.x[row], atol=1e-15)


@pytest.mark.parametrize("coding", ["treatment", "sum"])
def test_a_level_is_the_mean_over_all_others(coding):
    part = fixed_part(24, VARIABLES, MixedFormula(TERMS, coding=coding), intercept=False)
    levels, rows = part.design.level_rows("system")
    assert levels == ("a", "b", "c")
    mean = float(np.mean(LENGTH))
    for level, row in zip(levels, rows, strict=True):
        settings = [{"system": level, "cohort": cohort, "length": mean} for cohort in ("l", "m")]
        np.testing.assert_allclose(row, np.mean([part.design.row(setting) for setting in settings], axis=0), atol=1e-14)


def test_without_a_term():
    part = fixed_part(24, VARIABLES, MixedFormula(["system", "length"]), intercept=False)
    assert part.without(part.matrix.term("system")).names == ("length",)
    assert part.matrix.names == ("system[b]", "system[c]", "length")
    assert part.whole.names == ("(intercept)", "system[b]", "system[c]", "length")


def test_a_constant_column_is_an_intercept_and_goes_even_where_there_is_none():
    part = fixed_part(24, {"length": LENGTH, "one": [1.0] * 24}, MixedFormula(), intercept=False)
    assert part.matrix.names == ("length",)
    assert part.warnings == ("column one is dropped: it is a combination of earlier columns",)


def test_levels_that_the_data_cannot_tell_are_nan():
    # No observation has c and m, so there is no mean of c over both cohorts.
    kept = [row for row in range(24) if (SYSTEM[row], COHORT[row]) != ("c", "m")]
    some = {name: [VARIABLES[name][row] for row in kept] for name in ("system", "cohort")}
    part = fixed_part(len(kept), some, MixedFormula(["system", "cohort", "system:cohort"]), intercept=False)
    _, rows = part.design.level_rows("system")
    assert np.isnan(rows).any(axis=1).tolist() == [False, False, True]


def test_settings_must_be_whole():
    design = fixed_part(24, VARIABLES, MixedFormula(), intercept=False).design
    with pytest.raises(UsageError, match="'cohort' is missing; give system, cohort, length"):
        design.row({"system": "a", "length": 1.0})
    with pytest.raises(UsageError, match="'size' is no variable"):
        design.row({"system": "a", "cohort": "l", "length": 1.0, "size": 2})
    with pytest.raises(UsageError, match="system has no level 'd'; it has a, b, c"):
        design.row({"system": "d", "cohort": "l", "length": 1.0})
