"""Whether an answer came within its trial's time limit: the server's clock decides, the browser's explains."""

from __future__ import annotations

from datetime import timedelta

from textassay.answers.records import StoredAnswer

GRACE_SECONDS = 2.0
"""What the way from the browser to the store may take. What was chosen when time ran out is sent only then."""
TIME_OVER = "time_over"
"""What the browser says of itself, in `client`, where the answer was sent because the time was over."""


def remaining_seconds(limit: float, since_opening: timedelta) -> float:
    """Seconds that are left of the limit.

    >>> remaining_seconds(60, timedelta(seconds=45))
    15.0
    """
    return max(0.0, limit - since_opening.total_seconds())


def time_cells(limit: float | None, answer: StoredAnswer) -> dict[str, bool | None]:
    """Columns `timed_out` and `late` of an answer; nothing in them where there is no limit, or no opening is known.

    An answer that came within limit and grace was in time, unless the browser says that it sent it because the time
    was over, or that it was given after the limit. One that came after them was not: it is `late` where the browser's
    clock says that it was given in time (the network was down, or somebody has turned back a clock), else it has timed
    out. Never both.
    """
    if limit is None or answer.opened_at is None:
        return {"timed_out": None, "late": None}
    over = (answer.received_at - answer.opened_at).total_seconds() > limit + GRACE_SECONDS
    in_time_there = answer.rt_ms is not None and answer.rt_ms < 1000 * limit
    said = answer.client.get(TIME_OVER) is True or answer.payload.get("timed_out") is True
    timed_out = said or (not in_time_there and (over or answer.rt_ms is not None))
    return {"timed_out": timed_out, "late": over and not timed_out}
