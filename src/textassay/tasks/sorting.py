"""What tasks share in which participants put texts in order: ids that reveal nothing, and checks of such orders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textassay.seeds import Stream
from textassay.study.model import Problems

_LETTERS = "bcdfghjkmnpqrstvwxz"
"""No vowels, so that no id is a word."""
_LENGTH = 5


def anonymous_ids(n: int, stream: Stream) -> list[str]:
    """That many different ids, new for each trial, so that they tell nothing about what they stand for.

    >>> ids = anonymous_ids(3, Stream(1, "example"))
    >>> len(set(ids)), {len(name) for name in ids}
    (3, {5})
    """
    found: dict[str, None] = {}
    while len(found) < n:
        found["".join(stream.choice(_LETTERS) for _ in range(_LENGTH))] = None
    return list(found)


def order_faults(checks: Iterable[Sequence[str]], key: str) -> Problems:
    """Duplicate texts in a check that is to be put in order; `key` is where a check has its texts."""
    for index, texts in enumerate(checks):
        for place, text in enumerate(texts):
            if text in texts[:place]:
                message = f"{text!r} is a duplicate, so no order would be the right one; reword one"
                yield ("attention_checks", index, key, place), message
