"""Participants' versions: the one question that is asked of the database before every page.

Other programs change what a server remembers of a participant, and raise the version when they do. A file is asked at
once, which takes less than handing over to a thread. A database server is asked for many participants together: those
who come while one question is under way share the next one, as answers share a commit.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from textassay.answers import statements as sql
from textassay.answers.database import Engines
from textassay.answers.records import Participant
from textassay.answers.saving import CompiledStatement

AskMany = Callable[[Sequence[Participant]], Awaitable[Mapping[str, int]]]
"""Reads the versions of some participants by code, in a thread."""


class Versions(Protocol):
    """Tells versions in an event loop."""

    async def now(self, participant: Participant) -> int | None:
        """The participant's version now; None where there is no such participant any more."""

    def close(self) -> None:
        """End its connection, if it has one."""


def versions_of(engines: Engines, ask: AskMany) -> Versions:
    """The way that suits the database; `ask` is the way that always works."""
    grouped = GroupedVersions(ask)
    return FileVersions(engines, grouped) if engines.is_file else grouped


class FileVersions:
    """Those of a database file, by a connection of the event loop."""

    def __init__(self, engines: Engines, otherwise: Versions) -> None:
        """Args: the file's connections; who is asked while it is busy or in trouble, and waits or says why."""
        self._statement = CompiledStatement(sql.VERSION, engines.reader.dialect, ("participant_id", "code"))
        self._pooled = engines.reader.raw_connection()
        self._otherwise = otherwise

    async def now(self, participant: Participant) -> int | None:
        """See `Versions`."""
        values = self._statement.row((participant.id, participant.code))
        connection: Any = self._pooled.dbapi_connection
        try:
            row = connection.execute(self._statement.text, values).fetchone()
        except sqlite3.Error:
            return await self._otherwise.now(participant)
        return None if row is None else int(row[0])

    def close(self) -> None:
        """See `Versions`."""
        self._pooled.close()


class GroupedVersions:
    """Those of a database server, for all who ask at the same time."""

    def __init__(self, ask: AskMany) -> None:
        self._ask = ask
        self._groups: WeakKeyDictionary[asyncio.AbstractEventLoop, _Group] = WeakKeyDictionary()

    async def now(self, participant: Participant) -> int | None:
        """See `Versions`."""
        loop = asyncio.get_running_loop()
        group = self._groups.get(loop)
        if group is None:
            group = self._groups[loop] = _Group(self._ask)
        return await group.version(loop, participant)

    def close(self) -> None:
        """See `Versions`."""


class _Group:
    """Those who ask in one event loop."""

    def __init__(self, ask: AskMany) -> None:
        self._ask = ask
        self._waiting: list[tuple[Participant, asyncio.Future[int | None]]] = []
        self._asking: asyncio.Task[None] | None = None

    def version(self, loop: asyncio.AbstractEventLoop, participant: Participant) -> asyncio.Future[int | None]:
        # Not the question that is under way, for it may have been answered before the caller's last answer was stored.
        future: asyncio.Future[int | None] = loop.create_future()
        self._waiting.append((participant, future))
        if self._asking is None:
            self._asking = loop.create_task(self._answer())
        return future

    async def _answer(self) -> None:
        while self._waiting:
            asked, self._waiting = self._waiting, []
            found: Mapping[str, int] = {}
            problem: Exception | None = None
            try:
                found = await self._ask([participant for participant, _ in asked])
            except Exception as error:  # whatever it is, those who asked are told
                problem = error
            for participant, future in asked:
                if future.done():  # who asked has gone
                    continue
                if problem is not None:
                    future.set_exception(problem)
                else:
                    future.set_result(found.get(participant.code))
        self._asking = None
