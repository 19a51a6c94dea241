from __future__ import annotations

import math

import pytest
from people_orders import people_orders

from textassay.errors import DataError
from textassay.ordering import GivenOrder, exchanged_lists, reorderings, start_effect


def test_by_hand() -> None:
    # Two starts, abc and cba; everybody leaves what they see as it is.
    given = [GivenOrder("s", by, start, c, start) for by, c, start in
             (("p", "x", "abc"), ("q", "x", "abc"), ("r", "y", "cba"), ("u", "y", "cba"))]  # fmt: skip
    people = reorderings(given)
    found = start_effect(people, exchanged_lists(people))
    assert (found.same, found.different) == (1, -1)
    # of 4! ways to hand the lists out, 2 · 2 · 2 put the same two people together
    assert found.p == pytest.approx(8 / 24)
    every, x, y = found.pulls
    assert (every.condition, x.condition, y.condition) == ("", "x", "y")
    assert (every.shown, every.not_shown, every.difference) == (1, -1, 2)
    # only the lists seen, and those exchanged within a condition, are as near: 2 · 2 of 24
    assert every.p == pytest.approx(4 / 24)
    assert x.p == pytest.approx(2 * 4 / 24)
    assert [record["value"] for record in found.records()] == [2, 2, 2, 2]


def test_what_pulls_is_found_and_a_good_start_alone_is_not_taken_for_it() -> None:
    people = reorderings(people_orders(3, pull=0.6))
    found = start_effect(people, exchanged_lists(people, draws=199))
    assert found.p == pytest.approx(1 / 200)
    assert all(pull.p_raw == pytest.approx(1 / 200) for pull in found.pulls)
    # without a pull all come near to the start O, which is the order they look for, whether they saw it or not
    people = reorderings(people_orders(3))
    found = start_effect(people, exchanged_lists(people, draws=199))
    (good,) = [pull for pull in found.pulls if pull.condition == "O"]
    assert good.shown > 0.5
    assert abs(good.difference) < 0.1
    assert good.p > 0.05


def test_starts_that_are_not_known_or_do_not_fit() -> None:
    given = [GivenOrder("s", by, "abc", c) for by, c in (("p", "x"), ("q", "x"), ("r", "y"))]
    people = reorderings(given)
    found = start_effect(people, exchanged_lists(people))
    assert found.pulls == ()
    assert found.same == 1
    wrong = [GivenOrder("s", by, "abc", c, start) for by, c, start in (("p", "x", "abc"), ("q", "y", "abd"))]
    people = reorderings(wrong)
    with pytest.raises(DataError, match=r"text s, starts: .*'d'"):
        start_effect(people, exchanged_lists(people))


def test_one_condition_has_no_effect_to_test() -> None:
    people = reorderings([GivenOrder("s", "p", "abc"), GivenOrder("s", "q", "acb")])
    found = start_effect(people, exchanged_lists(people))
    assert math.isnan(found.p)
    assert found.same == pytest.approx(1 / 3)
    assert math.isnan(found.different)
    assert found.warnings == ("lists cannot be exchanged: there is one condition only",)
