"""Gwet's AC1 and AC2 against R's formulas and published figures, under changes, and on bad data."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import cohen_kappa, gwet_ac

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "gwet_ac.json").read_text(encoding="utf-8"))["cases"]

tables = st.integers(2, 6).flatmap(
    lambda units: st.lists(st.lists(st.integers(1, 4), min_size=units, max_size=units), min_size=2, max_size=5)
)


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result = gwet_ac(case["input"]["ratings"], **case.get("settings", {}))
    expected = dict(case["expect"])
    assert result.ci == pytest.approx(tuple(expected.pop("ci")), rel=1e-9)
    for key, value in expected.items():
        assert getattr(result, key) == pytest.approx(value, rel=1e-9), key


def test_published_figures_of_two_abstractors():
    # 100 pregnancies; the vignette of R irrCAC prints AC2 .9402369, se .01792019 for quadratic weights. Its function
    # for tables divides the squares by n², the one for raw ratings, as here, by n(n-1).
    cells = {("e", "e"): 13, ("a", "a"): 20, ("a", "n"): 7, ("n", "a"): 4, ("n", "n"): 56}
    first = [a for (a, _), count in cells.items() for _ in range(count)]
    second = [b for (_, b), count in cells.items() for _ in range(count)]
    result = gwet_ac([first, second], weights="quadratic", categories=["e", "a", "n"])
    assert (round(result.ac, 7), round(result.se * math.sqrt(99 / 100), 8)) == (0.9402369, 0.01792019)
    weighted = cohen_kappa(first, second, weights="quadratic", categories=["e", "a", "n"])
    assert round(weighted.kappa, 7) == 0.8921569  # the same page
    assert (result.name, gwet_ac([first, second]).name) == ("AC2", "AC1")


def test_does_not_collapse_where_one_category_is_rare():
    # 118 yes/yes, 5 + 2 mixed, 0 no/no: p_o = .944, kappa is negative; AC1 has p_e = 2π(1-π) with π = 7/250 = .028.
    first = ["yes"] * 118 + ["yes"] * 5 + ["no"] * 2
    second = ["yes"] * 118 + ["no"] * 5 + ["yes"] * 2
    chance = 2 * 0.028 * 0.972
    assert gwet_ac([first, second]).ac == pytest.approx((0.944 - chance) / (1 - chance))
    assert cohen_kappa(first, second).kappa < 0


@given(tables, st.randoms(use_true_random=False))
def test_order_and_names_do_not_matter(table, random):
    result = gwet_ac(table)
    columns = random.sample(range(len(table[0])), len(table[0]))
    names = dict(zip(range(1, 5), random.sample(["w", "x", "y", "z"], 4), strict=True))
    changed = gwet_ac([[names[row[column]] for column in columns] for row in random.sample(table, len(table))])
    assert (changed.ac, changed.se) == pytest.approx((result.ac, result.se), nan_ok=True)


@given(tables, st.integers(1, 9), st.integers(-20, 20))
def test_weights_do_not_change_with_unit_and_origin(table, factor, shift):
    moved = factor * np.array(table) + shift
    for weights in ("linear", "quadratic", "ordinal"):
        result, other = gwet_ac(table, weights=weights), gwet_ac(moved, weights=weights)
        assert (other.ac, other.se) == pytest.approx((result.ac, result.se), nan_ok=True)


@given(tables)
def test_stays_at_or_below_1(table):
    result = gwet_ac(table, categories=[1, 2, 3, 4])
    assert result.ac <= 1 + 1e-12
    assert math.isnan(result.ci[1]) or result.ci[1] <= 1 + 1e-12


def test_unused_category_counts():
    table = [[1, 2, 2, 1], [1, 2, 1, 1]]
    assert gwet_ac(table, categories=[1, 2, 3]).ac > gwet_ac(table).ac


@pytest.mark.parametrize(
    ("ratings", "settings", "ac", "reason"),
    [
        ([["a", "a"], ["a", "a"]], {}, math.nan, "one category only (a)"),
        ([["a", "a"], ["a", "a"]], {"categories": ["a", "b"]}, 1.0, "p is undefined"),
        ([[1], [2]], {}, None, "one unit only"),
        ([[1, 2, 3], [1, 2, None]], {}, None, "1 of 3 units have one rating only"),
    ],
)
def test_undefined_figures_have_their_reason(ratings, settings, ac, reason):
    result = gwet_ac(ratings, **settings)
    assert ac is None or result.ac == pytest.approx(ac, nan_ok=True)
    assert any(reason in warning for warning in result.warnings)


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        ([[1, 2, 3]], "Gwet's AC1 needs units that at least two raters rated"),
        ([[None], [None]], "all ratings are missing"),
        ([[1, -math.inf], [1, 2]], "infinite"),
        ([1, 2], "shape"),
    ],
)
def test_bad_ratings_are_refused(ratings, message):
    with pytest.raises(DataError, match=message):
        gwet_ac(ratings)


def test_bad_settings_are_refused():
    with pytest.raises(UsageError, match="order of the categories"):
        gwet_ac([["a", "b"], ["b", "b"]], weights="linear")
    with pytest.raises(UsageError, match="weights must be one of"):
        gwet_ac([[1, 2], [2, 2]], weights="equal")
    with pytest.raises(DataError, match="Gwet's AC2 needs"):
        gwet_ac([[1, 2]], weights="linear")
