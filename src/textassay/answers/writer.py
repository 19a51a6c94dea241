"""The single writer of a process: takes operations from all threads, commits them in groups, then returns the results.

Waiting for the disk takes most of the time, so operations that arrive during one commit share the next one. Answers and
openings of pages are conditional statements, which cannot fail alone; any other operation that fails is rolled back
alone, by its savepoint, and the others of its group are committed. An event loop is woken once per group, not once per
result.

On a database server, a group of nothing but answers and openings is committed beside those of other processes; any
other group has the database's write lock for itself.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from textassay.answers.database import beside_other_writers
from textassay.answers.saving import DueAnswer, OpenedPages, answer_statements
from textassay.answers.trouble import FileIdentity, StoreTroubleError, TroubleWatch, reason
from textassay.errors import StoreError, TextassayError

T = TypeVar("T")
Operation = Callable[[Connection], T]
"""A change that runs inside a writing transaction."""

_LARGEST_GROUP = 256
_OTHERS_WITH_ANSWERS, _OTHERS_ALONE = 4, 32
"""How many operations that are no answers share a commit with answers, and without."""
Outcome = tuple[Any, BaseException | None]
Conditional = DueAnswer | OpenedPages
"""What conditional statements store."""


@dataclass(frozen=True, slots=True)
class _Job:
    work: Operation[Any] | Conditional
    future: Future[Any] | asyncio.Future[Any]

    @property
    def is_conditional(self) -> bool:
        return isinstance(self.work, Conditional)


class _MayWorkNowError(Exception):
    """The group failed by no fault of its own, and trying it again does no harm."""


class Writer:
    """Runs operations on one thread and one connection."""

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._name = name
        is_file = engine.dialect.name == "sqlite"
        self._files = FileIdentity(Path(str(engine.url.database))) if is_file else None
        self.trouble = TroubleWatch()
        """Whether writing fails at the moment."""
        self._statements = answer_statements(engine.dialect)
        self._jobs: queue.SimpleQueue[Sequence[_Job] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._gathered: list[_Job] = []
        self._gathering: asyncio.AbstractEventLoop | None = None
        self._due: list[_Job] = []
        self._others: deque[_Job] = deque()
        self._connection: Connection | None = None
        self._driver_error: type[Exception] = getattr(engine.dialect.dbapi, "Error", SQLAlchemyError)

    def submit(self, work: Operation[T] | Conditional) -> Future[T]:
        """Queue an operation; its future gets the result only after the commit.

        Raises:
            StoreError: the writer is closed.
        """
        future: Future[T] = Future()
        self._put([_Job(work, future)])
        return future

    def submit_from_loop(self, work: Operation[Any] | Conditional) -> asyncio.Future[Any]:
        """Queue something from an event loop; what the loop queues in one turn is handed over at once.

        It is carried out even if the caller is cancelled.

        Raises:
            StoreError: the writer is closed.
        """
        loop = asyncio.get_running_loop()
        job = _Job(work, loop.create_future())
        with self._lock:
            self._refuse_if_closed()
            if self._gathering is None:
                self._gathering = loop
                loop.call_soon(self._hand_over)
            if self._gathering is loop:
                self._gathered.append(job)
                return job.future  # type: ignore[return-value]  # made by the loop, above
        self._put([job])  # another loop of this process
        return job.future  # type: ignore[return-value]

    def _hand_over(self) -> None:
        with self._lock:
            gathered, self._gathered, self._gathering = self._gathered, [], None
            if gathered:
                self._start()
                self._jobs.put(gathered)

    def close(self) -> None:
        """Finish what is queued, then stop; later operations are refused."""
        self._hand_over()
        with self._lock:
            self._closed = True
            thread, self._thread = self._thread, None
            self._jobs.put(None)
        if thread is not None:
            thread.join()

    def _put(self, jobs: Sequence[_Job]) -> None:
        with self._lock:
            self._refuse_if_closed()
            self._start()
            self._jobs.put(jobs)

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreError(f"{self._name}: the store is closed; nothing was stored")

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="textassay-writer", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while (group := self._next_group()) is not None:
            self._write(group)
        self._disconnect()

    def _next_group(self) -> list[_Job] | None:
        """What is waiting, at least one; None if the writer is to stop.

        Of other operations only a few go with answers: a crowd that joins must not hold up those who answer.
        """
        if not self._due and not self._others and self._take(self._jobs.get()):
            return None
        while len(self._due) < _LARGEST_GROUP:
            try:
                jobs = self._jobs.get_nowait()
            except queue.Empty:
                break
            if self._take(jobs):
                self._jobs.put(None)  # for a later call, after what is waiting
                break
        due, self._due = self._due[:_LARGEST_GROUP], self._due[_LARGEST_GROUP:]
        others = min(len(self._others), _OTHERS_WITH_ANSWERS if due else _OTHERS_ALONE)
        return [*(self._others.popleft() for _ in range(others)), *due]

    def _take(self, jobs: Sequence[_Job] | None) -> bool:
        """Sort what was handed over; returns whether it was the sign to stop."""
        for job in jobs or ():
            (self._due if job.is_conditional else self._others).append(job)
        return jobs is None

    def _write(self, group: list[_Job]) -> None:
        group = [job for job in group if _is_wanted(job)]
        if not group:
            return
        try:
            try:
                outcomes = self._committed(group)
            except _MayWorkNowError:  # the database server was restarted, perhaps
                outcomes = self._committed(group)
        except Exception as error:  # all waiting callers must get it, whatever it is
            cause = error.__cause__ if isinstance(error, _MayWorkNowError) else error
            told = self._store_error(cause)
            outcomes = [(None, told)] * len(group)
            if isinstance(told, StoreTroubleError):
                self.trouble.failed(told)
        else:
            self.trouble.worked()
        _deliver(group, outcomes)

    def _committed(self, group: Sequence[_Job]) -> list[Outcome]:
        """Commit a group; others come before conditional jobs, see `_next_group`."""
        others = [job for job in group if not job.is_conditional]
        conditional = [job for job in group if job.is_conditional]
        known = self._connection is not None
        if self._files is None and not others:
            try:
                with beside_other_writers(self._connected()) as driver:
                    self._open_pages(driver, conditional)
                    return self._stored(driver, conditional)
            except Exception as error:
                # Even if it was committed: what is stored already is then not stored again, and the caller asks why.
                again = (known and self._is_lost(error)) or _is_deadlock(error)
                self._disconnect()
                if again:
                    raise _MayWorkNowError from error
                raise
        try:
            connection = self._connected()
            transaction = connection.begin()
            driver = connection.connection.dbapi_connection
            self._open_pages(driver, conditional)
            outcomes = [self._outcome(connection, job.work) for job in others if not isinstance(job.work, Conditional)]
            outcomes += self._stored(driver, conditional)
        except Exception as error:
            lost = known and self._is_lost(error)
            self._disconnect()
            if lost:
                raise _MayWorkNowError from error
            raise
        try:
            transaction.commit()
        except Exception:  # whether it was committed is unknown
            self._disconnect()
            raise
        if self._files is not None:
            self._files.check()  # else the answers are in a file that nobody will read
        return outcomes

    def _is_lost(self, error: Exception) -> bool:
        """Whether the connection has failed, not only a statement; drivers tell by the connection, not by the error."""
        connection = self._connection
        if connection is None or connection.invalidated:  # SQLAlchemy has noticed already
            return connection is not None
        original = getattr(error, "orig", None) or error
        if not isinstance(original, self._driver_error):
            return False
        failure: Any = original  # of the driver, whose classes SQLAlchemy describes by a protocol
        driver: Any = connection.connection.dbapi_connection
        return self._engine.dialect.is_disconnect(failure, driver, None)

    def _connected(self) -> Connection:
        """The one connection of the writer; a new one where the last has failed."""
        if self._connection is None:
            self._connection = self._engine.connect()
            if self._files is not None:
                self._files.reopened()
        return self._connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):  # it may be what has failed
                connection.invalidate()
            with suppress(Exception):
                connection.close()

    def _open_pages(self, driver: Any, jobs: Sequence[_Job]) -> None:
        openings = [each for job in jobs if isinstance(job.work, OpenedPages) for each in job.work.openings]
        if openings:
            self._statements.store_openings(driver, openings)

    def _stored(self, driver: Any, jobs: Sequence[_Job]) -> list[Outcome]:
        """Store the answers; what openings return is nothing."""
        answers = [job.work for job in jobs if isinstance(job.work, DueAnswer)]
        stored = iter(self._statements.store_answers(driver, answers) if answers else ())
        return [(next(stored) if isinstance(job.work, DueAnswer) else None, None) for job in jobs]

    def _outcome(self, connection: Connection, operation: Operation[Any]) -> Outcome:
        # Plain SQL, because SQLAlchemy compiles its own savepoints each time, which takes as long as the saving.
        # If even the rollback to the savepoint fails, the transaction is lost: the error then ends the whole group.
        connection.exec_driver_sql("SAVEPOINT operation")
        result: Any = None
        failure: BaseException | None = None
        try:
            result = operation(connection)
        except Exception as error:  # returned to the caller
            connection.exec_driver_sql("ROLLBACK TO SAVEPOINT operation")
            failure = self._store_error(error)
            if isinstance(failure, StoreTroubleError) and not failure.kind.signs:
                # Of this operation alone: the database itself works.
                failure = StoreError(f"{self._name}: could not be written ({reason(error)}); try again")
        connection.exec_driver_sql("RELEASE SAVEPOINT operation")
        return result, failure

    def _store_error(self, error: BaseException | None) -> BaseException | None:
        if isinstance(error, TextassayError) or not isinstance(error, (SQLAlchemyError, self._driver_error, OSError)):
            return error
        return StoreTroubleError(self._name, "written", error)


def _is_wanted(job: _Job) -> bool:
    """What an event loop asked for is done in any case: its caller may be gone, but the answer was sent."""
    return job.future.set_running_or_notify_cancel() if isinstance(job.future, Future) else True


def _is_deadlock(error: Exception) -> bool:
    """Whether two servers waited for each other, and the database has undone one of the two transactions."""
    return getattr(error, "sqlstate", None) == "40P01"


def _deliver(group: Sequence[_Job], outcomes: Sequence[Outcome]) -> None:
    for_loops: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Outcome]]] = {}
    for job, outcome in zip(group, outcomes, strict=True):
        if isinstance(job.future, Future):
            _settle(job.future, outcome)
        else:
            for_loops.setdefault(job.future.get_loop(), []).append((job.future, outcome))
    for loop, settled in for_loops.items():
        with suppress(RuntimeError):  # the loop is closed, so nobody waits there
            loop.call_soon_threadsafe(_settle_all, settled)


def _settle_all(settled: Sequence[tuple[asyncio.Future[Any], Outcome]]) -> None:
    for future, outcome in settled:
        if not future.done():  # else its caller was cancelled
            _settle(future, outcome)


def _settle(future: Future[Any] | asyncio.Future[Any], outcome: Outcome) -> None:
    result, failure = outcome
    if failure is not None:
        future.set_exception(failure)
    else:
        future.set_result(result)
