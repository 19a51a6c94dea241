"""The table that Friedman's test and its kin start from."""

import math

import numpy as np
import pytest

from textassay.errors import DataError
from textassay.stats import kendall_w
from textassay.stats.rank_tests.blocks import read_blocks


def test_ranks_sums_and_ties():
    # Ranks 1.5 1.5 3 / 3 1 2: sums 4.5, 2.5, 5; one pair tied: 2³ - 2.
    data = read_blocks([[1, 1, 5], [9, 2, 4]], treatments=["a", "b", "c"])
    assert data.mean_ranks.tolist() == [2.25, 1.25, 2.5]
    assert (data.n, data.k, data.ties, data.treatments) == (2, 3, 6.0, ("a", "b", "c"))


def test_concordance_is_kendall_w():
    table = [[3, 4, 5, 5, 2], [3, 3, 5, 4, 2], [4, 4, 5, 5, 1]]
    assert read_blocks(table).concordance == pytest.approx(kendall_w(table).w, rel=1e-14)


def test_flat_blocks_are_named():
    data = read_blocks([[1, 2], [3, 3], [2, 1]], blocks=["ann", "bob", "cy"])
    assert data.warnings == ("all values are equal, so they add nothing but ties, in bob",)
    assert not data.undefined


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[1, 2, 3]], "got 1 and 3"),
        ([[1], [2]], "got 2 and 1"),
        (np.empty((0, 3)), "got 0 and 3"),
        (np.empty((3, 0)), "got 3 and 0"),
        ([[2, 2], [3, 3]], "in every block all values are equal"),
    ],
)
def test_undefined_says_why(table, reason):
    assert reason in read_blocks(table).undefined


def test_bad_tables_are_refused():
    with pytest.raises(DataError, match=r"missing or infinite: bob × s1, bob × s3\."):
        read_blocks([[1, 2, 3], [None, 3, math.inf]], ["ann", "bob"], ["s1", "s2", "s3"])
    with pytest.raises(DataError, match=r"block 1 × treatment 1, .* and 4 more"):
        read_blocks(np.full((3, 3), math.nan))
    with pytest.raises(DataError, match=r"shape \(blocks, treatments\), got \(3,\)"):
        read_blocks([1, 2, 3])
    with pytest.raises(DataError, match="2 treatments in ratings but 1 names"):
        read_blocks([[1, 2], [2, 1]], treatments=["a"])
