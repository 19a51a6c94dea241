from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from textassay.design.assignment import Cell, assign
from textassay.design.balance import Balance, BalanceLine
from textassay.design.pairs import (
    Pair,
    all_pairs,
    balanced_pairs,
    comparisons_per_system,
    pairs_with_references,
    pairs_with_topline,
    stated_pairs,
)
from textassay.design.schemes import Rotation
from textassay.seeds import Stream


def names(prefix: str, count: int) -> list[str]:
    return [f"{prefix}{number}" for number in range(1, count + 1)]


def planned(items: int, pairs: list[Pair], slots: int) -> tuple[list[list[Cell[Pair]]], Balance]:
    """The lists, each with all items or all pairs, whichever are more, and the proof of their balance."""
    item_names = names("i", items)
    lists = assign(item_names, pairs, slots, max(items, len(pairs)), Stream(1, "test"))
    return lists, Rotation(item_names, pairs, max(items, len(pairs))).balance(lists, name="pair of systems")


# --- the trial counts of Belz & Kow 2010 ----------------------------------------------------------------------------


def test_topline_of_ten_levels_on_thirty_items() -> None:
    """10 levels, the topline against itself among them, on 30 items: three 10 × 10 squares, 300 trials for 10."""
    pairs = pairs_with_topline(names("s", 10), "s10")
    assert len(pairs) == 10
    assert ("s10", "s10") in pairs
    lists, found = planned(30, pairs, 10)
    assert [len(trials) for trials in lists] == [30] * 10
    assert (found.trials, found.squares) == (300, "3 Latin squares of 10 × 10")
    assert found.exact
    assert found.lines[-4:] == (
        BalanceLine("a system of 1 comparison, for one participant", 3, 3),
        BalanceLine("a system of 1 comparison, over participants", 30, 30),
        BalanceLine("a system of 10 comparisons, for one participant", 30, 30),
        BalanceLine("a system of 10 comparisons, over participants", 300, 300),
    )


def test_all_pairs_of_eleven_systems_on_twenty_two_items() -> None:
    """55 pairs on 22 items: ten 11 × 11 squares, 1210 trials for 22, 55 each; items come up 2 or 3 times for one."""
    lists, found = planned(22, all_pairs(names("s", 11)), 22)
    assert [len(trials) for trials in lists] == [55] * 22
    assert (found.trials, found.squares) == (1210, "10 Latin squares of 11 × 11")
    assert found.lines == (
        BalanceLine("an item, for one participant", 2, 3),  # 55 trials with 22 items cannot be even
        BalanceLine("a pair of systems, for one participant", 1, 1),
        BalanceLine("an item, over participants", 55, 55),
        BalanceLine("a pair of systems, over participants", 22, 22),
        BalanceLine("an item × pair of systems, over participants", 1, 1),
        BalanceLine("a system, for one participant", 10, 10),
        BalanceLine("a system, over participants", 220, 220),
    )
    # More participants would not mend it: the remedies name what would.
    assert [str(remedy) for remedy in found.remedies] == ["11 items"]  # each then 5 times for one participant


def test_all_pairs_of_eight_systems_on_112_items() -> None:
    """28 pairs on 112 items: four 28 × 28 squares, 3136 trials for 28."""
    lists, found = planned(112, all_pairs(names("s", 8)), 28)
    assert [len(trials) for trials in lists] == [112] * 28
    assert (found.trials, found.squares) == (3136, "4 Latin squares of 28 × 28")
    assert found.exact
    assert found.lines[-2:] == (
        BalanceLine("a system, for one participant", 28, 28),
        BalanceLine("a system, over participants", 784, 784),
    )


def test_squares_of_eleven_are_squares() -> None:
    """The 22 lists fall into two sets of 11 and the 55 pairs into five: each meeting is a Latin square on 11 items."""
    lists, _ = planned(22, all_pairs(names("s", 11)), 22)
    item_of = [{cell.condition: cell.item for cell in trials} for trials in lists]
    pairs = [cell.condition for cell in lists[0]]  # as they were dealt
    for half in (lists[0::2], lists[1::2]):
        rows = [item_of[lists.index(trials)] for trials in half]
        for place in range(0, 55, 11):
            square = [[row[pair] for pair in pairs[place : place + 11]] for row in rows]
            items = set(square[0])
            assert len(items) == 11
            assert all(set(row) == items for row in square)
            assert all({row[column] for row in square} == items for column in range(11))


# --- the schemes ----------------------------------------------------------------------------------------------------


@given(st.integers(2, 20))
def test_all_pairs_holds_every_pair_once(count: int) -> None:
    pairs = all_pairs(names("s", count))
    assert {frozenset(pair) for pair in pairs} == {frozenset(pair) for pair in combinations(names("s", count), 2)}
    assert len(pairs) == count * (count - 1) // 2


@given(st.integers(2, 12), st.integers(1, 4))
def test_references_meet_everybody_but_each_other(count: int, k: int) -> None:
    assume(k < count)
    systems = names("s", count)
    pairs = pairs_with_references(systems, systems[:k])
    assert len(pairs) == k * (count - k)
    counts = comparisons_per_system(pairs)
    assert {counts[system] for system in systems[:k]} == {count - k}
    assert {counts[system] for system in systems[k:]} == {k}


@given(st.integers(3, 40), st.integers(2, 12), st.integers(0, 99))
def test_subset_compares_everybody_equally_often_and_leaves_nobody_apart(count: int, each: int, seed: int) -> None:
    assume(each < count and count * each % 2 == 0)
    systems = names("s", count)
    pairs = balanced_pairs(systems, each, Stream(seed, "test"))
    assert len({frozenset(pair) for pair in pairs}) == len(pairs) == count * each // 2
    assert [comparisons_per_system(pairs)[system] for system in systems] == [each] * count
    assert all(systems.index(first) < systems.index(second) for first, second in pairs)
    reached, waiting = {"s1"}, ["s1"]
    while waiting:
        here = waiting.pop()
        for pair in pairs:
            if here in pair:
                other = pair[1] if pair[0] == here else pair[0]
                waiting += [] if other in reached else [other]
                reached.add(other)
    assert reached == set(systems)


def test_subset_depends_on_the_seed_only() -> None:
    systems = names("s", 9)
    assert balanced_pairs(systems, 4, Stream(1)) == balanced_pairs(systems, 4, Stream(1))
    assert balanced_pairs(systems, 4, Stream(1)) != balanced_pairs(systems, 4, Stream(2))


def test_subset_of_all_is_all() -> None:
    assert balanced_pairs(names("s", 6), 5, Stream(1)) == all_pairs(names("s", 6))


@pytest.mark.parametrize(
    ("count", "each", "message"),
    [
        (7, 3, "7 systems cannot all be in 3 comparisons, since 7 × 3 is odd; take 2 or 4"),
        (9, 9, "9 systems can be in 2 to 8 comparisons each, got 9"),
        (9, 1, "9 systems can be in 2 to 8 comparisons each, got 1"),
        (2, 2, "2 systems can be in 1 to 1 comparisons each, got 2"),
    ],
)
def test_subset_that_cannot_be_is_refused(count: int, each: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        balanced_pairs(names("s", count), each, Stream(1))


def test_subset_can_be_balanced_like_any_other_scheme() -> None:
    # 12 systems, 4 comparisons each: 24 pairs on 24 items.
    lists, found = planned(24, balanced_pairs(names("s", 12), 4, Stream(3)), 24)
    assert sum(map(len, lists)) == 576
    assert found.exact
    assert found.lines[-1] == BalanceLine("a system, over participants", 96, 96)


def test_stated_pairs_are_taken_as_they_are() -> None:
    assert stated_pairs(["A", "B", "C"], [["C", "A"], ["B", "C"]]) == [("C", "A"), ("B", "C")]


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([["A"]], "a pair has two systems, got A"),
        ([["A", "D"]], "there is no system 'D'; use one of: A, B, C"),
        ([["A", "B"], ["B", "A"]], "duplicate pair 'B', 'A'"),
    ],
)
def test_stated_pairs_that_are_none_are_refused(pairs: list[list[str]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        stated_pairs(["A", "B", "C"], pairs)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: all_pairs(["A"]), "pairs need two systems or more, got 1"),
        (lambda: pairs_with_topline(["A", "B"], "C"), "there is no system 'C'; use one of: A, B"),
        (lambda: pairs_with_references(["A", "B"], ["A", "A"]), "duplicate reference: A, A"),
        (
            lambda: pairs_with_references(["A", "B"], ["A", "B"]),
            "2 references and 0 other systems; at least one of each is needed",
        ),
        (
            lambda: pairs_with_references(["A", "B"], []),
            "0 references and 2 other systems; at least one of each is needed",
        ),
    ],
)
def test_schemes_that_cannot_be_are_refused(make: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()  # type: ignore[operator]
