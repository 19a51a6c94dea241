"""How often Python looks for garbage in cycles."""

from __future__ import annotations

import gc

_OBJECTS_BETWEEN_COLLECTIONS = 50_000


def collect_garbage_less_often() -> None:
    """For long runs over rows, which go as they come, without cycles.

    What is loaded so far stays and is not searched again. At the usual pace the search takes a seventh of a long
    export, and a server would stop for it with every few answers.
    """
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
