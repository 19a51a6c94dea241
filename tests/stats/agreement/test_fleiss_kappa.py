"""Fleiss' kappa against R and statsmodels, by identity, under changes, and on bad data."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as their_kappa

from textassay.errors import DataError, UsageError
from textassay.stats import LongRatings, fleiss_kappa, krippendorff_alpha

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "fleiss_kappa.json").read_text(encoding="utf-8"))["cases"]

tables = st.integers(2, 6).flatmap(
    lambda units: st.lists(st.lists(st.integers(1, 4), min_size=units, max_size=units), min_size=2, max_size=5)
)


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result = fleiss_kappa(case["input"]["ratings"])
    expected = dict(case["expect"])
    assert result.ci == pytest.approx(tuple(expected.pop("ci")), rel=1e-9)
    for key, value in expected.items():
        assert getattr(result, key) == pytest.approx(value, rel=1e-9), key


@given(tables)
def test_equals_statsmodels(table):
    assume(len({value for row in table for value in row}) > 1)
    counts, _ = aggregate_raters(np.array(table).T)
    assert fleiss_kappa(table).kappa == pytest.approx(their_kappa(counts, method="fleiss"))


@given(tables)
def test_nominal_alpha_is_kappa_with_a_correction_for_the_sample(table):
    # D_o and D_e have the same pairs as P and P_e but for the n values paired with themselves: α = κ + (1-κ)/n.
    kappa = fleiss_kappa(table).kappa
    n = np.size(table)
    assert krippendorff_alpha(table, level="nominal").alpha == pytest.approx(kappa + (1 - kappa) / n, nan_ok=True)


@given(tables, st.randoms(use_true_random=False))
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
        ([["a", "b"], ["a", "b"]], 1.0, "no width"),
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
