"""Percentage agreement against R, by hand, under changes, and on bad data."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import fleiss_kappa, percentage_agreement

FILE = Path(__file__).parents[2] / "golden" / "percentage_agreement.json"
GOLDEN = json.loads(FILE.read_text(encoding="utf-8"))["cases"]

tables = st.integers(2, 6).flatmap(
    lambda units: st.lists(st.lists(st.integers(1, 4), min_size=units, max_size=units), min_size=2, max_size=5)
)


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result = percentage_agreement(case["input"]["ratings"], **case.get("settings", {}))
    expected = dict(case["expect"])
    assert result.ci == pytest.approx(tuple(expected.pop("ci")), rel=1e-9)
    for key, value in expected.items():
        assert getattr(result, key) == pytest.approx(value, rel=1e-9), key
    assert (result.n, result.units) == (40, 11)
    assert result.warnings == ("1 of 41 ratings are the only one of their unit and are excluded",)


@given(tables)
def test_is_what_fleiss_kappa_calls_observed(table):
    assert percentage_agreement(table).agreement == pytest.approx(fleiss_kappa(table).observed)


@given(tables, st.randoms(use_true_random=False))
def test_order_and_names_do_not_matter(table, random):
    columns = random.sample(range(len(table[0])), len(table[0]))
    names = dict(zip(range(1, 5), random.sample(["w", "x", "y", "z"], 4), strict=True))
    changed = [[names[row[column]] for column in columns] for row in random.sample(table, len(table))]
    before, after = percentage_agreement(table), percentage_agreement(changed)
    assert (after.agreement, after.unanimous, after.pooled) == pytest.approx(
        (before.agreement, before.unanimous, before.pooled)
    )


@given(tables, st.floats(0, 4))
def test_tolerance_only_adds(table, tolerance):
    assert percentage_agreement(table, tolerance=tolerance).agreement >= percentage_agreement(table).agreement
    assert percentage_agreement(table, tolerance=3).agreement == 1


def test_tolerance_does_not_trip_over_floats():
    # 0.3 - 0.1 is 0.19999999999999998 and 0.8 - 0.6 is 0.20000000000000007.
    assert percentage_agreement([[0.3, 0.8], [0.1, 0.6]], tolerance=0.2).agreement == 1


def test_units_that_do_not_vary_have_no_width():
    result = percentage_agreement([["a", "b"], ["a", "b"]])
    assert result.ci == (1, 1)
    assert "zero width" in result.warnings[0]
    alone = percentage_agreement([["a"], ["b"]])
    assert math.isnan(alone.ci[0])
    assert "one unit only" in alone.warnings[0]


@pytest.mark.parametrize(
    ("ratings", "settings", "message"),
    [
        ([[1, 2, 3]], {}, "percentage agreement needs units that at least two raters rated"),
        ([[1, None], [None, 1]], {}, "no two raters share one"),
        ([[None], [None]], {}, "all ratings are missing"),
        ([[1, math.inf], [1, 2]], {}, "infinite"),
        ([["a"], ["b"]], {"tolerance": 1}, "numbers only"),
    ],
)
def test_bad_ratings_are_refused(ratings, settings, message):
    with pytest.raises(DataError, match=message):
        percentage_agreement(ratings, **settings)


@pytest.mark.parametrize("tolerance", [-1, math.inf, math.nan])
def test_bad_tolerance_is_refused(tolerance):
    with pytest.raises(UsageError, match="tolerance must be a number from 0 up"):
        percentage_agreement([[1, 2], [1, 2]], tolerance=tolerance)
