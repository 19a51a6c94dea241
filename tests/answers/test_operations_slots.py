from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from textassay.answers.operations import UNUSED, SlotUse, StudyFull, next_slot

fills_of_slots = st.dictionaries(
    st.integers(1, 12), st.builds(SlotUse, completed=st.integers(0, 2), active=st.integers(0, 4)), min_size=1
)


@given(uses=fills_of_slots, never_given=st.sets(st.integers(13, 16)), data=st.data())
def test_least_filled_of_those_that_nobody_completed(
    uses: dict[int, SlotUse], never_given: set[int], data: st.DataObject
) -> None:
    numbers = data.draw(st.permutations(sorted(uses.keys() | never_given)))
    chosen = next_slot(numbers, uses)
    waiting = {number: uses.get(number, UNUSED).active for number in numbers if not uses.get(number, UNUSED).completed}
    if chosen is None:
        assert waiting == {}
    else:
        assert waiting[chosen] == min(waiting.values())
        assert chosen == min(number for number, active in waiting.items() if active == waiting[chosen])


@given(slots=st.integers(1, 10), arrivals=st.integers(0, 60))
def test_who_only_comes_is_spread_evenly(slots: int, arrivals: int) -> None:
    numbers = range(1, slots + 1)
    held: Counter[int] = Counter()
    for _ in range(arrivals):
        chosen = next_slot(numbers, {number: SlotUse(active=held[number]) for number in numbers})
        assert chosen is not None
        held[chosen] += 1
    assert max(held.values(), default=0) - min(held[number] for number in numbers) <= 1


@given(
    slots=st.integers(1, 6),
    ends=st.lists(st.sampled_from(["completes", "is silent", "is screened out", "withdraws"]), max_size=80),
)
def test_every_slot_is_completed_once_when_people_come_one_after_the_other(slots: int, ends: list[str]) -> None:
    """Each arrival comes to an end before the next: whoever does not complete leaves the slot as it was."""
    numbers = range(1, slots + 1)
    completed: Counter[int] = Counter()
    for end in ends:
        chosen = next_slot(numbers, {number: SlotUse(completed=completed[number]) for number in numbers})
        if chosen is None:
            break
        completed[chosen] += end == "completes"
    finished = ends.count("completes")
    # Slots fill in the order of the plan, none twice, and no place is lost through those who do not complete.
    assert completed.total() == min(finished, slots)
    assert [completed[number] for number in numbers] == [1] * completed.total() + [0] * (slots - completed.total())


def test_slot_that_nobody_else_can_have_is_given_out_although_somebody_is_at_work() -> None:
    assert next_slot([1, 2], {1: SlotUse(completed=1), 2: SlotUse(active=3)}) == 2


def test_completed_slot_stays_closed_although_others_are_still_at_work_on_it() -> None:
    assert next_slot([1], {1: SlotUse(completed=1, active=2)}) is None


def test_no_slot_at_all() -> None:
    assert next_slot([], {}) is None


def test_full_study_names_its_cohort() -> None:
    assert "cohort 'experts'" in str(StudyFull("experts"))
    assert "cohort" not in str(StudyFull(""))
    assert StudyFull("experts").cohort == "experts"


def test_a_full_study_goes_on_only_where_it_is_told_to() -> None:
    uses = {1: SlotUse(completed=2), 2: SlotUse(completed=1, active=1), 3: SlotUse(completed=1)}
    assert next_slot([1, 2, 3], uses) is None
    assert next_slot([1, 2, 3], uses, again=True) == 3
    assert next_slot([1, 2, 3, 4], uses, again=True) == 4  # an empty one still comes first


def test_simulated_participants_keep_nobody_from_a_slot() -> None:
    uses = {1: SlotUse(simulated=(1, 0)), 2: SlotUse(simulated=(1, 1)), 3: SlotUse(active=1)}
    assert next_slot([1, 2, 3], uses) == 1
    assert next_slot([1, 2, 3, 4], uses) == 4  # but a rehearsal over HTTP still fills all slots
