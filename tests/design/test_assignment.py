from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from textassay.design.assignment import Cell, assign
from textassay.seeds import Stream


def names(prefix: str, count: int) -> list[str]:
    return [f"{prefix}{number}" for number in range(count)]


@st.composite
def sizes(draw: st.DrawFn) -> tuple[int, int, int, int]:
    """Items, systems, slots, items a slot; half of the time every slot takes all items."""
    items = draw(st.integers(1, 30))
    per_slot = items if draw(st.booleans()) else draw(st.integers(1, items))
    return items, draw(st.integers(1, 12)), draw(st.integers(1, 40)), per_slot


def dealt(numbers: tuple[int, int, int, int], seed: int = 1) -> list[list[Cell]]:
    items, systems, slots, per_slot = numbers
    return assign(names("i", items), names("s", systems), slots, per_slot, Stream(seed, "test"))


def differ(counts: list[int]) -> int:
    return max(counts) - min(counts)


@given(sizes(), st.integers(0, 99))
def test_nobody_sees_an_item_twice_and_all_lists_are_full(numbers: tuple[int, int, int, int], seed: int) -> None:
    slots = dealt(numbers, seed)
    assert len(slots) == numbers[2]
    assert all(len(slot) == numbers[3] == len({cell.item for cell in slot}) for slot in slots)


@given(sizes(), st.integers(0, 99))
def test_everything_is_as_balanced_as_the_numbers_allow(numbers: tuple[int, int, int, int], seed: int) -> None:
    items, systems = names("i", numbers[0]), names("s", numbers[1])
    slots = dealt(numbers, seed)
    cells = Counter((cell.item, cell.condition) for slot in slots for cell in slot)
    # A difference of one is forced where the numbers do not divide, and where they do it would not add up.
    assert differ([cells[pair] for pair in product(items, systems)]) <= 1
    assert differ([sum(cells[item, system] for system in systems) for item in items]) <= 1
    assert differ([sum(cells[item, system] for item in items) for system in systems]) <= 1
    for slot in slots:
        of_slot = Counter(cell.condition for cell in slot)
        assert differ([of_slot[system] for system in systems]) <= 1


@given(sizes())
def test_balance_holds_after_any_number_of_slots(numbers: tuple[int, int, int, int]) -> None:
    pairs = list(product(names("i", numbers[0]), names("s", numbers[1])))
    so_far: Counter[tuple[str, str]] = Counter()
    for slot in dealt(numbers):
        so_far.update((cell.item, cell.condition) for cell in slot)
        assert differ([so_far[pair] for pair in pairs]) <= 1


@given(st.integers(1, 12), st.integers(1, 4), st.integers(1, 3))
def test_exact_where_the_numbers_divide(systems: int, squares: int, sets: int) -> None:
    items = systems * squares
    slots = dealt((items, systems, systems * sets, items))
    assert all(set(Counter(cell.condition for cell in slot).values()) == {squares} for slot in slots)
    cells = Counter((cell.item, cell.condition) for slot in slots for cell in slot)
    assert len(cells) == items * systems
    assert set(cells.values()) == {sets}


@given(st.integers(1, 12), st.integers(1, 12), st.integers(1, 20), st.data())
def test_more_conditions_than_items(items: int, more: int, slots: int, data: st.DataObject) -> None:
    """All pairs of many systems on few items: no condition twice for a participant, and items as evenly as can be."""
    conditions = items + more
    per_slot = data.draw(st.integers(items + 1, conditions))
    so_far: Counter[tuple[str, str]] = Counter()
    for slot in dealt((items, conditions, slots, per_slot)):
        assert len({cell.condition for cell in slot}) == len(slot) == per_slot
        of_slot = Counter(cell.item for cell in slot)
        assert differ([of_slot[item] for item in names("i", items)]) <= 1
        so_far.update((cell.item, cell.condition) for cell in slot)
        assert differ([so_far[pair] for pair in product(names("i", items), names("s", conditions))]) <= 1


@given(sizes(), st.integers(0, 99))
def test_same_seed_same_lists(numbers: tuple[int, int, int, int], seed: int) -> None:
    assert dealt(numbers, seed) == dealt(numbers, seed)


def test_another_seed_deals_otherwise() -> None:
    assert dealt((12, 4, 8, 12), 1) != dealt((12, 4, 8, 12), 2)


def test_each_full_set_is_shuffled_anew() -> None:
    slots = [sorted((cell.item, cell.condition) for cell in slot) for slot in dealt((12, 4, 8, 12))]
    assert slots[:4] != slots[4:]


def test_squares_have_permutations_of_their_own() -> None:
    # If all squares used one permutation, two items would always come from the same system or never.
    slots = dealt((40, 4, 4, 40))
    by_item: dict[str, tuple[str, ...]] = {}
    for slot in slots:
        for cell in slot:
            by_item[cell.item] = (*by_item.get(cell.item, ()), cell.condition)
    assert len(set(by_item.values())) > 4


@given(st.integers(1, 12), st.integers(2, 30), st.integers(1, 40), st.integers(0, 99))
def test_more_conditions_than_items_repeat_items_as_evenly_as_they_can(
    items: int, conditions: int, slots: int, seed: int
) -> None:
    """All pairs of many systems on few items: each list has every condition once."""
    assume(conditions > items)
    names_of_items, pairs = names("i", items), names("c", conditions)
    lists = assign(names_of_items, pairs, slots, conditions, Stream(seed, "test"))
    so_far: Counter[tuple[str, str]] = Counter()
    for cells in lists:
        assert sorted(cell.condition for cell in cells) == sorted(pairs)
        of_list = Counter(cell.item for cell in cells)
        assert differ([of_list[item] for item in names_of_items]) <= 1
        so_far.update((cell.item, cell.condition) for cell in cells)
        assert differ([so_far[pair] for pair in product(names_of_items, pairs)]) <= 1
        over_all = Counter(item for item, _ in so_far.elements())
        assert differ([over_all[item] for item in names_of_items]) <= 1


@pytest.mark.parametrize(
    ("items", "systems", "per_slot", "message"),
    [
        (3, 2, 4, "4 trials per slot, but there are 3"),
        (3, 2, 0, "0 trials per slot, but there are 3"),
        (0, 2, 0, "nothing to assign: at least one item and one condition are needed"),
        (3, 0, 3, "nothing to assign: at least one item and one condition are needed"),
    ],
)
def test_impossible_numbers_are_refused(items: int, systems: int, per_slot: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        assign(names("i", items), names("s", systems), 2, per_slot, Stream(1))
