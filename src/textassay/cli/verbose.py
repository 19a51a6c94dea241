"""`-v`: what happens step by step, with times, on the standard error.

Modules tell what they do to the logger of their own name, below `textassay`; without -v nobody listens.
"""

from __future__ import annotations

import logging
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from textassay import __version__
from textassay.study.store_address import public_address

LOG = logging.getLogger("textassay")
FLAGS = ("-v", "--verbose")


class _SinceStart(logging.Formatter):
    """The message after the seconds since the program started."""

    def format(self, record: logging.LogRecord) -> str:
        return f"{record.relativeCreated / 1000:8.3f} s  {record.getMessage()}"


def without_flag(arguments: Sequence[str]) -> tuple[list[str], bool]:
    """The arguments without -v, which may be anywhere before `--`, and whether it was there.

    >>> without_flag(["-v", "check", "study"]), without_flag(["check", "--", "-v"])
    ((['check', 'study'], True), (['check', '--', '-v'], False))
    """
    end = list(arguments).index("--") if "--" in arguments else len(arguments)
    kept = [each for each in arguments[:end] if each not in FLAGS]
    return [*kept, *arguments[end:]], len(kept) < end


@contextmanager
def telling_steps(arguments: Sequence[str]) -> Iterator[Callable[[str], None]]:
    """While the block runs, everything that modules tell is shown, and what is told to the function that it gets."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_SinceStart())
    level, spreads = LOG.level, LOG.propagate
    LOG.addHandler(handler)
    LOG.setLevel(logging.DEBUG)
    LOG.propagate = False
    try:
        given = " ".join(map(public_address, arguments))
        LOG.debug("textassay %s, Python %s: %s", __version__, platform.python_version(), given)
        yield LOG.debug
    finally:
        LOG.removeHandler(handler)
        LOG.setLevel(level)
        LOG.propagate = spreads
