"""Whether the database works, looked at before anybody's answer depends on it.

What fails when something is written, the store knows. A server to which nobody sends an answer, or whose pages cannot
be read, has to try.
"""

from __future__ import annotations

import logging
import time
from contextlib import suppress

from textassay.answers.store import Store
from textassay.answers.trouble import StoreTroubleError
from textassay.errors import StoreError

LOG = logging.getLogger("textassay.serve")
_SECONDS = 5.0
"""How often it is tried whether the database can be written, while it can."""


class DatabaseWatch:
    """Tries to write, and logs what cannot be read."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tried = float("-inf")
        self._unreadable: set[str] = set()  # kinds of trouble that were logged

    async def look(self) -> None:
        """Write something, if that was not done a moment ago; while it fails, each time."""
        now = time.monotonic()
        if self._store.trouble is None and now - self._tried < _SECONDS:
            return
        self._tried = now
        with suppress(StoreError):
            await self._store.asynchronously(self._store.probe)

    async def failed(self, error: StoreError) -> None:
        """A request has failed; a database that could not be read perhaps cannot be written either."""
        if not isinstance(error, StoreTroubleError) or self._store.trouble is not None:
            return
        is_new = error.kind.name not in self._unreadable
        if is_new:
            self._tried = float("-inf")
        await self.look()
        if is_new and self._store.trouble is None:
            self._unreadable.add(error.kind.name)
            LOG.error("%s.", error)
