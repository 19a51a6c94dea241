"""Several processes that serve one study on one listening socket, for a store that several can use at once.

Each opens the store for itself and remembers what it has seen; what matters is decided in the database. A process that
ends by itself is replaced, unless it does so again and again.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType

from textassay.errors import TextassayError, UsageError

LOG = logging.getLogger("textassay.serve")
_QUICK_SECONDS, _MOST_QUICK_ENDS = 5.0, 3
"""A process that ends so soon after its start has failed; so many of them in a row end all."""


def refuse_without_fork() -> None:
    """Where processes cannot be forked, only one can serve.

    Raises:
        UsageError: this is such a system.
    """
    if not hasattr(os, "fork"):
        raise UsageError("several workers need Linux or macOS; leave --workers out, or start several servers")


def run_workers(count: int, work: Callable[[], None]) -> None:
    """Run processes that do the work until this one is told to stop.

    Args:
        count: How many.
        work: What each does, until it gets SIGTERM; no thread may be running when this is called.

    Raises:
        TextassayError: the processes end as soon as they have started.
    """
    _Workers(count, work).run()


class _Workers:
    def __init__(self, count: int, work: Callable[[], None]) -> None:
        self._count, self._work = count, work
        self._started: dict[int, float] = {}
        self._stopping = False
        self._quick_ends = 0

    def run(self) -> None:
        before = {each: signal.signal(each, self._stop) for each in (signal.SIGTERM, signal.SIGINT)}
        try:
            for _ in range(self._count):
                self._start()
            while self._started:
                self._replace(*os.wait())
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)
        if self._quick_ends > _MOST_QUICK_ENDS:
            raise TextassayError("the workers end as soon as they have started; see above for the reason")

    def _stop(self, _number: int = 0, _frame: FrameType | None = None) -> None:
        self._stopping = True
        for pid in self._started:
            os.kill(pid, signal.SIGTERM)

    def _start(self) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            os._exit(_done(self._work))
        self._started[pid] = time.monotonic()

    def _replace(self, pid: int, status: int) -> None:
        started = self._started.pop(pid, None)
        if self._stopping or started is None:
            return
        self._quick_ends = self._quick_ends + 1 if time.monotonic() - started < _QUICK_SECONDS else 0
        if self._quick_ends > _MOST_QUICK_ENDS:
            self._stop()
            return
        LOG.warning("a worker has ended (%s); starting another", os.waitstatus_to_exitcode(status))
        self._start()


def _done(work: Callable[[], None]) -> int:
    """Do the work of a new process; its exit code."""
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, signal.SIG_DFL)
    try:
        work()
    except KeyboardInterrupt:
        return 130
    except TextassayError as error:
        print(f"textassay: {error}", file=sys.stderr, flush=True)
        return error.exit_code
    except BaseException:
        LOG.exception("a worker has failed")
        return 1
    return 0
