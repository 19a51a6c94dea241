from __future__ import annotations

import math

import numpy as np
import pytest
from people_orders import people_orders

from textassay.errors import DataError, UsageError
from textassay.ordering import GivenOrder, exchanged_lists, reorderings, tau


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


def test_all_ways_where_there_are_few_and_the_one_seen_first() -> None:
    lists = exchanged_lists(reorderings(people_orders(1, people=6, texts=3)))
    assert lists.exact
    assert lists.whose.shape == (720, 6)
    assert lists.whose[0].tolist() == list(range(6))
    assert len({tuple(way) for way in lists.whose.tolist()}) == 720


def test_draws_of_many() -> None:
    lists = exchanged_lists(reorderings(people_orders(1)), draws=99, seed=3)
    assert not lists.exact
    assert lists.whose.shape == (100, 18)
    assert (np.sort(lists.whose, axis=1) == np.arange(18)).all()
    again = exchanged_lists(reorderings(people_orders(1)), draws=99, seed=3)
    assert (lists.whose == again.whose).all()
    # the one seen counts: at the top of 100, p = 1/100
    assert lists.p(-np.arange(100.0)) == pytest.approx(0.01)
    assert lists.p(np.zeros(100)) == 1
    # an undefined value is taken as larger, so that p is never too small
    assert lists.p(np.array([1.0, *[math.nan] * 9, *[0.0] * 90])) == pytest.approx(0.1)
    assert math.isnan(lists.p(np.full(100, math.nan)))


def test_only_between_those_who_ordered_the_same_texts() -> None:
    given = [GivenOrder("s", by, "ab", c) for by, c in (("p", "x"), ("q", "y"))]
    given += [GivenOrder("t", by, "ab", c) for by, c in (("r", "x"), ("s", "y"), ("u", "y"))]
    lists = exchanged_lists(reorderings(given))
    assert lists.whose.shape == (2 * 6, 5)
    assert {frozenset(way[:2]) for way in lists.whose.tolist()} == {frozenset({0, 1})}


def test_why_there_is_no_test() -> None:
    one = exchanged_lists(reorderings([GivenOrder("s", "p", "ab"), GivenOrder("s", "q", "ab")]))
    assert one.reason == "there is one condition only"
    alone = exchanged_lists(reorderings([GivenOrder("s", "p", "ab", "x"), GivenOrder("t", "q", "ab", "y")]))
    assert alone.reason.startswith("no two people ordered the same texts in different conditions")
    assert math.isnan(alone.p(np.ones(1)))
    with pytest.raises(UsageError, match="draws must be a whole number of at least 1, got 0"):
        exchanged_lists(reorderings(people_orders(1)), draws=0)
