"""The single writer of a process: takes operations from all threads, commits them in groups, then returns the results.

Waiting for the disk takes most of the time, so operations that arrive during one commit share the next one. An
operation that fails is rolled back alone, by its savepoint; the others of its group are committed.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from textassay.answers.database import reason, remedy
from textassay.errors import StoreError, TextassayError

T = TypeVar("T")
Operation = Callable[[Connection], T]
"""A change that runs inside a writing transaction."""

_LARGEST_GROUP = 256


@dataclass(frozen=True)
class _Job:
    operation: Operation[Any]
    future: Future[Any]


class Writer:
    """Runs operations on one thread and one connection."""

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._name = name
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False

    def submit(self, operation: Operation[T]) -> Future[T]:
        """Queue an operation; its future gets the result only after the commit.

        Raises:
            StoreError: the writer is closed.
        """
        future: Future[T] = Future()
        with self._lock:
            if self._closed:
                raise StoreError(f"{self._name}: the store is closed; nothing was stored")
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="textassay-writer", daemon=True)
                self._thread.start()
            self._jobs.put(_Job(operation, future))
        return future

    def close(self) -> None:
        """Finish what is queued, then stop; later operations are refused."""
        with self._lock:
            self._closed = True
            thread, self._thread = self._thread, None
            self._jobs.put(None)
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        while (group := self._next_group()) is not None:
            self._write(group)

    def _next_group(self) -> list[_Job] | None:
        """All operations that are waiting, at least one; None if the writer is to stop."""
        first = self._jobs.get()
        if first is None:
            return None
        group = [first]
        while len(group) < _LARGEST_GROUP:
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                break
            if job is None:
                self._jobs.put(None)  # for the next call, after this last group
                break
            group.append(job)
        return group

    def _write(self, group: list[_Job]) -> None:
        group = [job for job in group if job.future.set_running_or_notify_cancel()]
        if not group:
            return
        outcomes: list[tuple[Any, BaseException | None]] = []
        try:
            with self._engine.connect() as connection, connection.begin():
                outcomes.extend(self._outcome(connection, job.operation) for job in group)
        except Exception as error:  # all waiting callers must get it, whatever it is
            outcomes = [(None, self._store_error(error)) for _ in group]
        for job, (result, failure) in zip(group, outcomes, strict=True):
            if failure is not None:
                job.future.set_exception(failure)
            else:
                job.future.set_result(result)

    def _outcome(self, connection: Connection, operation: Operation[Any]) -> tuple[Any, BaseException | None]:
        # Plain SQL, because SQLAlchemy compiles its own savepoints each time, which takes as long as the saving.
        # If even the rollback to the savepoint fails, the transaction is lost: the error then ends the whole group.
        connection.exec_driver_sql("SAVEPOINT operation")
        result, failure = None, None
        try:
            result = operation(connection)
        except Exception as error:  # returned to the caller
            connection.exec_driver_sql("ROLLBACK TO SAVEPOINT operation")
            failure = self._store_error(error)
        connection.exec_driver_sql("RELEASE SAVEPOINT operation")
        return result, failure

    def _store_error(self, error: Exception) -> Exception:
        if isinstance(error, TextassayError) or not isinstance(error, SQLAlchemyError):
            return error
        return StoreError(f"{self._name}: could not be written ({reason(error)}); {remedy(error, 'try again')}")
