"""Krippendorff's alpha against R and published figures, under changes, with its bootstrap, and on bad data."""

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import LongRatings, icc, krippendorff_alpha
from textassay.stats.agreement.krippendorff_alpha import disagreement, ratio_spread
from textassay.stats.agreement.ratings import read_numbers

FILE = Path(__file__).parents[2] / "golden" / "krippendorff_alpha.json"
GOLDEN = json.loads(FILE.read_text(encoding="utf-8"))["cases"]
GAPS = GOLDEN[0]["input"]["ratings"]
LEVELS = ("nominal", "ordinal", "interval", "ratio")

cell = st.one_of(st.none(), st.integers(1, 5))
tables = st.integers(2, 6).flatmap(
    lambda units: st.lists(st.lists(cell, min_size=units, max_size=units), min_size=2, max_size=5).filter(
        lambda table: any(sum(x is not None for x in unit) > 1 for unit in zip(*table, strict=True))
    )
)


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_its_witness(case):
    result = krippendorff_alpha(case["input"]["ratings"], **case["settings"])
    assert result.alpha == pytest.approx(case["expect"]["alpha"], rel=1e-9)
    assert result.alpha != pytest.approx(case["expect"].get("irr_wrong", math.inf), rel=1e-3)


def test_published_figures():
    # Krippendorff (2011): .743, .815, .849, .797; 40 pairable values in 11 units.
    found = [krippendorff_alpha(GAPS, level=level) for level in LEVELS]
    assert [round(result.alpha, 3) for result in found] == [0.743, 0.815, 0.849, 0.797]
    assert {(result.n, result.units, result.raters) for result in found} == {(40, 11, 4)}
    assert found[0].warnings == ("1 of 41 values are the only one of their unit and are excluded",)


@pytest.mark.parametrize("level", LEVELS)
@given(tables, st.randoms(use_true_random=False))
def test_order_of_raters_and_units_does_not_matter(level, table, random):
    columns = random.sample(range(len(table[0])), len(table[0]))
    shuffled = [[row[column] for column in columns] for row in random.sample(table, len(table))]
    expected = krippendorff_alpha(table, level=level).alpha
    assert krippendorff_alpha(shuffled, level=level).alpha == pytest.approx(expected, nan_ok=True, abs=1e-12)


CHANGES = {
    "nominal": lambda x: "abcde"[(3 * x) % 5],
    "ordinal": math.exp,
    "interval": lambda x: -7 * x + 100,
    "ratio": lambda x: 0.3 * x,
}
"""What each level does not notice: other names, a monotone change, another unit and origin, another unit."""


@pytest.mark.parametrize("level", LEVELS)
@given(table=tables)
def test_each_level_ignores_what_it_does_not_measure(level, table):
    changed = [[None if x is None else CHANGES[level](x) for x in row] for row in table]
    expected = krippendorff_alpha(table, level=level).alpha
    assert krippendorff_alpha(changed, level=level).alpha == pytest.approx(expected, nan_ok=True, abs=1e-9)


@given(tables)
def test_two_values_are_alike_at_every_level_but_ratio(table):
    binary = [[None if x is None else int(x > 2) for x in row] for row in table]
    nominal = krippendorff_alpha(binary, level="nominal").alpha
    for level in LEVELS[1:]:  # with 0 and 1 even the ratio of the two is always the whole
        assert krippendorff_alpha(binary, level=level).alpha == pytest.approx(nominal, nan_ok=True, abs=1e-12)


def test_interval_alpha_follows_from_the_mean_squares():
    # D_o is twice the mean square within items, D_e twice the total one, which psych's table for the ICC gives:
    # F = B/W with W known from ICC1 = (B-W) / (B+(k-1)W).
    ratings = np.array([[4, 5, 3, 4, 2, 5], [5, 5, 3, 3, 2, 4], [3, 4, 4, 4, 1, 5]], dtype=float)
    k, n = ratings.shape
    f = icc(ratings).form("ICC1").f
    total = ((n - 1) * f + n * (k - 1)) / (k * n - 1)  # in units of W
    assert krippendorff_alpha(ratings).alpha == pytest.approx(1 - 1 / total)


def test_long_form_gives_the_same():
    rows = [(value, rater, unit) for rater, row in enumerate(GAPS) for unit, value in enumerate(row)]
    long = LongRatings(*zip(*rows, strict=True))
    for level in LEVELS:
        assert krippendorff_alpha(long, level=level).alpha == krippendorff_alpha(GAPS, level=level).alpha


# --- bootstrap ------------------------------------------------------------------------------------------------------


def test_interval_is_the_same_again_and_another_with_another_seed():
    first = krippendorff_alpha(GAPS, draws=200)
    assert first.ci == krippendorff_alpha(GAPS, draws=200).ci
    assert first.ci != krippendorff_alpha(GAPS, draws=200, seed=1).ci
    assert first.settings["resampled"] == "units"
    assert krippendorff_alpha(GAPS).ci is None


@pytest.mark.parametrize("level", LEVELS)
def test_interval_holds_the_value_and_narrows_with_confidence(level):
    draw = np.random.default_rng(1)
    ratings = np.clip(np.round(draw.normal(4, 1, 60) + draw.normal(0, 0.7, (3, 60))), 1, 7)
    wide = krippendorff_alpha(ratings, level=level, draws=400, confidence=0.99)
    narrow = krippendorff_alpha(ratings, level=level, draws=400, confidence=0.5)
    assert wide.ci[0] < narrow.ci[0] < wide.alpha < narrow.ci[1] < wide.ci[1]


def test_interval_covers_the_truth():
    # Truth and error of equal variance: alpha tends to 1/2. 80 samples of 60 units at 90 %: 72 ± 2.7 expected.
    draw = np.random.default_rng(2)
    hits = 0
    for sample in range(80):
        ratings = draw.normal(size=60) + draw.normal(size=(2, 60))
        low, high = krippendorff_alpha(ratings, draws=200, confidence=0.9, seed=sample).ci
        hits += low <= 0.5 <= high
    assert 63 <= hits <= 79


def test_draws_with_one_value_only_are_counted():
    result = krippendorff_alpha([[1, 1, 2], [1, 1, 2]], level="nominal", draws=100)
    assert result.ci == (1, 1)
    assert "zero width" in result.warnings[0]
    mixed = krippendorff_alpha([[1, 1, 2], [1, 1, 1]], level="nominal", draws=100)
    assert "draws that hold one value only" in mixed.warnings[0]


# --- what cannot be computed ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_constant_data_has_no_alpha(level):
    result = krippendorff_alpha([[0.1] * 3] * 7, level=level, draws=10)
    assert math.isnan(result.alpha)
    assert all(math.isnan(end) for end in result.ci)
    assert "all 21 values are equal" in result.warnings[0]


def test_one_unit_has_no_interval_with_a_width():
    result = krippendorff_alpha([[1], [2]], draws=10)
    assert result.alpha == 0
    assert "alpha is 0 by its formula" in result.warnings[0]
    assert "zero width" in result.warnings[1]
    assert krippendorff_alpha([[1], [2], [2]]).alpha == 0  # not 1e-16


@pytest.mark.parametrize(
    ("ratings", "settings", "message"),
    [
        ([[1, 2, 3]], {}, "Krippendorff's alpha needs units that at least two raters rated"),
        ([[1, None], [None, 2]], {}, "no two raters share one"),
        ([[None, None], [None, None]], {}, "all ratings are missing"),
        ([[1, 2], [1, math.inf]], {}, "infinite"),
        ([[1, 2], [1]], {}, "numbers only"),
        ([["a", "b"], ["a", "a"]], {"level": "ordinal"}, "numbers only"),
        ([[-1, 2], [1, 2]], {"level": "ratio"}, "from 0 up"),
        ([1, 2], {}, "shape"),
    ],
)
def test_bad_ratings_are_refused(ratings, settings, message):
    with pytest.raises(DataError, match=message):
        krippendorff_alpha(ratings, **settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"level": "metric"}, "level must be one of nominal"),
        ({"draws": -1}, "draws"),
        ({"confidence": 2}, "confidence"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(UsageError, match=message):
        krippendorff_alpha([[1, 2], [2, 2]], **settings)


def test_memory_grows_with_the_ratings_only():
    # 20,000 different values: a table of all pairs would hold 4·10⁸ cells (3 GB) for one unit alone.
    import tracemalloc

    ratings = np.random.default_rng(3).lognormal(size=(2, 10_000))
    tracemalloc.start()
    for level in LEVELS:
        krippendorff_alpha(ratings, level=level)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100 * ratings.nbytes


# --- Observed and expected disagreement against the definition, also where units count several times ----------------


LEVELS_DISAGREEMENT = ("nominal", "ordinal", "interval", "ratio")


def apart(level, a, b, everything):
    """δ² as Krippendorff (2011) defines it."""
    if a == b:
        return 0.0
    if level == "nominal":
        return 1.0
    if level == "interval":
        return (a - b) ** 2
    if level == "ratio":
        return ((a - b) / (a + b)) ** 2
    low, high = min(a, b), max(a, b)
    between = sum(low <= x <= high for x in everything)
    return (between - (everything.count(low) + everything.count(high)) / 2) ** 2


def by_definition(units, level):
    everything = [x for unit in units for x in unit]
    n = len(everything)
    observed = sum(
        sum(apart(level, a, b, everything) for a, b in itertools.permutations(unit, 2)) / (len(unit) - 1)
        for unit in units
    )
    expected = sum(apart(level, a, b, everything) for a, b in itertools.permutations(everything, 2))
    return observed / n, expected / (n * (n - 1))


def measured(units, level):
    longest = max(map(len, units))
    table = [[unit[row] if row < len(unit) else None for unit in units] for row in range(longest)]
    return disagreement(read_numbers(table, "alpha").pairable(), level)


some_units = st.lists(st.lists(st.integers(0, 5), min_size=2, max_size=4), min_size=2, max_size=5)


@pytest.mark.parametrize("level", LEVELS_DISAGREEMENT)
@given(some_units)
def test_equals_the_definition(level, units):
    found = measured(units, level).of(np.ones(len(units)))
    assert found == pytest.approx(by_definition(units, level), abs=1e-12)


@pytest.mark.parametrize("level", LEVELS_DISAGREEMENT)
@given(some_units, st.lists(st.integers(0, 3), min_size=5, max_size=5))
def test_unit_that_counts_twice_equals_its_copy(level, units, times):
    drawn = times[: len(units)]
    assume(sum(drawn) > 0)
    copies = [unit for unit, count in zip(units, drawn, strict=True) for _ in range(count)]
    found = measured(units, level).of(np.array(drawn, dtype=float))
    assert found == pytest.approx(by_definition(copies, level), abs=1e-9)


def test_large_offset_costs_no_digits():
    units = [[1, 2], [3, 3], [5, 4]]
    far = [[x + 1e9 for x in unit] for unit in units]
    ones = np.ones(3)
    assert measured(far, "interval").of(ones) == pytest.approx(measured(units, "interval").of(ones), rel=1e-12)


def test_negative_values_have_no_ratio():
    with pytest.raises(DataError, match="ratio level needs values from 0 up, the least is -1"):
        measured([[-1, 2], [3, 3]], "ratio")


# --- The sum of squared relative differences against all pairs, for every kind of spread ----------------------------


def all_pairs(values, counts):
    a, b = values[:, None], values
    with np.errstate(invalid="ignore"):
        apart = np.nan_to_num(((a - b) / (a + b)) ** 2)  # 0 and 0 do not differ
    return counts @ apart @ counts


@pytest.mark.parametrize("spread", [1e-9, 1e-4, 0.1, 1, 5])
@pytest.mark.parametrize("zero", [True, False])
def test_nodes_equal_all_pairs(spread, zero):
    draw = np.random.default_rng(4)
    values = np.unique(np.exp(spread * draw.normal(size=1500)))
    values = np.concatenate([[0.0], values]) if zero else values
    counts = draw.integers(1, 6, size=values.size).astype(float)
    compressed = ratio_spread(values, direct=0)
    assert compressed.nodes.size < values.size
    assert compressed.sum(counts) == pytest.approx(all_pairs(values, counts), rel=1e-12)
    assert ratio_spread(values, direct=10_000).sum(counts) == pytest.approx(all_pairs(values, counts), rel=1e-12)


@given(st.lists(st.floats(1e-3, 1e6), min_size=1, max_size=30, unique=True), st.booleans())
def test_few_values_equal_all_pairs(values, zero):
    sorted_values = np.array(sorted([0.0] * zero + values))
    counts = np.arange(1.0, sorted_values.size + 1)
    found = ratio_spread(sorted_values).sum(counts)
    assert found == pytest.approx(all_pairs(sorted_values, counts), rel=1e-9, abs=1e-12)


def test_values_over_the_whole_range_of_floats():
    values = np.array([0.0, 1e-300, 1.0, 1e300])
    assert ratio_spread(values).sum(np.ones(4)) == pytest.approx(12)  # every pair differs by the whole


def test_zero_alone():
    assert ratio_spread(np.array([0.0])).sum(np.array([5.0])) == 0


def test_value_on_a_node_counts_once():
    # The middle Chebyshev points of even degree never hit; the ends of stretches and exact nodes must not divide by 0.
    values = np.exp(np.linspace(0, 1, 2049))
    assert ratio_spread(values, direct=0).sum(np.ones(2049)) == pytest.approx(all_pairs(values, np.ones(2049)))
