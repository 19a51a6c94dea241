"""Answers of several servers on one PostgreSQL are stored side by side, and nothing is lost by it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, select

from textassay.answers.database import beside_other_writers, connect
from textassay.answers.records import Participant
from textassay.answers.saving import DueAnswer, DueOpening, ServerStatements, answer_statements
from textassay.answers.schema import openings
from textassay.answers.store import Store

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
pytestmark = pytest.mark.postgres


@pytest.fixture
def store(postgres_database: str) -> Iterator[Store]:
    with Store.open(postgres_database) as opened:
        yield opened


@pytest.fixture
def elsewhere(postgres_database: str, store: Store) -> Iterator[Connection]:
    """The connection of another server's writer."""
    with connect(postgres_database) as engines, engines.writer.connect() as connection:
        yield connection


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as made:
        yield made


def joined(store: Store) -> Participant:
    return store.join([1], cohort="", now=NOON, release_after=timedelta(minutes=30))[0]


def due(person: Participant, answer_id: str, page: str = "one", previous: str = "", **more: Any) -> DueAnswer:
    values = {"before": "", **more}
    return DueAnswer(
        person.id, person.code, page, previous, answer_id=answer_id, payload="{}", client="{}", started_at=None,
        answered_at=NOON, received_at=NOON, **values,
    )  # fmt: skip


def save(store: Store, *answers: DueAnswer) -> list[bool]:
    async def all_at_once() -> list[bool]:
        return list(await asyncio.gather(*(store.save_due(answer) for answer in answers)))

    return asyncio.run(all_at_once())


def still_waits(future: Future[Any], seconds: float = 0.3) -> bool:
    with pytest.raises(TimeoutError):
        future.result(seconds)
    return True


def ids(store: Store) -> list[str]:
    return [answer.answer_id for _, answer in store.all_answers(revisions=True)]


def test_answers_do_not_wait_for_those_of_another_server(store: Store, elsewhere: Connection) -> None:
    one, two = joined(store), joined(store)
    statements = answer_statements(elsewhere.dialect)
    with beside_other_writers(elsewhere) as driver:
        assert statements.store_answers(driver, [due(one, "a")]) == [True]
        assert save(store, due(two, "b")) == [True]  # while that one is not yet committed
        assert ids(store) == ["b"]
    assert sorted(ids(store)) == ["a", "b"]


def test_of_two_first_answers_to_a_page_the_second_waits_and_is_refused(
    store: Store, elsewhere: Connection, threads: ThreadPoolExecutor
) -> None:
    person = joined(store)
    with beside_other_writers(elsewhere) as driver:
        answer_statements(elsewhere.dialect).store_answers(driver, [due(person, "a")])
        other = threads.submit(save, store, due(person, "b"))
        assert still_waits(other)
    assert other.result(10) == [False]
    assert ids(store) == ["a"]


def test_of_two_changes_that_know_the_same_answer_one_is_refused(
    store: Store, elsewhere: Connection, threads: ThreadPoolExecutor
) -> None:
    person = joined(store)
    assert save(store, due(person, "a")) == [True]
    with beside_other_writers(elsewhere) as driver:
        answer_statements(elsewhere.dialect).store_answers(driver, [due(person, "b", before="a")])
        other = threads.submit(save, store, due(person, "c", before="a"))
        assert still_waits(other)
    assert other.result(10) == [False]
    assert ids(store) == ["a", "b"]
    (now,) = store.participants()
    assert now.version - person.version == 2


def test_what_is_no_answer_waits_until_all_answers_are_stored(
    store: Store, elsewhere: Connection, threads: ThreadPoolExecutor
) -> None:
    person = joined(store)
    with beside_other_writers(elsewhere) as driver:
        answer_statements(elsewhere.dialect).store_answers(driver, [due(person, "a")])
        withdrawn = threads.submit(store.finish, person.id, "withdrawn", NOON)
        assert still_waits(withdrawn)
    assert withdrawn.result(10).status == "withdrawn"
    assert save(store, due(person, "b", "two", "one")) == [False]


def test_reader_of_the_journal_misses_no_answer_that_is_committed_later(
    store: Store, elsewhere: Connection, threads: ThreadPoolExecutor
) -> None:
    """The answer that another server is about to commit has a lower number than one that is there already."""
    one, two = joined(store), joined(store)
    with beside_other_writers(elsewhere) as driver:
        answer_statements(elsewhere.dialect).store_answers(driver, [due(one, "a")])
        save(store, due(two, "b"))
        reading = [threads.submit(store.journal.last), threads.submit(store.journal.extent)]
        assert all(map(still_waits, reading))
    last, extent = (each.result(10) for each in reading)
    assert last == extent.last
    assert extent.answers == 2
    found = [participant for part in store.journal.entries(0, last) for participant in part.participants.tolist()]
    assert sorted(found) == [one.id, two.id]


def test_answers_are_stored_after_two_servers_have_waited_for_each_other(
    store: Store, elsewhere: Connection, threads: ThreadPoolExecutor
) -> None:
    one, two = joined(store), joined(store)
    touch = "UPDATE participants SET version = version + 1 WHERE id = %s RETURNING id"
    with ExitStack() as stack:
        driver = stack.enter_context(beside_other_writers(elsewhere))
        assert driver.execute(touch, (two.id,)).fetchone() is not None
        both = threads.submit(save, store, due(one, "a"), due(two, "b"))
        assert still_waits(both)
        # The server that has waited for longer is the one whose transaction ends.
        threads.submit(driver.execute, touch, (one.id,))
    assert both.result(10) == [True, True]
    assert sorted(ids(store)) == ["a", "b"]
    assert store.trouble is None


def test_first_opening_of_a_page_stays_whichever_server_stores_it(store: Store, elsewhere: Connection) -> None:
    person = joined(store)
    statements = answer_statements(elsewhere.dialect)
    store.opened_pages([(person, "one", NOON)])
    with beside_other_writers(elsewhere) as driver:
        again = [DueOpening(person.id, person.code, page, NOON + timedelta(minutes=1)) for page in ("one", "two")]
        statements.store_openings(driver, again)
    with store.reading() as connection:
        found = connection.execute(select(openings.c.page, openings.c.opened_at).order_by(openings.c.page)).all()
    assert [tuple(row) for row in found] == [("one", NOON), ("two", NOON + timedelta(minutes=1))]


def test_statement_looks_up_single_rows_in_large_tables(store: Store, elsewhere: Connection) -> None:
    """However many people and answers there are, and whenever the plan was made."""
    person = joined(store)
    save(store, due(person, "a"))
    with elsewhere.begin():
        elsewhere.exec_driver_sql(
            "INSERT INTO participants (code, token_hash, cohort, slot, status, valid, started_at, last_seen_at)"
            " SELECT 'p' || n, 'h' || n, '', 1, 'active', true, now(), now() FROM generate_series(1, 1000) n"
        )
        elsewhere.exec_driver_sql(
            "INSERT INTO answers (participant_id, page, revision, answer_id, payload, answered_at, client, received_at)"
            " SELECT id, 'page ' || n, 0, id || ' ' || n, '{}', now(), '{}', now()"
            " FROM participants, generate_series(1, 20) n"
        )
    statements = answer_statements(elsewhere.dialect)
    assert isinstance(statements, ServerStatements)
    for statement in (statements.new, statements.change, statements.late):
        values = statement.rows([due(person, "b", "two", "one", before="a")] * 3)
        driver: Any = elsewhere.connection.dbapi_connection
        plan = "\n".join(row[0] for row in driver.execute("EXPLAIN " + statement.text, values))
        assert "Seq Scan" not in plan, plan
        assert "Hash" not in plan, plan
        looked_up = re.findall(r"Index Cond: \((id|code) = ", plan)
        assert len(looked_up) == 2, plan  # the participant, to find and to change
