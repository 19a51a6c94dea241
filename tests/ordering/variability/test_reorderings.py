from __future__ import annotations

import numpy as np
import pytest
from people_orders import people_orders

from textassay.errors import DataError
from textassay.ordering import GivenOrder, reorderings, tau


def test_taus_of_all_pairs() -> None:
    people = reorderings(people_orders(1, people=5, texts=3))
    for text in range(3):
        for one in range(5):
            for other in range(5):
                found = people.taus[text, one, other]
                if one == other:
                    assert np.isnan(found)
                else:
                    assert found == pytest.approx(tau(people.order(text, one), people.order(text, other)))


def test_conditions_in_the_order_asked_for_and_orders_by_condition() -> None:
    given = [
        GivenOrder("s", "p", "ab", "x"),
        GivenOrder("s", "q", "ba", "y"),
        GivenOrder("t", "q", "ba", "z"),
    ]
    people = reorderings(given, conditions=["z", "not there", "x"])
    assert people.conditions == ("z", "x", "y")
    assert people.orders(0, 1) == ["ab"]
    assert people.orders(0) == ["ab", "ba"]
    assert people.which.tolist() == [[0, 1], [-1, 2]]


def test_what_cannot_be() -> None:
    with pytest.raises(DataError, match="there are no orders"):
        reorderings([])
    with pytest.raises(DataError, match="p has more than one order of text s; give one for each person and text"):
        reorderings([GivenOrder("s", "p", "ab"), GivenOrder("s", "p", "ba")])
    with pytest.raises(DataError, match="text s, q: only this order or only that of p has 'c'"):
        reorderings([GivenOrder("s", "p", "ab"), GivenOrder("s", "q", "abc")])
    with pytest.raises(DataError, match="text s, p: the order names units more than once: 'b'"):
        reorderings([GivenOrder("s", "p", "abb")])
