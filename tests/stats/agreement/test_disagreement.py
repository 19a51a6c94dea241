"""Observed and expected disagreement against the definition, also where units count several times."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.stats.agreement.disagreement import disagreement, ratio_spread
from textassay.stats.agreement.ratings import read_numbers

LEVELS = ("nominal", "ordinal", "interval", "ratio")


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


@pytest.mark.parametrize("level", LEVELS)
@given(some_units)
def test_equals_the_definition(level, units):
    found = measured(units, level).of(np.ones(len(units)))
    assert found == pytest.approx(by_definition(units, level), abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
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
