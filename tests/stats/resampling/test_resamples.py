"""Draws from a stream: the same anywhere, each outcome equally likely, nothing lost in parts."""

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.seeds import Stream
from textassay.stats.resampling.resamples import (
    Resampling,
    check_draws,
    in_parts,
    integers_below,
    random_signs,
    random_subsets,
    read_units,
    resample_counts,
)
from textassay.stats.resampling.weighted_statistics import mean_sums, weighted_median


def test_draws_are_the_same_anywhere():
    # The stream's first numbers are 9230741584690044023, 7423713762459442447, …: their last digits, their last bits,
    # and the smallest of five. Kept here so that no later version changes an interval or a p in silence.
    assert integers_below(Stream(7, "demo"), 10, 8).tolist() == [3, 7, 5, 7, 1, 5, 2, 4]
    assert random_signs(Stream(7, "demo"), 6, 2).tolist() == [[1, 1, 1, -1, 1, 1], [1, 1, 1, 1, -1, -1]]
    assert random_subsets(Stream(7, "demo"), 5, 2, 1).tolist() == [[0, 1, 0, 0, 1]]


def test_counts_sum_to_the_number_of_units_and_parts_make_the_same_whole():
    whole = resample_counts(Stream(1, "x"), 7, 50)
    stream = Stream(1, "x")
    parts = np.concatenate([resample_counts(stream, 7, 20), resample_counts(stream, 7, 30)])
    assert np.array_equal(whole, parts)
    assert np.all(whole.sum(axis=1) == 7)


def test_each_unit_is_as_likely_as_another():
    # 20,000 resamples of 4: counts of each unit are Binomial(80,000, 1/4), standard deviation 122.
    totals = resample_counts(Stream(3, "x"), 4, 20_000).sum(axis=0)
    assert np.abs(totals - 20_000).max() < 5 * 122


def test_what_would_favour_small_numbers_is_drawn_again():
    class Fake(Stream):
        """Its first draw lies beyond the last multiple of 3 below 2⁶⁴."""

        def raw(self, size):
            self.asked = getattr(self, "asked", 0) + 1
            return np.array([2**64 - 1 if self.asked == 1 else 5] * size, dtype=np.uint64)

    assert integers_below(Fake(1, "x"), 3, 2).tolist() == [2, 2]


def test_signs_are_fair_and_more_than_64_units_have_their_own():
    signs = random_signs(Stream(2, "x"), 130, 4_000)
    assert signs.shape == (4_000, 130)
    assert set(np.unique(signs)) == {-1.0, 1.0}
    assert np.abs(signs.mean(axis=0)).max() < 5 / np.sqrt(4_000)
    assert np.abs(np.corrcoef(signs[:, 0], signs[:, 64])[0, 1]) < 5 / np.sqrt(4_000)


def test_subsets_have_their_size_and_are_fair():
    subsets = random_subsets(Stream(4, "x"), 6, 2, 15_000)
    assert np.all(subsets.sum(axis=1) == 2)
    codes, counts = np.unique(subsets @ (1 << np.arange(6)), return_counts=True)
    assert codes.size == 15  # all pairs of 6
    assert np.abs(counts - 1000).max() < 5 * np.sqrt(1000)


@pytest.mark.parametrize(("draws", "width"), [(1, 1), (5, 1 << 21), (1000, 10), (3, 1 << 30)])
def test_parts_sum_to_all_draws(draws, width):
    parts = list(in_parts(draws, width))
    assert sum(parts) == draws
    assert min(parts) >= 1


@pytest.mark.parametrize("draws", [0, -1, 2.5])
def test_no_number_of_draws(draws):
    with pytest.raises(UsageError, match="draws must be a whole number"):
        check_draws(draws)


# --- What is drawn: observations, clusters, crossed clusters; the quick way and the plain one -----------------------


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
