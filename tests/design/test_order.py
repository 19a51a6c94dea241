from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.design.assignment import Cell, assign
from textassay.design.order import Order, choose_repeats, order_cells, spread, williams_set
from textassay.seeds import Stream


def planned(items: int, systems: int, slots: int, how: Order, per_slot: int | None = None) -> list[list[Cell]]:
    item_names = [f"i{number}" for number in range(items)]
    system_names = [f"s{number}" for number in range(systems)]
    cells = assign(item_names, system_names, slots, per_slot or items, Stream(1, "assignment"))
    return order_cells(cells, how, item_names, system_names, Stream(1, "order"))


def neighbours(slots: list[list[Cell]]) -> Counter[tuple[str, str]]:
    return Counter((one.condition, other.condition) for slot in slots for one, other in pairwise(slot))


def spread_of(pairs: Counter[tuple[str, str]], systems: int) -> int:
    counts = [pairs[pair] for pair in permutations([f"s{number}" for number in range(systems)], 2)]
    return max(counts) - min(counts)


@given(st.integers(1, 20), st.integers(1, 8), st.integers(1, 12), st.sampled_from(["random", "williams", "fixed"]))
def test_order_changes_nothing_but_the_order(items: int, systems: int, slots: int, how: Order) -> None:
    def content(order: Order) -> list[list[tuple[str, str]]]:
        return [sorted((cell.item, cell.condition) for cell in slot) for slot in planned(items, systems, slots, order)]

    assert content(how) == content("fixed")


def test_fixed_is_the_order_of_the_table() -> None:
    assert [cell.item for cell in planned(5, 2, 3, "fixed")[2]] == ["i0", "i1", "i2", "i3", "i4"]


def test_random_is_another_order_for_each_participant() -> None:
    orders = {tuple(cell.item for cell in slot) for slot in planned(12, 3, 20, "random")}
    assert len(orders) == 20


@pytest.mark.parametrize("systems", range(2, 13))
@pytest.mark.parametrize("sets", [1, 2])
def test_williams_one_cycle_a_participant_is_exact(systems: int, sets: int) -> None:
    # One text of each system for everybody, as many participants as the square (or the two squares) has rows.
    slots = planned(systems, systems, sets * williams_set(systems), "williams")
    pairs = neighbours(slots)
    assert set(pairs) == set(permutations([f"s{number}" for number in range(systems)], 2))
    assert set(pairs.values()) == {sets * (1 if systems % 2 == 0 else 2)}
    for place in range(systems):
        assert set(Counter(slot[place].condition for slot in slots).values()) == {len(slots) // systems}


@given(st.integers(2, 9), st.integers(1, 6), st.integers(1, 3))
def test_williams_whole_cycles_are_as_good_as_can_be(systems: int, cycles: int, sets: int) -> None:
    pairs = neighbours(planned(systems * cycles, systems, sets * williams_set(systems), "williams"))
    assert all(one != other for one, other in pairs), "a system follows itself"
    assert spread_of(pairs, systems) <= (1 if systems % 2 == 0 else 2)


@pytest.mark.parametrize(("systems", "cycles"), [(2, 5), (3, 3), (4, 2), (5, 3), (6, 4)])
def test_williams_seams_even_out_over_sets(systems: int, cycles: int) -> None:
    # The seams use each distance between systems in turn, so over systems - 1 sets all of them equally often.
    pairs = neighbours(planned(systems * cycles, systems, (systems - 1) * williams_set(systems), "williams"))
    assert spread_of(pairs, systems) == 0


@given(st.integers(1, 9), st.integers(1, 25), st.data())
def test_williams_works_for_incomplete_cycles(systems: int, items: int, data: st.DataObject) -> None:
    per_slot = data.draw(st.integers(1, items))
    slots = planned(items, systems, 7, "williams", per_slot)
    for slot in slots:
        # The cycles before the last hold every system once.
        for start in range(0, per_slot - systems + 1, systems):
            assert len({cell.condition for cell in slot[start : start + systems]}) == systems


@given(st.integers(2, 40), st.data())
def test_extra_trials_are_inside_and_apart(main: int, data: st.DataObject) -> None:
    extra = data.draw(st.integers(1, main - 1))
    shown = spread(["m"] * main, ["x"] * extra)
    assert shown.count("m") == main
    assert shown.count("x") == extra
    assert shown[0] == shown[-1] == "m"
    assert ("x", "x") not in set(pairwise(shown))


@given(st.integers(1, 6), st.integers(0, 12))
def test_spread_loses_nothing_however_many_there_are(main: int, extra: int) -> None:
    shown = spread(list(range(main)), list(range(100, 100 + extra)))
    assert [trial for trial in shown if trial < 100] == list(range(main))
    assert [trial for trial in shown if trial >= 100] == list(range(100, 100 + extra))
    assert shown[0] == 0


@given(st.integers(2, 40), st.data())
def test_between_a_trial_and_its_repeat_lies_at_least_half_of_the_trials(main: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, main // 2))
    again = choose_repeats(range(main), count, Stream(data.draw(st.integers(0, 9))))
    assert len(set(again)) == count
    shown = [*range(main), *again]
    distances = [main + place - shown.index(trial) for place, trial in enumerate(again)]
    assert all(distance >= 2 and distance > main / 2 for distance in distances)


def test_more_repeats_than_the_first_half_are_refused() -> None:
    with pytest.raises(ValueError, match="3 repeats, but at most half of 5 trials can be shown again"):
        choose_repeats(range(5), 3, Stream(1))
