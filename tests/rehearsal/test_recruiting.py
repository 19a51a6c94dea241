from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from textassay.answers.store import Store
from textassay.design.plan import Plan, Slot
from textassay.rehearsal import recruiting
from textassay.rehearsal.people import Behaviour
from textassay.rehearsal.recruiting import SimulatedVisit

NOW = datetime(2026, 1, 5, 9, tzinfo=UTC)
PLAN = Plan((Slot(1, "experts", ()), Slot(2, "experts", ()), Slot(3, "lay", ())), "")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(f"sqlite:///{(tmp_path / 'answers.db').as_posix()}") as opened:
        yield opened


def completed(store: Store, cohort: str, *, valid: bool = True) -> None:
    participant, _ = store.join(PLAN.slots, cohort=cohort, now=NOW, release_after=timedelta(hours=1))
    store.finish(participant.id, "completed", NOW, valid)


def test_every_slot_is_open_at_first(store: Store) -> None:
    assert recruiting.open_slots(PLAN, store) == {"experts": 2, "lay": 1}
    assert recruiting.wanted(PLAN, store, {}) == "experts"


def test_only_valid_people_who_completed_fill_a_slot(store: Store) -> None:
    store.join(PLAN.slots, cohort="experts", now=NOW, release_after=timedelta(hours=1))
    completed(store, "lay", valid=False)
    assert recruiting.open_slots(PLAN, store) == {"experts": 2, "lay": 1}
    completed(store, "lay")
    assert recruiting.open_slots(PLAN, store) == {"experts": 2}


def test_those_at_work_are_counted_on(store: Store) -> None:
    assert recruiting.wanted(PLAN, store, {"experts": 2}) == "lay"
    assert recruiting.wanted(PLAN, store, {"experts": 2, "lay": 1}) is None
    assert recruiting.wanted(PLAN, store, {"experts": 3, "lay": 0}) == "lay"


def test_nobody_is_wanted_when_all_slots_are_filled(store: Store) -> None:
    for cohort in ("experts", "experts", "lay"):
        completed(store, cohort)
    assert recruiting.wanted(PLAN, store, {}) is None
    assert recruiting.wanted(PLAN, store, {"lay": 1}) is None


def test_result_is_in_order_and_says_what_is_filled(store: Store) -> None:
    completed(store, "lay")
    people = [SimulatedVisit("p-b", 2, Behaviour.ORDINARY), SimulatedVisit("p-a", 1, Behaviour.TWICE)]
    result = recruiting.result(PLAN, store, people)
    assert [came.number for came in result.people] == [1, 2]
    assert (result.slots, result.filled, result.full) == (3, 1, False)


def test_a_rehearsal_ends_even_if_screening_leaves_everybody_out() -> None:
    assert recruiting.most(PLAN, 7) == 7
    assert recruiting.most(PLAN, 0) == 0
    assert recruiting.most(PLAN, None) == 50  # ten for each of three slots, and twenty more
