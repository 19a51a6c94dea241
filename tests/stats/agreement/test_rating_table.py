"""Complete tables: names, and gaps that are refused."""

import math

import pytest

from textassay.errors import DataError
from textassay.stats.agreement.rating_table import read_table, refuse_gaps, some


def test_names_are_numbers_unless_given():
    table = read_table([[1, 2], [3, 4]], raters=["ann", "bob"])
    assert (list(table.raters), list(table.items)) == (["ann", "bob"], ["item 1", "item 2"])
    refuse_gaps(table, "W")


def test_gaps_are_refused_by_name():
    with pytest.raises(DataError, match=r"W needs every rater's value.*bob × item 2\. Leave out"):
        refuse_gaps(read_table([[1, 2], [3, math.nan]], raters=["ann", "bob"]), "W")


def test_wrong_shapes_and_names_are_refused():
    with pytest.raises(DataError, match=r"got \(2,\)"):
        read_table([1, 2])
    with pytest.raises(DataError, match="2 items in ratings but 1 names"):
        read_table([[1, 2]], items=["x"])
    with pytest.raises(DataError, match="numbers only"):
        read_table([["a", "b"]])


def test_long_lists_of_names_are_cut():
    assert some([]) == ""
    assert some(["a"] * 8).endswith("and 3 more")
