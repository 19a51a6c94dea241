"""What the board remembers is never out of date."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study

from textassay.answers.records import NewAnswer
from textassay.answers.store import Store
from textassay.serve.board.pages import ParticipantQuery, people_at
from textassay.serve.board.state import Board
from textassay.serve.site import Site
from textassay.study.load import load_study
from textassay.study.planning import draw_plan


def reasons(board: Board, served: Any, code: str) -> list[str]:
    from datetime import UTC, datetime

    with board.moment(datetime.now(UTC)) as seen:
        person = next(each for each in seen.people if each.code == code)
        verdict = board.verdicts(seen, [person]).get(person.id)
        return [] if verdict is None else [reason.rule for reason in verdict.reasons]


def test_verdict_is_asked_for_once_and_again_when_something_changes(
    serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    served = serve()
    first, second = served.join(), served.join()
    second.pass_pages()
    board = Board(served.study, served.plan, served.server.store)
    code = second.participant.code
    assert reasons(board, served, code) == []
    asked: list[int] = []
    answers = served.server.store.answers
    monkeypatch.setattr(
        served.server.store, "answers", lambda who, **more: (asked.append(who), answers(who, **more))[1]
    )
    assert reasons(board, served, code) == []
    assert asked == []
    # somebody who began before gives the same address later
    first.send("consent", {"agreed": True})
    first.send("questionnaire", second.questionnaire)
    asked.clear()
    assert reasons(board, served, code) == ["took-part-twice"]
    assert asked == [second.participant.id]
    served.server.store.set_simulated(first.participant.id)
    first.pass_pages()
    assert reasons(board, served, first.participant.code) == ["simulated"]
    page = served.researcher().get("/board").text
    assert "<dt>Simulated</dt><dd>1</dd>" in page
    assert page.count(">Simulated</small>") == 1
    second.client.post(f"{second.base}/withdraw")
    assert set(reasons(board, served, code)) == {"withdrawn", "took-part-twice"}


def test_nothing_is_said_of_people_at_work(serve: Callable[..., Any]) -> None:
    served = serve()
    person = served.join()
    person.pass_pages("quality-5")
    assert reasons(Board(served.study, served.plan, served.server.store), served, person.participant.code) == []


NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(f"sqlite:///{(tmp_path / 'answers.db').as_posix()}") as opened:
        yield opened


def send(store: Store, who: int, page: str, rt_ms: float = 1.0, minutes: float = 0) -> None:
    new = NewAnswer(str(uuid.uuid4()), page, {}, None, NOON, rt_ms)
    store.save(who, new, now=NOON + timedelta(minutes=minutes))


@pytest.fixture
def site(tmp_path: Path, store: Store) -> Site:
    """The small study, whose slots open again after 30 minutes."""
    study = load_study(write_small_study(tmp_path / "study"))
    return Site(study, draw_plan(study), store, lambda: NOON + timedelta(minutes=40))


@pytest.fixture
def people(site: Site, store: Store) -> dict[str, int]:
    """Minutes after noon: who joined first is seen last; one is silent for 39 minutes."""
    times = {"early": (-60, 39.5), "silent": (0, 1), "active": (20, 21), "new": (39, 39)}
    found = {}
    for name, (joined, last) in times.items():
        now = NOON + timedelta(minutes=joined)
        who = store.join(site.plan.slots, cohort="", now=now, release_after=timedelta(hours=9))[0].id
        found[name] = who
        if last != joined:
            send(store, who, "consent", 1000.0 * last, minutes=last)
    return found


def test_who_is_silent_is_counted_apart_and_stops_at_a_page(site: Site, people: dict[str, int]) -> None:
    with site.board.moment(site.clock()) as seen:
        state = site.board.overview(seen, site.pages)
    assert (state.statuses["active"], state.silent) == (3, 1)
    assert [(stop.page, stop.people) for stop in state.stops] == [("questionnaire", 1)]
    # the times of somebody who is silent count too: 39.5, 1 and 21 seconds
    assert [(each.what, each.answers, each.median_seconds) for each in state.times] == [("consent", 3, 21.0)]
    assert (state.minutes, state.filled, state.at) == (None, 0, site.clock())


def test_trials_under_way_are_those_of_active_participants(site: Site, people: dict[str, int], store: Store) -> None:
    for person in store.participants():
        if person.id in (people["silent"], people["active"]):
            trial = next(each for each in site.plan.slot(person.slot).trials if each.kind == "main")
            send(store, person.id, trial.key, minutes=1)
    with site.board.moment(site.clock()) as seen:
        state = site.board.overview(seen, site.pages)
    assert sum(each.under_way for each in state.conditions) == 1


def test_list_of_participants_begins_with_the_one_seen_last(site: Site, people: dict[str, int], store: Store) -> None:
    with site.board.moment(site.clock()) as seen:
        listed = people_at(site, seen, ParticipantQuery())
    known = {person.id: person for person in store.participants()}
    expected = [known[people[name]] for name in ("early", "new", "active", "silent")]
    assert [
        (row.code, row.slot, row.standing, row.started_at, row.last_seen_at, row.passed, row.valid)
        for row in listed.people
    ] == [
        (
            person.code,
            person.slot,
            "silent" if person.id == people["silent"] else "active",
            person.started_at,
            person.last_seen_at,
            int(person.id != people["new"]),
            None,
        )
        for person in expected
    ]


def test_pages_of_another_plan_are_not_counted_as_passed(site: Site, people: dict[str, int], store: Store) -> None:
    send(store, people["new"], "a page that is gone")
    with site.board.moment(site.clock()) as seen:
        rows = {row.code: row.passed for row in people_at(site, seen, ParticipantQuery()).people}
    assert rows[next(each.code for each in store.participants() if each.id == people["new"])] == 0


def test_duration_is_that_of_participants_who_were_not_excluded(site: Site, store: Store) -> None:
    for minutes, valid in ((10, True), (30, False)):
        who = store.join(site.plan.slots, cohort="", now=NOON, release_after=timedelta(hours=1))[0].id
        store.finish(who, "completed", NOON + timedelta(minutes=minutes), valid)
    with site.board.moment(site.clock()) as seen:
        assert site.board.overview(seen, site.pages).minutes == 10
