"""How many people may start from one network address within a minute. Addresses stay in memory, and not for long."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from math import ceil

_MINUTE = 60.0
_MOST_NETWORKS = 10_000
"""How many are remembered; those from which nobody started for longest are forgotten first."""


class JoinLimit:
    """Counts who starts.

    >>> limit = JoinLimit(1, clock=lambda: 0.0)
    >>> limit.seconds_to_wait("192.0.2.1"), limit.seconds_to_wait("192.0.2.1"), limit.seconds_to_wait("192.0.2.2")
    (0, 60, 0)
    """

    def __init__(self, most: int | None, clock: Callable[[], float] = time.monotonic) -> None:
        """Args: how many people a minute, None for any number; a clock in seconds that never runs backwards."""
        self._most, self._clock = most, clock
        self._starts: OrderedDict[str, deque[float]] = OrderedDict()
        self.proxy_reported = False
        """Whether it was reported that all visitors seem to come from one undeclared proxy."""

    def seconds_to_wait(self, network: str) -> int:
        """Until somebody may start from that network; 0 if at once, which then counts."""
        if self._most is None:
            return 0
        now = self._clock()
        starts = self._starts.setdefault(network, deque())
        self._starts.move_to_end(network)
        if len(self._starts) > _MOST_NETWORKS:
            self._starts.popitem(last=False)
        while starts and now - starts[0] >= _MINUTE:
            starts.popleft()
        if len(starts) >= self._most:
            return max(1, ceil(_MINUTE - (now - starts[0])))
        starts.append(now)
        return 0
