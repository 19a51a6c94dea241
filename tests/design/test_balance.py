from __future__ import annotations

import pytest

from textassay.design.assignment import Cell, assign
from textassay.design.balance import Balance, BalanceLine
from textassay.design.schemes import Rotation
from textassay.seeds import Stream


def proof(items: int, systems: int, slots: int) -> Balance:
    item_names = [f"i{number}" for number in range(items)]
    system_names = [f"s{number}" for number in range(systems)]
    return Rotation(item_names, system_names, items).balance(assign(item_names, system_names, slots, items, Stream(1)))


@pytest.mark.parametrize(
    ("items", "systems", "participants", "squares", "trials"),
    [
        # Lapata 2006, experiment 1: 8 texts in 8 versions, 8 lists of 8.
        (8, 8, 8, "1 Latin square of 8 × 8", 64),
        # Belz & Kow 2010: three 10 × 10; one 22 × 22; fourteen 8 × 8.
        (30, 10, 10, "3 Latin squares of 10 × 10", 300),
        (22, 11, 22, "1 Latin square of 22 × 22", 484),
        (112, 8, 8, "14 Latin squares of 8 × 8", 896),
        # The same with all 28 pairs of 8 systems as conditions: four 28 × 28.
        (112, 28, 28, "4 Latin squares of 28 × 28", 3136),
    ],
)
def test_published_counts(items: int, systems: int, participants: int, squares: str, trials: int) -> None:
    found = proof(items, systems, participants)
    assert (found.squares, found.trials) == (squares, trials)
    assert found.exact
    assert found.remedies == ()
    seen = participants // systems
    assert found.lines == (
        BalanceLine("an item, for one participant", 1, 1),
        BalanceLine("a system, for one participant", items // systems, items // systems),
        BalanceLine("an item, over participants", participants, participants),
        BalanceLine("a system, over participants", trials // systems, trials // systems),
        BalanceLine("an item × system, over participants", seen, seen),
    )


def test_all_pairs_of_many_systems_on_few_items() -> None:
    # Belz & Kow 2010: 55 pairs of 11 systems on 22 items for 22 evaluators, 1210 trials: 2.5 an item and evaluator.
    items, pairs = [f"i{number}" for number in range(22)], [f"s{number}" for number in range(55)]
    found = Rotation(items, pairs, 55).balance(assign(items, pairs, 22, 55, Stream(1)), name="pair of systems")
    assert (found.trials, found.squares) == (1210, "10 Latin squares of 11 × 11")
    assert found.lines == (
        BalanceLine("an item, for one participant", 2, 3),
        BalanceLine("a pair of systems, for one participant", 1, 1),
        BalanceLine("an item, over participants", 55, 55),
        BalanceLine("a pair of systems, over participants", 22, 22),
        BalanceLine("an item × pair of systems, over participants", 1, 1),
    )


def test_more_participants_than_items_fill_squares_of_the_number_of_systems() -> None:
    assert proof(8, 4, 24).squares == "12 Latin squares of 4 × 4"  # 2 beside each other, 6 below each other


def test_of_one_system_there_are_no_squares() -> None:
    assert proof(8, 1, 24).squares == "24 participants: each sees all 8 texts"


def test_lists_that_are_no_squares_are_called_lists() -> None:
    assert proof(7, 3, 5).squares == "5 lists of 7 from 7 items × 3 systems"
    assert proof(1, 2, 1).squares == "the one participant sees the one item in one of 2 systems"


def test_counts_are_counted_not_promised() -> None:
    # i seen twice by the first participant, j never by the second; B not at all.
    slots = [[Cell("i", "A"), Cell("i", "A"), Cell("j", "A")], [Cell("i", "A")]]
    lines = Rotation(["i", "j"], ["A", "B"], 2).balance(slots, carry_over=True).lines
    assert [(line.least, line.most, line.exact) for line in lines] == [
        (1, 2, False),  # i twice for the first participant
        (0, 3, False),  # B never, A three times
        (1, 3, False),  # j once, i three times
        (0, 4, False),
        (0, 3, False),  # i × A three times
        (0, 0, True),  # A only ever follows A: no pair of two systems at all
    ]


def test_carry_over_counts_ordered_pairs_of_neighbours() -> None:
    slots = [[Cell("i", "A"), Cell("j", "B")], [Cell("i", "B"), Cell("j", "A")], [Cell("i", "B"), Cell("j", "A")]]
    line = Rotation(["i", "j"], ["A", "B"], 2).balance(slots, carry_over=True).lines[-1]
    assert line == BalanceLine("a system right after another", 1, 2)


def test_one_system_has_no_carry_over() -> None:
    lines = Rotation(["i"], ["A"], 1).balance([[Cell("i", "A")]], carry_over=True).lines
    assert "a system right after another" not in [line.what for line in lines]
