from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest
from sqlalchemy import Connection, event

from textassay.answers.database import Engines, connect
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
    futures = [writer.submit(insert(number)) for number in range(100)]
    assert not any(future.done() for future in futures)
    go_on.set()
    assert [future.result(10) for future in futures] == list(range(100))
    assert commits == [0, 0]  # one for the operation that held the writer, one for the hundred


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
