from __future__ import annotations

from dataclasses import replace

from hypothesis import assume, example, given
from hypothesis import strategies as st

from textassay.design.assignment import assign
from textassay.design.balance import Balance, Numbers, find_remedies
from textassay.design.order import order_cells
from textassay.design.schemes import Rotation
from textassay.seeds import Stream


@st.composite
def numbers(draw: st.DrawFn) -> Numbers:
    """Everybody sees all items; or some of them; or all conditions, of which there are more than items."""
    items, systems = draw(st.integers(1, 24)), draw(st.integers(1, 12))
    per_slot = draw(st.sampled_from([items, draw(st.integers(1, items)), max(items, systems)]))
    return Numbers(items, systems, draw(st.integers(1, 30)), per_slot, draw(st.booleans()))


def counted(now: Numbers) -> Balance:
    """The balance counted on a plan with these numbers."""
    items = [f"i{number}" for number in range(now.items)]
    systems = [f"s{number}" for number in range(now.systems)]
    cells = assign(items, systems, now.slots, now.per_slot, Stream(5, "assignment"))
    shown = order_cells(cells, "williams" if now.carry_over else "random", items, systems, Stream(5, "order"))
    return Rotation(items, systems, now.per_slot).balance(shown, carry_over=now.carry_over)


@given(st.integers(1, 7), st.integers(1, 3), st.integers(0, 5), st.booleans())
def test_multiples_of_the_step_are_exact(systems: int, cycles: int, more: int, carry_over: bool) -> None:
    now = Numbers(systems * cycles + more, systems, 0, systems * cycles, carry_over)
    assert now.step is not None
    exact = replace(now, slots=now.step)
    assume(exact.slots * exact.per_slot <= 20_000)
    assert exact.exact
    assert counted(exact).exact


@given(numbers())
@example(Numbers(3, 3, 3, 3, carry_over=True))  # inexact only in what follows what
def test_inexact_plans_have_a_remedy_and_exact_ones_none(now: Numbers) -> None:
    found = counted(now)
    assert bool(found.remedies) == (not found.exact)
    if not now.carry_over:
        assert found.exact == now.exact


@given(numbers())
def test_every_remedy_makes_the_plan_exact(now: Numbers) -> None:
    for remedy in find_remedies(now):
        assert remedy.numbers != now
        if remedy.numbers.slots * remedy.numbers.per_slot <= 20_000:  # more only takes longer to count
            assert counted(remedy.numbers).exact, remedy


def texts(*now: int, carry_over: bool = False) -> list[str]:
    return [str(remedy) for remedy in find_remedies(Numbers(*now, carry_over=carry_over))]


def test_one_number_is_changed_where_that_is_enough() -> None:
    assert texts(30, 10, 12, 30) == ["10 participants", "20 participants"]
    assert texts(30, 10, 7, 30) == ["10 participants"]
    assert texts(31, 10, 20, 31) == ["30 items", "40 items"]
    assert texts(100, 7, 40, 20) == ["35 items per participant"]


def test_two_numbers_are_changed_where_one_is_not_enough() -> None:
    assert texts(7, 3, 5, 7) == ["6 items and 6 participants", "9 items and 6 participants"]


def test_fewer_items_than_systems_need_more_items() -> None:
    assert texts(5, 8, 6, 5) == ["8 items and 8 participants"]
    assert texts(5, 8, 6, 3) == ["8 items, 8 items per participant and 8 participants"]


def test_carry_over_may_need_more_participants() -> None:
    # 3 cycles of 10 systems have 2 seams and there are 9 distances to take in turn: 9 sets of 10.
    assert texts(30, 10, 12, 30, carry_over=True) == ["90 participants"]
    assert texts(10, 10, 12, 10, carry_over=True) == ["10 participants", "20 participants"]
    assert texts(9, 9, 9, 9, carry_over=True) == ["18 participants"]  # an odd number needs two squares


def test_more_conditions_than_items_for_everybody() -> None:
    # Belz & Kow 2010: 55 pairs of 11 systems on 22 items, all pairs for each of 22 evaluators: 2.5 trials an item.
    assert texts(22, 55, 22, 55) == ["11 items"]
