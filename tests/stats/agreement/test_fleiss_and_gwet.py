"""Counts of agreement and the linear form of a coefficient."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import LongRatings, cohen_kappa, fleiss_kappa, gwet_ac, krippendorff_alpha
from textassay.stats.agreement.fleiss_and_gwet import chance_corrected, count_agreement, undefined

tables = st.integers(2, 6).flatmap(
    lambda units: st.lists(st.lists(st.integers(1, 3), min_size=units, max_size=units), min_size=2, max_size=5)
)


def test_counts_by_hand():
    # Units aab, bb, c: pairs that agree 1/3, 1, none; shares (2/3, 1/3, 0), (0, 1, 0), (0, 0, 1).
    data = count_agreement([["a", "b", "c"], ["a", "b", None], ["b", None, None]], None, "identity", "kappa")
    assert data.by_unit == pytest.approx([1 / 3, 1, 0])
    assert data.observed == pytest.approx(2 / 3)
    assert data.shares == pytest.approx(np.array([2 / 3, 4 / 3, 1]) / 3)
    assert data.mean_of_categories(np.array([3.0, 6.0, 1.0])) == pytest.approx([4, 6, 1])
    assert not data.one_category
    assert len(data.warnings()) == 1


@given(tables)
def test_standard_error_without_chance_is_that_of_a_mean(table):
    # For p_e = 0 the coefficient is a plain mean over units, and its standard error that of a mean.
    data = count_agreement(table, [1, 2, 3], "identity", "kappa")
    found = chance_corrected(data, 0.0, np.zeros(data.ratings.units), 0.95)
    assert found.value == pytest.approx(data.by_unit.mean())
    assert found.se == pytest.approx(data.by_unit.std(ddof=1) / np.sqrt(data.ratings.units), abs=1e-12)


@given(tables)
def test_identity_weights_by_pairs_equal_counting(table):
    plain = count_agreement(table, [1, 2, 3], "identity", "kappa")
    linear = count_agreement(table, [1, 2, 3], "linear", "kappa")
    assert np.all(linear.by_unit >= plain.by_unit - 1e-12)
    assert linear.counts.unequal_pairs(plain.weights.between) == pytest.approx(np.zeros(len(table[0])))


def test_undefined_keeps_its_reason():
    assert undefined("why").warnings == ("why",)
    assert np.isnan(undefined("why").value)


# --- Fleiss' kappa against R and statsmodels, by identity, under changes, and on bad data ---------------------------


GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "fleiss_kappa.json").read_text(encoding="utf-8"))["cases"]

tables_fleiss_kappa = st.integers(2, 6).flatmap(
    lambda units: st.lists(st.lists(st.integers(1, 4), min_size=units, max_size=units), min_size=2, max_size=5)
)


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result = fleiss_kappa(case["input"]["ratings"])
    expected = dict(case["expect"])
    assert result.ci == pytest.approx(tuple(expected.pop("ci")), rel=1e-9)
    for key, value in expected.items():
        assert getattr(result, key) == pytest.approx(value, rel=1e-9), key


@given(tables_fleiss_kappa)
def test_equals_statsmodels(table):
    from statsmodels.stats.inter_rater import aggregate_raters
    from statsmodels.stats.inter_rater import fleiss_kappa as their_kappa

    assume(len({value for row in table for value in row}) > 1)
    counts, _ = aggregate_raters(np.array(table).T)
    assert fleiss_kappa(table).kappa == pytest.approx(their_kappa(counts, method="fleiss"))


@given(tables_fleiss_kappa)
def test_nominal_alpha_is_kappa_with_a_correction_for_the_sample(table):
    # D_o and D_e have the same pairs as P and P_e but for the n values paired with themselves: α = κ + (1-κ)/n.
    kappa = fleiss_kappa(table).kappa
    n = np.size(table)
    assert krippendorff_alpha(table, level="nominal").alpha == pytest.approx(kappa + (1 - kappa) / n, nan_ok=True)


@given(tables_fleiss_kappa, st.randoms(use_true_random=False))
def test_order_and_names_do_not_matter(table, random):
    result = fleiss_kappa(table)
    columns = random.sample(range(len(table[0])), len(table[0]))
    names = dict(zip(range(1, 5), random.sample(["w", "x", "y", "z"], 4), strict=True))
    changed = fleiss_kappa([[names[row[column]] for column in columns] for row in random.sample(table, len(table))])
    assert (changed.kappa, changed.se, changed.z) == pytest.approx((result.kappa, result.se, result.z), nan_ok=True)


def test_long_form_and_unused_categories_give_the_same():
    table = GOLDEN[0]["input"]["ratings"]
    rows = [(value, rater, unit) for rater, row in enumerate(table) for unit, value in enumerate(row)]
    wide = fleiss_kappa(table, categories=[1, 2, 3, 4])
    long = fleiss_kappa(LongRatings(*zip(*rows, strict=True)))
    assert (long.kappa, long.se) == pytest.approx((wide.kappa, wide.se))
    assert wide.categories == ("1", "2", "3", "4")


@pytest.mark.parametrize(
    ("ratings", "kappa", "reason"),
    [
        ([["a", "a"], ["a", "a"]], math.nan, "kappa is undefined: every rating is a"),
        ([["a", "b", None], ["a", "b", "b"], ["a", "a", None]], None, "1 of 3 units have one rating only"),
        ([["a", "b", None], ["a", "b", "b"], ["a", "a", None]], None, "the same number of ratings"),
        ([["a", "b"], ["a", "b"]], 1.0, "zero width"),
        ([["a"], ["b"]], -1.0, "one unit only"),
    ],
)
def test_undefined_figures_have_their_reason(ratings, kappa, reason):
    result = fleiss_kappa(ratings)
    assert kappa is None or result.kappa == pytest.approx(kappa, nan_ok=True)
    assert any(reason in warning for warning in result.warnings)


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        ([["a", "b", "a"]], "Fleiss' kappa needs units that at least two raters rated"),
        ([["a", None], [None, "b"]], "no two raters share one"),
        ([[None, None]], "all ratings are missing"),
        ([[1, math.inf], [1, 2]], "infinite"),
        (["a", "b"], r"shape \(raters, units\)"),
    ],
)
def test_bad_ratings_are_refused(ratings, message):
    with pytest.raises(DataError, match=message):
        fleiss_kappa(ratings)


def test_bad_settings_are_refused():
    with pytest.raises(UsageError, match="confidence"):
        fleiss_kappa([[1, 2], [1, 2]], confidence=0)
    with pytest.raises(DataError, match="not among the categories"):
        fleiss_kappa([[1, 2], [1, 2]], categories=[1])


# --- Gwet's AC1 and AC2 against R's formulas and published figures, under changes, and on bad data ------------------


GOLDEN_GWET_AC = json.loads((Path(__file__).parents[2] / "golden" / "gwet_ac.json").read_text(encoding="utf-8"))[
    "cases"
]

tables_gwet_ac = st.integers(2, 6).flatmap(
    lambda units: st.lists(st.lists(st.integers(1, 4), min_size=units, max_size=units), min_size=2, max_size=5)
)


@pytest.mark.parametrize("case", GOLDEN_GWET_AC, ids=[case["id"] for case in GOLDEN_GWET_AC])
def test_equals_r_gwet_ac(case):
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


@given(tables_gwet_ac, st.randoms(use_true_random=False))
def test_order_and_names_do_not_matter_gwet_ac(table, random):
    result = gwet_ac(table)
    columns = random.sample(range(len(table[0])), len(table[0]))
    names = dict(zip(range(1, 5), random.sample(["w", "x", "y", "z"], 4), strict=True))
    changed = gwet_ac([[names[row[column]] for column in columns] for row in random.sample(table, len(table))])
    assert (changed.ac, changed.se) == pytest.approx((result.ac, result.se), nan_ok=True)


@given(tables_gwet_ac, st.integers(1, 9), st.integers(-20, 20))
def test_weights_do_not_change_with_unit_and_origin(table, factor, shift):
    moved = factor * np.array(table) + shift
    for weights in ("linear", "quadratic", "ordinal"):
        result, other = gwet_ac(table, weights=weights), gwet_ac(moved, weights=weights)
        assert (other.ac, other.se) == pytest.approx((result.ac, result.se), nan_ok=True)


@given(tables_gwet_ac)
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
def test_undefined_figures_have_their_reason_gwet_ac(ratings, settings, ac, reason):
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
def test_bad_ratings_are_refused_gwet_ac(ratings, message):
    with pytest.raises(DataError, match=message):
        gwet_ac(ratings)


def test_bad_settings_are_refused_gwet_ac():
    with pytest.raises(UsageError, match="order of the categories"):
        gwet_ac([["a", "b"], ["b", "b"]], weights="linear")
    with pytest.raises(UsageError, match="weights must be one of"):
        gwet_ac([[1, 2], [2, 2]], weights="equal")
    with pytest.raises(DataError, match="Gwet's AC2 needs"):
        gwet_ac([[1, 2]], weights="linear")
