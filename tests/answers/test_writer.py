from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event

from textassay.answers.database import Engines, connect
from textassay.answers.saving import DueAnswer
from textassay.answers.store import Store
from textassay.answers.trouble import StoreTroubleError
from textassay.answers.writer import Operation, Writer
from textassay.errors import DataError, StoreError


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Engines]:
    made = connect(f"sqlite:///{(tmp_path / 'a.db').as_posix()}")
    with made.writer.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE t (x INTEGER PRIMARY KEY)")
    yield made
    made.dispose()


@pytest.fixture
def writer(opened: Engines) -> Iterator[Writer]:
    made = Writer(opened.writer, "a.db")
    yield made
    made.close()


def insert(number: int) -> Operation[int]:
    def operation(connection: Connection) -> int:
        connection.exec_driver_sql("INSERT INTO t VALUES (?)", (number,))
        return number

    return operation


def stored(opened: Engines) -> list[int]:
    with opened.reader.connect() as connection:
        return [row[0] for row in connection.exec_driver_sql("SELECT x FROM t ORDER BY x")]


def hold(writer: Writer) -> tuple[threading.Event, Future[None]]:
    """Keep the writer busy, so that what is submitted now goes into one group; it goes on when the event is set."""
    begun, go_on = threading.Event(), threading.Event()

    def operation(_connection: Connection) -> None:
        begun.set()
        assert go_on.wait(10)

    future = writer.submit(operation)
    assert begun.wait(10)
    return go_on, future


def test_result_comes_after_the_commit(writer: Writer, opened: Engines) -> None:
    assert writer.submit(insert(3)).result(10) == 3
    assert stored(opened) == [3]


def test_what_waits_is_committed_together(writer: Writer, opened: Engines) -> None:
    commits: list[int] = []
    event.listen(opened.writer, "commit", lambda _connection: commits.append(len(stored(opened))))
    go_on, _ = hold(writer)
    futures = [writer.submit(insert(number)) for number in range(30)]
    assert not any(future.done() for future in futures)
    go_on.set()
    assert [future.result(10) for future in futures] == list(range(30))
    assert commits == [0, 0]  # one for the operation that held the writer, one for the thirty


def test_operation_that_fails_is_undone_alone(writer: Writer, opened: Engines) -> None:
    def half(connection: Connection) -> None:
        insert(50)(connection)
        raise DataError("changed my mind")

    go_on, _ = hold(writer)
    futures: list[Future[int]] = [writer.submit(insert(number)) for number in (1, 2, 1, 3)]
    failing = writer.submit(half)
    last = writer.submit(insert(4))
    go_on.set()
    assert [futures[index].result(10) for index in (0, 1, 3)] == [1, 2, 3]
    assert last.result(10) == 4
    with pytest.raises(StoreError, match=r"a\.db: could not be written \(UNIQUE constraint failed: t\.x\); try again"):
        futures[2].result(10)
    with pytest.raises(DataError, match="changed my mind"):
        failing.result(10)
    assert stored(opened) == [1, 2, 3, 4]


def test_lost_transaction_is_told_to_the_whole_group(writer: Writer, opened: Engines) -> None:
    """As when SQLite gives up a transaction by itself because the disk is full."""

    def lose(connection: Connection) -> None:
        connection.exec_driver_sql("ROLLBACK")
        raise OSError("disk full")

    go_on, _ = hold(writer)
    futures = [writer.submit(insert(1)), writer.submit(lose), writer.submit(insert(2))]
    go_on.set()
    for future in futures:
        with pytest.raises(StoreError, match="could not be written"):
            future.result(10)
    assert stored(opened) == []
    assert writer.submit(insert(7)).result(10) == 7  # and it goes on


def test_failed_commit_acknowledges_nothing(writer: Writer, opened: Engines) -> None:
    def refuse(_connection: Connection) -> None:
        raise OSError("no space left")

    event.listen(opened.writer, "commit", refuse)
    future = writer.submit(insert(1))
    with pytest.raises(StoreTroubleError, match=r"no space left\); free some space"):
        future.result(10)
    event.remove(opened.writer, "commit", refuse)
    assert stored(opened) == []
    assert writer.submit(insert(1)).result(10) == 1


def test_cancelled_operation_is_not_carried_out(writer: Writer, opened: Engines) -> None:
    go_on, _ = hold(writer)
    unwanted, wanted = writer.submit(insert(1)), writer.submit(insert(2))
    assert unwanted.cancel()
    go_on.set()
    assert wanted.result(10) == 2
    assert stored(opened) == [2]


def test_closing_drains(opened: Engines) -> None:
    writer = Writer(opened.writer, "a.db")
    go_on, holding = hold(writer)
    futures = [writer.submit(insert(number)) for number in range(600)]  # more than one group
    closing = threading.Thread(target=writer.close)
    closing.start()
    go_on.set()
    closing.join(10)
    assert not closing.is_alive()
    assert [future.result(0) for future in futures] == list(range(600))
    holding.result(0)
    with pytest.raises(StoreError, match="the store is closed; nothing was stored"):
        writer.submit(insert(1000))
    assert len(stored(opened)) == 600


def test_no_thread_before_the_first_write(opened: Engines) -> None:
    writer = Writer(opened.writer, "a.db")
    assert not [thread for thread in threading.enumerate() if thread.name == "textassay-writer"]
    writer.close()


# --- from an event loop ---------------------------------------------------------------------------------------------


def test_event_loop_is_woken_once_per_group(writer: Writer, opened: Engines) -> None:
    async def hand_over() -> tuple[list[int], int]:
        loop = asyncio.get_running_loop()
        woken = 0
        wake = loop.call_soon_threadsafe

        def counted(*given: Any, **more: Any) -> asyncio.Handle:
            nonlocal woken
            woken += threading.current_thread().name == "textassay-writer"
            return wake(*given, **more)

        loop.call_soon_threadsafe = counted  # type: ignore[method-assign]
        results = await asyncio.gather(*(writer.submit_from_loop(insert(number)) for number in range(30)))
        return results, woken

    assert asyncio.run(hand_over()) == (list(range(30)), 1)
    assert stored(opened) == list(range(30))


def test_what_a_cancelled_caller_has_sent_is_carried_out(writer: Writer, opened: Engines) -> None:
    async def send_and_leave() -> int:
        go_on, _ = hold(writer)
        sent = asyncio.ensure_future(_result(writer.submit_from_loop(insert(1))))
        await asyncio.sleep(0)
        sent.cancel()
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await sent
        return await writer.submit_from_loop(insert(2))

    assert asyncio.run(send_and_leave()) == 2
    assert stored(opened) == [1, 2]


async def _result(future: asyncio.Future[int]) -> int:
    return await future


def test_failure_reaches_only_the_caller_whose_operation_failed(writer: Writer, opened: Engines) -> None:
    async def send() -> list[Any]:
        sent = [writer.submit_from_loop(insert(number)) for number in (1, 1, 2)]
        return await asyncio.gather(*sent, return_exceptions=True)

    first, again, other = asyncio.run(send())
    assert (first, type(again), other) == (1, StoreError, 2)
    assert stored(opened) == [1, 2]


def test_two_event_loops_get_their_own_results(writer: Writer, opened: Engines) -> None:
    async def send(start: int) -> list[int]:
        return await asyncio.gather(*(writer.submit_from_loop(insert(start + number)) for number in range(20)))

    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(lambda start: asyncio.run(send(start)), (100, 200)))
    assert found == [list(range(100, 120)), list(range(200, 220))]
    assert len(stored(opened)) == 40


def test_loop_that_is_closed_meanwhile_stops_nobody(writer: Writer, opened: Engines) -> None:
    go_on, _ = hold(writer)

    async def send_and_leave() -> None:
        writer.submit_from_loop(insert(1))
        await asyncio.sleep(0)

    asyncio.run(send_and_leave())
    go_on.set()
    assert writer.submit(insert(2)).result(10) == 2
    assert stored(opened) == [1, 2]


def test_closed_writer_refuses_what_a_loop_sends(opened: Engines) -> None:
    writer = Writer(opened.writer, "a.db")
    writer.close()

    async def send() -> None:
        writer.submit_from_loop(insert(1))

    with pytest.raises(StoreError, match="the store is closed"):
        asyncio.run(send())


# --- a database server that goes away ---------------------------------------------------------------------------------


@pytest.fixture
def on_server(postgres_database: str) -> Iterator[tuple[Engines, Writer]]:
    made = connect(postgres_database)
    with made.writer.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE t (x INTEGER PRIMARY KEY)")
    writer = Writer(made.writer, "the server")
    yield made, writer
    writer.close()
    made.dispose()


def insert_there(number: int, ran: list[int]) -> Operation[int]:
    def operation(connection: Connection) -> int:
        ran.append(connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one())
        connection.exec_driver_sql("INSERT INTO t VALUES (%s)", (number,))
        return number

    return operation


def end_connection(made: Engines, process: int) -> None:
    """End a connection as a restart of the database server does, and wait until it is gone."""
    with made.reader.connect() as connection:
        connection.exec_driver_sql("SELECT pg_terminate_backend(%s, 5000)", (process,))


def test_connection_lost_between_two_groups_is_made_again(on_server: tuple[Engines, Writer]) -> None:
    made, writer = on_server
    ran: list[int] = []
    assert writer.submit(insert_there(1, ran)).result(10) == 1
    end_connection(made, ran[-1])
    assert writer.submit(insert_there(2, ran)).result(10) == 2
    assert stored(made) == [1, 2]
    assert ran[-1] != ran[0]


def test_connection_lost_within_a_group_is_tried_once_more(on_server: tuple[Engines, Writer]) -> None:
    made, writer = on_server
    ran: list[int] = []
    assert writer.submit(insert_there(1, ran)).result(10) == 1

    def cut_once(connection: Connection) -> int:
        own = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
        if own == ran[0]:
            end_connection(made, own)
        return insert_there(3, ran)(connection)

    go_on, _ = hold(writer)
    futures = [writer.submit(insert_there(2, ran)), writer.submit(cut_once), writer.submit(insert_there(4, ran))]
    go_on.set()
    assert [future.result(10) for future in futures] == [2, 3, 4]
    assert stored(made) == [1, 2, 3, 4]  # nothing twice: the first attempt was never committed


def test_connection_that_is_lost_again_is_reported(on_server: tuple[Engines, Writer]) -> None:
    made, writer = on_server
    ran: list[int] = []
    assert writer.submit(insert_there(1, ran)).result(10) == 1
    attempts = []

    def cut(connection: Connection) -> int:
        attempts.append(connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one())
        end_connection(made, attempts[-1])
        return insert_there(2, ran)(connection)

    with pytest.raises(StoreError, match="the server: could not be written"):
        writer.submit(cut).result(10)
    assert len(attempts) == 2
    assert writer.submit(insert_there(3, ran)).result(10) == 3
    assert stored(made) == [1, 3]


def test_crowd_of_other_operations_does_not_hold_up_an_answer(store: Store) -> None:
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    person, _ = store.join([1], cohort="", now=now, release_after=timedelta(hours=1))
    new = DueAnswer(person.id, person.code, "consent", "", "", "first", "{}", "{}", now, now, now)

    def sees_it(connection: Connection) -> int:
        return int(connection.exec_driver_sql("SELECT count(*) FROM answers").scalar_one())

    async def both() -> list[int]:
        others = [store.writer.submit_from_loop(sees_it) for _ in range(100)]
        assert await store.save_due(new)
        return list(await asyncio.gather(*others))

    assert asyncio.run(both()) == [0] * 4 + [1] * 96
