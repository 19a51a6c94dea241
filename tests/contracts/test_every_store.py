"""What every store must do, on SQLite and on a real PostgreSQL alike."""

from __future__ import annotations

import asyncio
import itertools
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from textassay.answers.records import NewAnswer, Participant
from textassay.answers.store import Store, StudyFull
from textassay.design.plan import Slot
from textassay.errors import StoreError, UsageError

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HALF_AN_HOUR = timedelta(minutes=30)
SLOTS = [Slot(number, "", ()) for number in (1, 2, 3)]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres_database"))
    return f"sqlite:///{(tmp_path / 'answers.db').as_posix()}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with Store.open(url) as opened:
        yield opened


def joined(store: Store, now: datetime = NOON, cohort: str = "", slots: list[Slot] = SLOTS) -> Participant:
    return store.join(slots, cohort=cohort, now=now, release_after=HALF_AN_HOUR)[0]


def answer(answer_id: str, page: str = "quality-1", value: int = 4) -> NewAnswer:
    return NewAnswer(answer_id, page, {"ratings": {"clarity": value}}, NOON, NOON + timedelta(seconds=3), 3000.5)


# --- who takes part -----------------------------------------------------------------------------------------------


def test_participant_is_found_by_token_and_by_nothing_else(store: Store) -> None:
    person, token = store.join(SLOTS, cohort="", now=NOON, release_after=HALF_AN_HOUR, external_id="5f3c")
    assert store.participant(token) == person
    assert (person.slot, person.status, person.valid, person.counted) == (1, "active", True, False)
    assert (person.started_at, person.last_seen_at, person.completed_at) == (NOON, NOON, None)
    assert person.external_id == "5f3c"
    for other in ("", token.upper() + "x", token[:-1], person.code, str(person.id), "\ud800"):
        assert store.participant(other) is None
    assert token not in repr(store.participants())


def test_codes_and_tokens_tell_nothing(store: Store) -> None:
    pairs = [store.join(SLOTS, cohort="", now=NOON, release_after=HALF_AN_HOUR) for _ in range(20)]
    codes = [person.code for person, _ in pairs]
    assert len(set(codes)) == 20
    assert all(len(code) == 8 and code.startswith("p-") for code in codes)
    assert sorted(codes) != codes  # 1 in 20! by chance
    assert min(len(token) for _, token in pairs) >= 32  # 24 random bytes
    assert not any(person.code[2:] in token for person, token in pairs)


def test_arrivals_get_the_least_filled_slot(store: Store) -> None:
    assert [joined(store).slot for _ in range(7)] == [1, 2, 3, 1, 2, 3, 1]


def test_completed_slot_is_not_given_out_again_and_study_fills_up(store: Store) -> None:
    people = [joined(store) for _ in range(3)]
    store.finish(people[1].id, "completed", NOON)
    assert [joined(store).slot for _ in range(2)] == [1, 3]
    store.finish(people[0].id, "completed", NOON)
    store.finish(people[2].id, "completed", NOON)
    with pytest.raises(StudyFull, match="all slots are filled"):
        joined(store)


def test_silent_holder_is_released_and_may_come_back(store: Store) -> None:
    silent, second, third = (joined(store) for _ in range(3))
    later = NOON + timedelta(minutes=31)
    store.touch(second.id, later)
    store.touch(third.id, later)
    heir = joined(store, later)
    assert heir.slot == silent.slot == 1
    store.save(silent.id, answer("late"), now=later)  # back again: three hold slots, four people
    assert joined(store, later).slot == 2
    store.finish(silent.id, "completed", later)
    store.finish(heir.id, "completed", later + timedelta(minutes=1))
    assert {person.code: person.counted for person in store.participants() if person.slot == 1} == {
        silent.code: True,
        heir.code: False,
    }


def test_silence_is_counted_to_the_second(store: Store) -> None:
    joined(store)
    assert joined(store, NOON + HALF_AN_HOUR).slot == 2  # exactly as long as allowed
    assert joined(store, NOON + HALF_AN_HOUR + timedelta(microseconds=1)).slot == 1


def test_next_completer_counts_when_the_first_is_screened_out(store: Store) -> None:
    first, *_, again = (joined(store) for _ in range(4))
    assert first.slot == again.slot
    store.finish(again.id, "completed", NOON + timedelta(minutes=2))
    store.finish(first.id, "completed", NOON + timedelta(minutes=1))

    def counted() -> list[int]:
        return [person.id for person in store.participants() if person.counted]

    assert counted() == [first.id]
    assert store.set_valid(first.id, False).counted is False
    assert counted() == [again.id]
    store.set_valid(again.id, False)
    assert counted() == []
    store.touch(2, NOON + timedelta(minutes=3))
    store.touch(3, NOON + timedelta(minutes=3))
    assert joined(store, NOON + timedelta(minutes=3)).slot == first.slot  # open again
    store.set_valid(first.id, True)
    assert counted() == [first.id]


def test_completing_at_the_same_moment_counts_one(store: Store) -> None:
    people = [joined(store) for _ in range(4)]
    for person in reversed(people):
        store.finish(person.id, "completed", NOON)
    assert [person.counted for person in store.participants()] == [True, True, True, False]


def test_invalid_completer_opens_the_slot_at_once(store: Store) -> None:
    one = [Slot(1, "", ())]
    person = joined(store, slots=one)
    store.finish(person.id, "completed", NOON, valid=False)
    assert joined(store, slots=one).slot == 1


@pytest.mark.parametrize("status", ["withdrawn", "excluded"])
def test_who_leaves_gives_the_slot_back(store: Store, status: str) -> None:
    person = joined(store)
    store.finish(person.id, status, NOON)  # type: ignore[arg-type]
    assert joined(store).slot == 1
    assert [(p.status, p.completed_at, p.counted) for p in store.participants()] == [
        (status, None, False),
        ("active", None, False),
    ]


def test_finishing_twice_keeps_the_first_time(store: Store) -> None:
    person = joined(store)
    store.finish(person.id, "completed", NOON)
    again = store.finish(person.id, "completed", NOON + timedelta(hours=1))
    assert again.completed_at == NOON
    withdrawn = store.finish(person.id, "withdrawn", NOON + timedelta(hours=2))
    assert (withdrawn.status, withdrawn.counted, withdrawn.completed_at) == ("withdrawn", False, NOON)
    with pytest.raises(StoreError, match="is withdrawn and cannot become completed"):
        store.finish(person.id, "completed", NOON)


def test_completed_participants_can_be_excluded_and_stay_so(store: Store) -> None:
    person = joined(store, slots=SLOTS[:1])
    store.finish(person.id, "completed", NOON)
    excluded = store.finish(person.id, "excluded", NOON + timedelta(hours=1))
    assert (excluded.status, excluded.counted, excluded.completed_at) == ("excluded", False, NOON)
    assert joined(store, slots=SLOTS[:1]).slot == 1  # the slot is free again
    with pytest.raises(StoreError, match="is excluded and cannot become withdrawn"):
        store.finish(person.id, "withdrawn", NOON)


def test_last_seen_never_goes_back(store: Store) -> None:
    person = joined(store)
    store.touch(person.id, NOON + timedelta(minutes=5))
    store.touch(person.id, NOON + timedelta(minutes=2))
    assert store.participants()[0].last_seen_at == NOON + timedelta(minutes=5)
    assert store.finish(person.id, "withdrawn", NOON + timedelta(minutes=9)).last_seen_at == NOON + timedelta(minutes=9)


def test_cohorts_have_slots_of_their_own(store: Store) -> None:
    slots = [Slot(1, "lay", ()), Slot(2, "expert", ()), Slot(3, "expert", ())]
    assert [joined(store, cohort="expert", slots=slots).slot for _ in range(3)] == [2, 3, 2]
    lay = joined(store, cohort="lay", slots=slots)
    store.finish(lay.id, "completed", NOON)
    with pytest.raises(StudyFull, match="all slots of cohort 'lay' are filled"):
        joined(store, cohort="lay", slots=slots)
    assert joined(store, cohort="expert", slots=slots).slot == 3
    with pytest.raises(UsageError, match="no slot for cohort 'novice'; use one of: 'expert', 'lay'"):
        joined(store, cohort="novice", slots=slots)


def test_many_at_once_share_the_slots_evenly(store: Store) -> None:
    with ThreadPoolExecutor(12) as pool:
        slots = list(pool.map(lambda _: joined(store).slot, range(30)))
    assert sorted(slots) == [1] * 10 + [2] * 10 + [3] * 10


# --- what they answered ---------------------------------------------------------------------------------------------


def test_same_id_twice_keeps_one_row(store: Store) -> None:
    person = joined(store)
    first = store.save(person.id, answer("a", value=4))
    second = store.save(person.id, answer("a", value=7))  # what was acknowledged first stays
    assert second == first
    assert (first.revision, first.payload) == (0, {"ratings": {"clarity": 4}})
    assert (first.started_at, first.answered_at, first.rt_ms) == (NOON, NOON + timedelta(seconds=3), 3000.5)
    assert [stored for _, stored in store.all_answers(revisions=True)] == [first]


def test_change_keeps_the_earlier_revision(store: Store) -> None:
    person = joined(store)
    stored = [store.save(person.id, answer(f"a{value}", value=value)) for value in range(3)]
    assert [each.revision for each in stored] == [0, 1, 2]
    assert store.answers(person.id) == {"quality-1": stored[2]}
    assert list(store.all_answers()) == [(person.id, stored[2])]
    assert list(store.all_answers(revisions=True)) == [(person.id, each) for each in stored]


def test_whole_visit_is_stored_as_page_by_page(store: Store) -> None:
    one, same = joined(store), joined(store)
    given = [store.save(one.id, replace(answer(f"a{page}", page), opened_at=NOON), now=NOON) for page in "pq"]
    left = replace(same, status="completed", valid=False, last_seen_at=NOON + HALF_AN_HOUR)
    stored = store.save_visit(left, [replace(each, answer_id=f"b{each.page}") for each in given])
    assert [replace(each, answer_id=f"a{page}") for page, each in store.answers(same.id).items()] == given
    assert stored == replace(left, completed_at=NOON + HALF_AN_HOUR) == store.participants()[1]
    with pytest.raises(StoreError, match="no participant with number 77"):
        store.save_visit(replace(left, id=77), given)
    assert len(list(store.all_answers())) == 4


def test_answers_of_one_page_only(store: Store) -> None:
    person = joined(store)
    store.save(person.id, answer("a", "consent"))
    store.save(person.id, answer("b", "questionnaire"))
    store.save(person.id, answer("c", "questionnaire"))
    assert [each.answer_id for _, each in store.all_answers(page="questionnaire")] == ["c"]
    assert [each.answer_id for _, each in store.all_answers(page="questionnaire", revisions=True)] == ["b", "c"]


def test_answer_id_of_another_participant_or_page_is_refused(store: Store) -> None:
    mine, other = joined(store), joined(store)
    secret = store.save(other.id, answer("taken", value=7))
    for person, page in ((mine, "quality-1"), (other, "quality-2")):
        with pytest.raises(StoreError) as refusal:
            store.save(person.id, answer("taken", page, value=1))
        assert str(refusal.value) == "this answer id is already used; send the answer with a new one"
    assert list(store.all_answers(revisions=True)) == [(other.id, secret)]


def test_answer_of_nobody_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="no participant with number 77"):
        store.save(77, answer("a"))
    with pytest.raises(StoreError, match="no participant with number 77"):
        store.finish(77, "completed", NOON)
    assert list(store.all_answers()) == []


@pytest.mark.parametrize("name", ["", "nul\0", "half \ud83d"])
def test_names_that_no_database_can_hold_are_refused(store: Store, name: str) -> None:
    person = joined(store)
    with pytest.raises(StoreError, match="is not a valid answer id or page"):
        store.save(person.id, answer(name))
    with pytest.raises(StoreError, match="is not a valid answer id or page"):
        store.save(person.id, answer("a", name))


def test_time_without_zone_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="has no time zone"):
        joined(store, NOON.replace(tzinfo=None))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    payload=st.dictionaries(
        st.text(max_size=10),
        st.recursive(st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(), st.lists, max_leaves=5),
        max_size=4,
    ).filter(lambda payload: "\0" not in repr(payload) and "\\x00" not in repr(payload)),
    microseconds=st.integers(0, 4 * 10**15),  # from 1970 to 2096
    hours=st.integers(-12, 14),
)
def test_what_comes_out_is_what_went_in(
    store: Store, payload: dict[str, object], microseconds: int, hours: int
) -> None:
    person = joined(store)
    there = timezone(timedelta(hours=hours))
    local = datetime(1970, 1, 1, tzinfo=there) + timedelta(microseconds=microseconds)
    stored = store.save(person.id, NewAnswer(f"id-{person.id}", "page", payload, None, local, None, {"w": 360}))
    assert stored.payload == payload
    assert stored.answered_at == local
    assert stored.answered_at.utcoffset() == timedelta(0)
    assert (stored.started_at, stored.rt_ms, stored.client) == (None, None, {"w": 360})
    assert store.answers(person.id) == {"page": stored}


def test_two_tabs_at_once_get_consecutive_revisions(store: Store) -> None:
    person = joined(store)
    with ThreadPoolExecutor(16) as pool:
        stored = list(pool.map(lambda number: store.save(person.id, answer(f"tab-{number}", value=number)), range(64)))
    assert sorted(each.revision for each in stored) == list(range(64))
    last = max(stored, key=lambda each: each.revision)
    assert store.answers(person.id)["quality-1"] == last


def test_double_clicks_at_once_keep_one_row(store: Store) -> None:
    person = joined(store)
    with ThreadPoolExecutor(16) as pool:
        stored = list(pool.map(lambda _: store.save(person.id, answer("same")), range(48)))
    assert len({repr(each) for each in stored}) == 1
    assert len(list(store.all_answers(revisions=True))) == 1


def test_two_processes_worth_of_stores_on_one_database(url: str) -> None:
    """Two stores have two writers, as two processes would: revisions, ids and slots still agree."""
    with Store.open(url) as one, Store.open(url) as two:
        person = joined(one)

        def write(number: int) -> int:
            store = (one, two)[number % 2]
            store.save(person.id, answer(f"both-{number // 2}"))  # each id is sent to both
            joined(store)
            return store.save(person.id, answer(f"own-{number}", "other")).revision

        with ThreadPoolExecutor(8) as pool:
            revisions = list(pool.map(write, range(40)))
        assert sorted(revisions) == list(range(40))
        assert sorted(each.revision for _, each in one.all_answers(page="quality-1", revisions=True)) == list(range(20))
        slots = sorted(each.slot for each in two.participants())
        assert slots == sorted(itertools.islice(itertools.cycle([1, 2, 3]), 41))


# --- the rest -------------------------------------------------------------------------------------------------------


def test_secret_is_made_once(url: str) -> None:
    with Store.open(url) as store, Store.open(url) as other:
        secret = store.secret("join")
        assert len(secret) >= 43  # 32 random bytes
        assert other.secret("join") == secret
        assert other.secret("board") != secret
    with Store.open(url) as reopened:
        assert reopened.secret("join") == secret


def test_all_is_there_after_reopening(url: str) -> None:
    with Store.open(url) as store:
        person = joined(store)
        stored = store.save(person.id, answer("a"))
        before = store.participants()
    with Store.open(url) as reopened:
        assert reopened.participants() == before
        assert reopened.answers(person.id) == {"quality-1": stored}


def test_closed_store_refuses_to_write(url: str) -> None:
    store = Store.open(url)
    person = joined(store)
    store.close()
    with pytest.raises(StoreError, match="the store is closed"):
        store.save(person.id, answer("a"))
    store.close()  # once more does no harm


def test_closing_waits_for_what_is_queued(url: str) -> None:
    store = Store.open(url)
    person = joined(store)

    async def send_and_close() -> None:
        waiting = [store.asynchronously(store.save, person.id, answer(f"a{number}")) for number in range(50)]
        await asyncio.to_thread(store.close)
        assert sorted([(await each).revision for each in waiting]) == list(range(50))

    asyncio.run(send_and_close())
    with Store.open(url) as reopened:
        assert len(list(reopened.all_answers(revisions=True))) == 50


def test_asynchronously_reads_and_writes(store: Store) -> None:
    async def take_part() -> None:
        person, token = await store.asynchronously(store.join, SLOTS, cohort="", now=NOON, release_after=HALF_AN_HOUR)
        assert await store.asynchronously(store.participant, token) == person
        saved = await asyncio.gather(
            *(store.asynchronously(store.save, person.id, answer(f"a{number}")) for number in range(100))
        )
        assert sorted(each.revision for each in saved) == list(range(100))
        with pytest.raises(StoreError, match="no participant"):
            await store.asynchronously(store.save, 99, answer("b"))
        with pytest.raises(UsageError, match="no slot for cohort"):
            await store.asynchronously(store.join, SLOTS, cohort="x", now=NOON, release_after=HALF_AN_HOUR)

    asyncio.run(take_part())


def test_answer_of_a_cancelled_request_is_stored(store: Store) -> None:
    person = joined(store)

    async def give_up() -> None:
        task = asyncio.ensure_future(store.asynchronously(store.save, person.id, answer("a")))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(give_up())
    store.touch(person.id, NOON)  # queued behind it
    assert store.answers(person.id)["quality-1"].answer_id == "a"


def test_event_loop_is_not_blocked_by_a_held_lock(url: str) -> None:
    """While another process holds the write lock, the loop goes on turning."""
    with Store.open(url) as store, Store.open(url) as other:
        person = joined(store)
        held, release = threading.Event(), threading.Event()

        def hold(_connection: object) -> None:
            held.set()
            assert release.wait(10)

        holding = other.writer.submit(hold)
        assert held.wait(10)

        async def save() -> int:
            waiting = asyncio.ensure_future(store.asynchronously(store.save, person.id, answer("a")))
            turns = 0
            while turns < 20:
                await asyncio.sleep(0.005)
                turns += 1
            assert not waiting.done()
            assert (await store.asynchronously(store.participants))[0] == person  # readers go on
            release.set()
            return (await waiting).revision

        assert asyncio.run(save()) == 0
        holding.result(10)


KILLED = """
import sys, threading, uuid
from datetime import UTC, datetime, timedelta
from textassay.answers.records import NewAnswer
from textassay.answers.store import Store
from textassay.design.plan import Slot
store = Store.open(sys.argv[1])
now = datetime.now(UTC)
said = threading.Lock()
def take_part():
    person, token = store.join([Slot(1, "", ())], cohort="", now=now, release_after=timedelta(hours=1))
    number = 0
    while True:
        number += 1
        stored = store.save(person.id, NewAnswer(uuid.uuid4().hex, f"page-{number % 7}", {"n": number}, now, now))
        with said:
            print(person.id, stored.answer_id, stored.page, stored.revision, number, flush=True)
for _ in range(8):
    threading.Thread(target=take_part).start()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal that cannot be caught")
@pytest.mark.parametrize("seconds", [0.05, 0.4])
def test_killed_while_writing_loses_nothing_acknowledged(url: str, tmp_path: Path, seconds: float) -> None:
    said = tmp_path / "acknowledged"
    with said.open("w") as out:
        child = subprocess.Popen([sys.executable, "-c", KILLED, url], stdout=out)
        try:
            wait_until(lambda: said.stat().st_size > 0 or child.poll() is not None)
            time.sleep(seconds)
        finally:
            child.send_signal(signal.SIGKILL)
            assert child.wait(10) == -signal.SIGKILL
    lines = said.read_text().splitlines(keepends=True)
    acknowledged = [tuple(line.split()) for line in lines if line.endswith("\n")]
    assert acknowledged
    with Store.open(url) as store:
        kept = {
            (str(person), each.answer_id, each.page, str(each.revision), str(each.payload["n"]))
            for person, each in store.all_answers(revisions=True)
        }
        assert set(acknowledged) <= kept
        person = store.participants()[0]
        assert store.save(person.id, answer("after")).revision == 0  # and it goes on


def wait_until(happened: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.005)


# --- when pages were opened ---------------------------------------------------------------------------------------


def test_first_opening_stays(store: Store) -> None:
    person, other = joined(store), joined(store)
    assert store.opened(person.id, "quality-1", NOON) == NOON
    assert store.opened(person.id, "quality-1", NOON + timedelta(seconds=50)) == NOON
    assert store.opened(person.id, "quality-2", NOON + timedelta(seconds=60)) == NOON + timedelta(seconds=60)
    assert store.opened(other.id, "quality-1", NOON + timedelta(seconds=70)) == NOON + timedelta(seconds=70)


def test_answers_tell_when_their_page_was_opened(store: Store) -> None:
    person = joined(store)
    store.opened(person.id, "quality-1", NOON)
    assert store.save(person.id, answer("a")).opened_at == NOON
    assert store.save(person.id, answer("b", value=5)).opened_at == NOON  # a changed answer has the same page
    assert store.save(person.id, answer("c", "quality-2")).opened_at is None
    assert {page: given.opened_at for page, given in store.answers(person.id).items()} == {
        "quality-1": NOON,
        "quality-2": None,
    }
    assert [given.opened_at for _, given in store.all_answers(revisions=True)] == [NOON, NOON, None]


def test_answer_may_bring_its_opening(store: Store) -> None:
    person = joined(store)
    brought = replace(answer("a"), opened_at=NOON)
    assert store.save(person.id, brought).opened_at == NOON
    later = replace(answer("b"), opened_at=NOON + timedelta(minutes=1))
    assert store.save(person.id, later).opened_at == NOON


def test_only_those_who_are_there_open_pages(store: Store) -> None:
    with pytest.raises(StoreError, match="this store has no participant with number 77"):
        store.opened(77, "quality-1", NOON)
    with pytest.raises(StoreError, match="is not a valid answer id or page"):
        store.opened(joined(store).id, "", NOON)


def test_many_open_one_page_at_once(store: Store) -> None:
    person = joined(store)
    with ThreadPoolExecutor(8) as pool:
        moments = [NOON + timedelta(seconds=number) for number in range(40)]
        told = set(pool.map(lambda moment: store.opened(person.id, "quality-1", moment), moments))
    assert len(told) == 1
