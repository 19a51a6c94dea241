"""What is drawn: observations, clusters, crossed clusters; the quick way and the plain one."""

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.seeds import Stream
from textassay.stats.resampling.resampled_units import Resampling, read_units
from textassay.stats.resampling.resamples import resample_counts
from textassay.stats.resampling.weighted_statistics import mean_sums, weighted_median

DRAW = np.random.Generator(np.random.PCG64(3))
VALUES = DRAW.normal(size=60)
PARTICIPANTS = np.repeat(np.arange(6), 10)
ITEMS = np.tile(np.arange(10), 6)


def weighted_mean(values, weights):
    return (weights @ values) / weights.sum(axis=1)


@pytest.mark.parametrize("clusters", [None, PARTICIPANTS, {"participant": PARTICIPANTS, "item": ITEMS}])
def test_sums_and_functions_of_weights_agree(clusters):
    units = read_units(clusters, 60)
    by_sums = Resampling.of(units, VALUES, mean_sums(VALUES))
    by_weights = Resampling.of(units, VALUES, weighted_mean)
    assert by_sums.drawn(40, 1) == pytest.approx(by_weights.drawn(40, 1))
    assert by_sums.observed() == pytest.approx(by_weights.observed()) == pytest.approx(VALUES.mean())


def test_a_cluster_comes_with_all_that_is_in_it():
    found = Resampling.of(read_units(PARTICIPANTS, 60), VALUES, mean_sums(VALUES)).drawn(25, 9)
    counts = resample_counts(Stream(9, "bootstrap", 0), 6, 25)
    for draw, row in zip(found, counts.astype(int), strict=True):
        again = np.concatenate([VALUES[unit == PARTICIPANTS] for unit in np.repeat(np.arange(6), row)])
        assert draw == pytest.approx(again.mean())


def test_crossed_clusters_count_by_both():
    units = read_units({"participant": PARTICIPANTS, "item": ITEMS}, 60)
    found = Resampling.of(units, VALUES, weighted_median).drawn(25, 9)
    people = resample_counts(Stream(9, "bootstrap", 0), 6, 25).astype(int)
    items = resample_counts(Stream(9, "bootstrap", 1), 10, 25).astype(int)
    for draw, one, other in zip(found, people, items, strict=True):
        again = np.repeat(VALUES, one[PARTICIPANTS] * other[ITEMS])
        assert draw == (np.median(again) if again.size else np.nan)


def test_leaving_out_each_unit():
    units = read_units(PARTICIPANTS, 60)
    expected = [VALUES[unit != PARTICIPANTS].mean() for unit in range(6)]
    assert Resampling.of(units, VALUES, mean_sums(VALUES)).left_out() == pytest.approx(expected)
    assert Resampling.of(units, VALUES, weighted_mean).left_out() == pytest.approx(expected)
    crossed = read_units({"a": PARTICIPANTS, "b": ITEMS}, 60)
    assert Resampling.of(crossed, VALUES, weighted_mean).left_out() is None
    assert Resampling.of(crossed, VALUES, mean_sums(VALUES)).left_out() is None
    many = Resampling.of(read_units(None, 20_000), np.zeros(20_000), weighted_mean)
    assert many.left_out() is None  # 4·10⁸ weights


def test_columns_that_do_not_fit_are_refused():
    with pytest.raises(DataError, match="values has 3, participant has 2"):
        read_units({"participant": ["a", "b"]}, 3)
    with pytest.raises(DataError, match="missing label"):
        read_units(["a", None], 2)
    with pytest.raises(UsageError, match="got 3"):
        read_units({"a": [1], "b": [1], "c": [1]}, 1)
