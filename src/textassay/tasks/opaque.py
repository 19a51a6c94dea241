"""Ids that tell nothing, for what a page lets people move: drawn with the plan, new for each trial."""

from __future__ import annotations

from textassay.seeds import Stream

_LETTERS = "bcdfghjkmnpqrstvwxz"
"""No vowels, so that no id is a word."""
_LENGTH = 5


def opaque_ids(n: int, stream: Stream) -> list[str]:
    """So many different ids.

    >>> ids = opaque_ids(3, Stream(1, "example"))
    >>> len(set(ids)), {len(name) for name in ids}
    (3, {5})
    """
    found: dict[str, None] = {}
    while len(found) < n:
        found["".join(stream.choice(_LETTERS) for _ in range(_LENGTH))] = None
    return list(found)
