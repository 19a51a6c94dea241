"""Effects of covariates against R's `lm` and `sandwich::vcovCL`."""

from __future__ import annotations

import math

import numpy as np
import pytest

from textassay.stats.crossed.clustered_effects import clustered_effects
from textassay.stats.crossed.crossed_design import CrossedDesign

SYSTEMS = np.array(["abc".index(each) for each in "bbacaccbbcaaacbbcabbacacbcbcaacabbcabaccabaccabb"])
ITEMS = np.array([int(each) - 1 for each in "365421652341624153365124562341564123354126436125"])
_VALUES = """
    0.93 2.62 0.6 3.53 2.6 2.41 3.03 1.56 0.93 1.92 1.38 0.51 0.06 1 -1.86 2.09 1.38 -1.13 0.27 -0.41 0.93 1.7 1.6 1.45
    1.87 0.99 2.76 1.73 2.07 2.21 0.48 -1.7 -0.4 -0.66 0.67 -0.67 -1.76 -2.14 -2.06 0.12 -1.55 -3.09 -0.46 0.82 -0.85
    1.36 -0.64 -2.19
"""
VALUES = np.array(_VALUES.split(), dtype=float)
PEOPLE, PLACES = np.divmod(np.arange(48), 6)
BEFORE = np.where(PLACES > 0, np.roll(SYSTEMS, 1), -1)
CODED = np.column_stack([(BEFORE == 0) * 1.0 - (BEFORE == 2), (BEFORE == 1) * 1.0 - (BEFORE == 2)])


def design(systems: np.ndarray = SYSTEMS, items: np.ndarray = ITEMS) -> CrossedDesign:
    return CrossedDesign(np.eye(3)[systems], PEOPLE, items, np.zeros((48, 0)))


def test_the_same_as_in_r() -> None:
    # m <- lm(y ~ system + factor(person) + factor(item) + place + c1 + c2)
    # V <- sandwich::vcovCL(m, cluster = ~ person, type = "HC1")   (R 4.2.2, sandwich 3.0-2)
    place, before = clustered_effects(design(), VALUES, PLACES[:, None] * 1.0, CODED)
    assert place is not None
    assert before is not None
    assert place.estimates == pytest.approx([-0.1430577658048])
    assert place.se == pytest.approx([0.0805962373409])
    assert (place.df, place.p) == ((1, 7), pytest.approx(0.1191638, abs=1e-7))  # t(7) of R
    assert before.estimates == pytest.approx([-0.1570383542047, -0.0555463172925])
    assert before.se == pytest.approx([0.1749743707837, 0.3053548600281])
    # W <- t(b) %*% solve(V) %*% b; F <- W * (8 - 2) / (2 * (8 - 1)); pf(F, 2, 6, lower.tail = FALSE)
    assert (before.f, before.p) == (pytest.approx(0.468596, abs=1e-6), pytest.approx(0.6469975, abs=1e-7))


def test_what_the_design_does_not_tell_apart_has_no_effect_and_disturbs_no_other() -> None:
    of_items = (ITEMS * 2.0)[:, None]
    place, alone = clustered_effects(design(), VALUES, PLACES[:, None] * 1.0, of_items)
    assert alone is None
    (again,) = clustered_effects(design(), VALUES, PLACES[:, None] * 1.0)
    assert place is not None
    assert again is not None
    assert place.p == pytest.approx(again.p)
    assert clustered_effects(design(), VALUES, of_items) == [None]


def test_more_coefficients_than_participants_have_no_p() -> None:
    one_hot = np.eye(6)[PLACES][:, 1:]
    (known,) = clustered_effects(design(), VALUES, one_hot)
    assert known is not None
    assert known.df == (5, 3)
    few = PEOPLE < 5
    small = CrossedDesign(np.eye(3)[SYSTEMS[few]], PEOPLE[few], ITEMS[few], np.zeros((int(few.sum()), 0)))
    (unknown,) = clustered_effects(small, VALUES[few], one_hot[few])
    assert unknown is not None
    assert math.isnan(unknown.p)
