from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.answers.answer_rows import GRACE_SECONDS, remaining_seconds, time_limit_cells
from textassay.answers.records import StoredAnswer

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
LIMIT = 60.0


def answer(seconds: float, rt_ms: float | None, *, opened: bool = True, **more: Any) -> StoredAnswer:
    """An answer that came so many seconds after its page was opened."""
    received = NOON + timedelta(seconds=seconds)
    client, payload = more.get("client", {}), more.get("payload", {})
    return StoredAnswer("a", "p", payload, NOON, received, rt_ms, client, 0, received, NOON if opened else None)


@pytest.mark.parametrize(
    ("what", "given_answer", "timed_out", "late"),
    [
        ("well in time", answer(30, 29_000), False, False),
        ("at the last moment, a second on the way", answer(60.9, 59_900), False, False),
        ("sent because time was over", answer(60.5, 59_990, client={"time_over": True}), True, False),
        ("the task says so itself", answer(60.5, 59_990, payload={"timed_out": True}), True, False),
        ("the browser's own clock is past the limit", answer(60.5, 60_000), True, False),
        ("the network was down", answer(600, 40_000), False, True),
        ("time was over, then the network was down", answer(600, 59_990, client={"time_over": True}), True, False),
        ("came back much later", answer(600, 599_000), True, False),
        ("nobody knows when it was given", answer(600, None), True, False),
        ("nobody knows, but it was there in time", answer(30, None), False, False),
        ("simulated, hours in a second", answer(0.1, 75_000), True, False),
    ],
)
def test_who_was_in_time(what: str, given_answer: StoredAnswer, timed_out: bool, late: bool) -> None:
    assert time_limit_cells(LIMIT, given_answer) == {"timed_out": timed_out, "late": late}, what


def test_without_limit_or_opening_nothing_is_said() -> None:
    nothing = {"timed_out": None, "late": None}
    assert time_limit_cells(None, answer(600, 599_000)) == nothing
    assert time_limit_cells(LIMIT, answer(600, 599_000, opened=False)) == nothing


@given(st.floats(0, 1e5), st.none() | st.floats(0, 1e8), st.booleans())
def test_only_the_servers_clock_makes_late_and_never_within_the_grace(
    seconds: float, rt_ms: float | None, said: bool
) -> None:
    cells = time_limit_cells(LIMIT, answer(seconds, rt_ms, client={"time_over": said}))
    assert not (cells["timed_out"] and cells["late"])
    if seconds <= LIMIT + GRACE_SECONDS:
        assert not cells["late"]
    else:
        assert cells["timed_out"] or cells["late"]


def test_remaining_time_never_falls_below_nothing() -> None:
    assert remaining_seconds(60, timedelta(seconds=59.5)) == 0.5
    assert remaining_seconds(60, timedelta(hours=3)) == 0
