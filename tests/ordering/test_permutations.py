"""Many orders at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.ordering.permutations import inverse_rows, numbered, permutations, places_of

rows = st.integers(1, 8).flatmap(lambda n: st.lists(st.permutations(range(n)), min_size=1, max_size=4))


@given(rows)
def test_inverse_twice_is_the_same(given_rows: list[list[int]]) -> None:
    array = np.array(given_rows)
    assert np.array_equal(inverse_rows(inverse_rows(array)), array)
    assert np.array_equal(
        np.take_along_axis(inverse_rows(array), array, axis=1),
        np.broadcast_to(np.arange(array.shape[1]), array.shape),
    )


@given(rows)
def test_places_of_an_order_in_itself_rise(given_rows: list[list[int]]) -> None:
    array = np.array(given_rows)
    assert (places_of(array, array) == np.arange(array.shape[1])).all()
    assert np.array_equal(places_of(array, array[0]), [places_of([row], array[0])[0] for row in array])


@given(rows)
def test_numbers_and_names_agree(given_rows: list[list[int]]) -> None:
    names = [[f"u{unit}" for unit in row] for row in given_rows]
    n = len(names[0])
    found, units = numbered(names, [f"u{unit}" for unit in range(n)])
    assert found.tolist() == given_rows
    assert units == tuple(f"u{unit}" for unit in range(n))
    assert np.array_equal(numbered(np.array(given_rows))[0], given_rows)
    reference = np.arange(n)[::-1]
    by_array, by_list = numbered(np.array(given_rows), reference), numbered(given_rows, reference.tolist())
    assert np.array_equal(by_array[0], by_list[0])
    assert by_array[1] == by_list[1]


@pytest.mark.parametrize(
    ("orders", "error", "message"),
    [
        ([], DataError, "there are no orders"),
        ("abc", UsageError, "give a list of orders"),
        ([1, 2, 3], UsageError, "orders is one order"),
        (["abc", "abd"], DataError, r"orders\[1\]: the order lacks units of the reference: 'c'"),
        (["aab"], DataError, "more than once: 'a'"),
        (np.array([[0, 0]]), DataError, r"orders\[0\] is not a permutation of 0 … 1"),
        (np.array([[0, 1], [1, 2]]), DataError, r"orders\[1\] is not a permutation"),
    ],
)
def test_wrong_orders(orders: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        numbered(orders)  # type: ignore[arg-type]


@pytest.mark.parametrize("array", [[0, 1, 2], [[0.0, 1.0]], [["a", "b"]]])
def test_wrong_shapes(array: object) -> None:
    with pytest.raises(DataError, match="must have the shape"):
        permutations(array, "orders")  # type: ignore[arg-type]


def test_reference_of_another_shape() -> None:
    with pytest.raises(DataError, match=r"reference must have the shape \(2,\) or \(1, 2\), got \(3,\)"):
        places_of([[0, 1]], [0, 1, 2])
