from __future__ import annotations

import io
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.design.plan import Plan, Slot, Trial
from textassay.errors import DataError

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
trials = st.builds(
    Trial,
    key=texts,
    block=texts,
    kind=st.sampled_from(["main", "repeat", "check", "practice"]),
    position=st.integers(1, 99),
    item=texts,
    systems=st.lists(texts, max_size=2).map(tuple),
    randomised=st.dictionaries(texts, st.integers() | texts, max_size=2),
)
slots = st.builds(Slot, number=st.integers(1, 9), cohort=texts, trials=st.lists(trials, max_size=3).map(tuple))
plans = st.builds(Plan, slots=st.lists(slots, max_size=3).map(tuple), made_from=st.just("abc"))


@given(plans)
def test_a_stored_plan_is_the_plan(plan: Plan) -> None:
    text = plan.to_json()
    assert Plan.from_json(text) == plan
    assert Plan.from_file(io.StringIO(text, newline="")) == plan
    assert (Plan.from_file(io.StringIO(text, newline="")) or plan).to_json() == text


@given(plans)
def test_a_plan_in_another_layout_is_the_plan(plan: Plan) -> None:
    text = json.dumps(json.loads(plan.to_json()), indent=2)
    assert Plan.from_file(io.StringIO(text)) is None
    assert Plan.from_json(text) == plan


@given(plans, st.data())
def test_a_plan_that_was_cut_is_refused(plan: Plan, data: st.DataObject) -> None:
    text = plan.to_json()
    cut = text[: data.draw(st.integers(0, len(text) - 2))]
    assert Plan.from_file(io.StringIO(cut, newline="")) is None
    with pytest.raises(DataError, match=r"restore the file from a backup$"):
        Plan.from_json(cut)


def test_slots_are_made_when_they_are_asked_for_and_not_all_are_kept() -> None:
    made = Plan([Slot(number, "", (Trial(f"q-{number}", "q", "main", 1, "i1"),)) for number in range(1, 201)], "d")
    assert made.slot(7) is made.slot(7)
    first = made.slot(1)
    assert [slot.trials[0].key for slot in (made.slot(number) for number in range(1, 201))][-1] == "q-200"
    assert made.slot(1) is not first
    assert made.slot(1) == first
    assert [slot.number for slot in made.slots[-2:]] == [199, 200]
    with pytest.raises(IndexError):
        made.slot(201)


def test_numbers_of_a_cohort_are_known_without_its_trials() -> None:
    plan = Plan((Slot(1, "lay", ()), Slot(2, "experts", ()), Slot(3, "lay", ())), "d")
    assert plan.cohorts == ("lay", "experts")
    assert (list(plan.numbers("lay")), list(plan.numbers("experts")), list(plan.numbers("all"))) == ([1, 3], [2], [])


def test_a_plan_can_be_sent_to_another_process() -> None:
    plan = Plan([Slot(1, "", (Trial("q-1", "q", "main", 1, "i1", ("A",), {"order": [1, 0]}),))], "d")
    assert pickle.loads(pickle.dumps(plan)) == plan


def test_it_is_stored_a_trial_a_line() -> None:
    plan = Plan((Slot(1, "", (Trial("q-1", "q", "main", 1, "i1", ("A",)), Trial("q-2", "q", "check", 2, "c1"))),), "d")
    assert plan.to_json() == (
        '{"format": 2, "made_from": "d", "slots": [\n'
        ' {"number": 1, "cohort": "", "trials": [\n'
        '  {"key": "q-1", "block": "q", "kind": "main", "position": 1, "item": "i1", "systems": ["A"]},\n'
        '  {"key": "q-2", "block": "q", "kind": "check", "position": 2, "item": "c1", "systems": []}]}\n'
        "]}\n"
    )


def test_names_of_any_script_can_be_read_in_the_file() -> None:
    stored = Plan((Slot(1, "Laïen", (Trial("q-1", "q", "main", 1, "Übung", ("系统",)),)),), "d").to_json()
    assert all(name in stored for name in ("Laïen", "Übung", "系统"))


def test_a_slot_is_found_by_its_number() -> None:
    plan = Plan((Slot(1, "", ()), Slot(2, "lay", ())), "d")
    assert plan.slot(2).cohort == "lay"


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"format": 2}', '{"format": 2, "slots": [{}], "made_from": "d"}', "7", "[" * 100_000],
)
def test_what_is_no_plan_is_refused(text: str) -> None:
    with pytest.raises(DataError, match=r"^not a stored plan \(.+\); restore the file from a backup$"):
        Plan.from_json(text)


@pytest.mark.parametrize("other", [1, 3])
def test_a_plan_of_another_format_is_refused(other: int) -> None:
    message = (
        f"the plan has format {other}, but this release of textassay reads format 2; "
        "open the study with the release that made the plan"
    )
    with pytest.raises(DataError, match=f"^{message}$"):
        Plan.from_json(json.dumps({"format": other, "slots": [], "made_from": "d"}))
