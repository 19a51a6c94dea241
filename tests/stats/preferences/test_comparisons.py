"""Comparisons counted: rows, matrices, and what is refused."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.stats.preferences.comparisons import LOSS, TIE, WIN, comparisons_of_matrices, read_comparisons

rows = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"), st.sampled_from([-1, 0, 1])).filter(
        lambda r: r[0] != r[1]
    ),
    min_size=1,
    max_size=40,
)


@given(rows)
def test_counts_are_those_of_a_plain_loop(data):
    found = read_comparisons(*map(list, zip(*data, strict=True)))
    for place, outcome in ((WIN, 1), (LOSS, -1), (TIE, 0)):
        for i, one in enumerate(found.systems):
            for j, other in enumerate(found.systems):
                assert found.counts[place, i, j] == data.count((one, other, outcome))
    assert found.n == len(data)
    assert found.ties == sum(outcome == 0 for _, _, outcome in data)


@given(rows)
def test_codes_text_and_floats_count_alike(data):
    first, second, outcome = map(list, zip(*data, strict=True))
    codes = {name: index for index, name in enumerate("abcd")}
    text = read_comparisons(first, second, outcome)
    numbers = read_comparisons(
        np.array([codes[name] for name in first]), np.array([codes[name] for name in second]), np.array(outcome, float)
    )
    assert np.array_equal(text.counts, numbers.counts)
    assert [codes[name] for name in text.systems] == [int(name) for name in numbers.systems]


@given(rows)
def test_without_order_every_pair_stands_once(data):
    found = read_comparisons(*map(list, zip(*data, strict=True)))
    turned = read_comparisons([r[1] for r in data], [r[0] for r in data], [-r[2] for r in data])
    assert np.array_equal(found.without_order(), turned.without_order())
    assert found.without_order().sum() == found.n
    assert not np.tril(found.without_order()).any()
    again = comparisons_of_matrices(found.won(), found.tied(), found.systems)
    assert np.array_equal(again.without_order(), found.without_order())


def test_ties_on_one_side_of_the_diagonal_are_enough():
    wins, upper = [[0, 2], [1, 0]], [[0, 3], [0, 0]]
    both = [[0, 3], [3, 0]]
    assert comparisons_of_matrices(wins, upper).ties == comparisons_of_matrices(wins, both).ties == 3


@pytest.mark.parametrize(
    ("first", "second", "outcome", "message"),
    [
        (["a"], ["b", "c"], [1], "first has 1, second has 2"),
        (["a", "b"], ["b", "b"], [1, 1], r"the same system \(b\) at index 1"),
        (["a", None], ["b", "a"], [1, 1], "first has 1 missing"),
        (["a", "a"], ["b", "b"], [1, 2], r"index 1 \(2\)"),
        (["a", "a"], ["b", "b"], [1, 0.5], r"index 1 \(0.5\).*take the sign"),
        (["a", "a"], ["b", "b"], [math.nan, 1], "index 0"),
        (["a", "a"], ["b", "b"], [math.inf, 1], "index 0"),
        (["a"], ["b"], ["won"], "outcome must hold numbers only"),
        (["a"], ["b"], [True], "outcome must be a plain list"),
        (["a"], ["b"], [[1]], "outcome must be a plain list"),
    ],
)
def test_rows_that_are_no_comparisons_are_refused(first, second, outcome, message):
    with pytest.raises(DataError, match=message):
        read_comparisons(first, second, outcome)


@pytest.mark.parametrize(
    ("wins", "ties", "systems", "message"),
    [
        ([[0, 1, 2], [1, 0, 2]], None, None, "shape"),
        ([[0, -1], [1, 0]], None, None, "must hold counts; row 0, column 1 holds -1"),
        ([[0, 0.5], [1, 0]], None, None, "must hold counts"),
        ([[0, math.nan], [1, 0]], None, None, "must hold counts"),
        ([[0, 1], [1, 0]], [[0]], None, "sizes must be equal: wins has 2, ties 1"),
        ([[0, 1], [1, 0]], [[0, 1], [2, 0]], None, "ties must be symmetric"),
        ([[0, 1], [1, 0]], None, ["a"], "systems 1"),
        ([[0, 1], [1, 0]], None, ["a", "a"], "one system twice"),
    ],
)
def test_matrices_that_are_no_counts_are_refused(wins, ties, systems, message):
    with pytest.raises(DataError, match=message):
        comparisons_of_matrices(wins, ties, systems)
