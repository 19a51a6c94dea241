"""Observed and expected disagreement against the definition, also where units count several times."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.stats.agreement.disagreement import disagreement
from textassay.stats.agreement.unit_ratings import read_numbers

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
