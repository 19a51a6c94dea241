"""When pages were first opened: kept for a moment and stored together, as nobody waits for it.

Only pages with a time limit are recorded before they are shown; see `visiting`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from datetime import datetime

from textassay.answers.records import Participant
from textassay.answers.store import Store
from textassay.answers.trouble import StoreTroubleError
from textassay.errors import StoreError

LOG = logging.getLogger("textassay.serve")
SECONDS = 0.25
"""How long an opening is kept at most."""


class Openings:
    """Openings that wait to be stored. Used by one event loop."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: list[tuple[Participant, str, datetime]] = []
        self._storing: set[asyncio.Future[None]] = set()

    def note(self, participant: Participant, page: str, now: datetime) -> None:
        """A participant opens a page; of several times the first is kept."""
        if not self._waiting:
            asyncio.get_running_loop().call_later(SECONDS, self.store_now)
        self._waiting.append((participant, page, now))

    def store_now(self) -> None:
        """Store what is waiting; before an answer is stored, so that it knows when its page was opened."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        try:
            stored: Awaitable[None] = self._store.asynchronously(self._store.opened_pages, waiting)
        except StoreError as error:
            _log(error)
            return
        future = asyncio.ensure_future(stored)
        self._storing.add(future)  # keeps a reference, as asyncio does not
        future.add_done_callback(self._stored)

    def close(self) -> None:
        """Store what is waiting when the event loop has stopped."""
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._store.opened_pages(waiting)

    def _stored(self, future: asyncio.Future[None]) -> None:
        self._storing.discard(future)
        error = None if future.cancelled() else future.exception()
        if error is not None:
            _log(error)


def _log(error: BaseException) -> None:
    """Only the time of opening is lost; the answer will say when it was given."""
    if isinstance(error, StoreTroubleError):
        return  # which has its own line in the log
    LOG.warning("when pages were opened could not be stored: %s", error)
