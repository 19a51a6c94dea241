"""One BLAS thread while a model is fitted.

Fits solve thousands of small systems one after another. Threads of the linear algebra library (BLAS) then wait for each
other longer than they calculate, above all where other programs use the cores too: with two threads on two busy cores,
factorising and solving 300 equations took 2.3 s instead of 0.04 s, and even with 2,000 equations one thread was faster.
"""

from __future__ import annotations

import sys
import threading
from contextlib import ContextDecorator, ExitStack
from functools import cache
from typing import Any


class BlasLimit(ContextDecorator):
    """Limits BLAS to one thread for a `with` block or a decorated function.

    The number of BLAS threads belongs to the whole process. So where fits run in several threads at once, the first
    thread sets the limit and restores the number when its own fit ends; the others change nothing.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._limit = ExitStack()
        self._owner: int | None = None
        self._depth = 0

    def __enter__(self) -> None:
        thread = threading.get_ident()
        with self._lock:
            if self._owner is None:
                self._owner = thread
                limited = _controller(scipy_loaded="scipy.linalg" in sys.modules).limit(limits=1, user_api="blas")
                self._limit.enter_context(limited)
            self._depth += self._owner == thread

    def __exit__(self, *_: object) -> None:
        with self._lock:
            if self._owner == threading.get_ident():
                self._depth -= 1
                if self._depth == 0:
                    self._limit.close()
                    self._owner = None


one_blas_thread = BlasLimit()


@cache  # it looks through all loaded libraries, which takes 15 ms; scipy brings a BLAS of its own
def _controller(*, scipy_loaded: bool) -> Any:  # noqa: ARG001
    from threadpoolctl import ThreadpoolController  # noqa: PLC0415 -- only fits need it

    return ThreadpoolController()
