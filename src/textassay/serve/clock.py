"""The server's clock: it never runs backwards, not even over a restart.

Times decide about time limits, about who is still there, and about which of two answers is the newer. A machine's clock
may be set back; then this one goes on from the latest time that it, or the store, knows. The store also keeps what the
clock said when a server first started after the machine had: the machine counts the seconds since then whatever its
clock is set to, so that a server that is started again knows how much time has passed. After a restart of the machine,
or where the system does not say when it was started, only the last stored time is known.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from textassay.answers.store import Store

_BOOT = Path("/proc/sys/kernel/random/boot_id")


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


def boot_id() -> str | None:
    """Names the time since the machine was started; None where the system has no name for it."""
    try:
        return _BOOT.read_text(encoding="ascii").strip() or None
    except (OSError, ValueError):
        return None


def resumed_clock(
    store: Store, wall: Callable[[], datetime] = now_utc, monotonic: Callable[[], float] = time.monotonic
) -> SteadyClock:
    """A clock that goes on from the latest time that is known of the store's servers.

    Args:
        store: The store.
        wall: The machine's clock.
        monotonic: One that only runs forward, in seconds since the machine was started.
    """
    known, boot = store.latest_time(), boot_id()
    if boot is not None:
        at = store.clock_reading(boot, max(wall(), known or wall()), monotonic())
        known = at if known is None else max(known, at)
    return SteadyClock(known, wall, monotonic)
