"""The server's clock: it never runs backwards, and after a restart it is not earlier than the last stored time.

Times decide about time limits, about who is still there, and about which of two answers is the newer. A machine's clock
may be set back; then this one goes on from the latest time that it, or the store, knows.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta


def now_utc() -> datetime:
    """The current time, as the machine says."""
    return datetime.now(UTC)


class SteadyClock:
    """A clock that never runs backwards."""

    def __init__(
        self,
        since: datetime | None = None,
        wall: Callable[[], datetime] = now_utc,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Args: a time that is over; the machine's clock; one that only runs forward, in seconds."""
        self._wall, self._monotonic = wall, monotonic
        self._latest, self._at = since or wall(), monotonic()

    def __call__(self) -> datetime:
        """The time: that of the machine, or if that was set back, the time that has passed since the latest one."""
        at = self._monotonic()
        self._latest = max(self._wall(), self._latest + timedelta(seconds=at - self._at))
        self._at = at
        return self._latest
