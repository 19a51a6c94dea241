"""The server's time never runs backwards."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from textassay.serve.clock import SteadyClock

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@given(st.lists(st.tuples(st.floats(0, 1e4), st.floats(-1e6, 1e6))), st.one_of(st.none(), st.floats(-1e6, 1e6)))
def test_time_passes_at_least_as_fast_as_it_really_does(steps: list[tuple[float, float]], since: float | None) -> None:
    """Each step: seconds that really pass, and by how many the machine's clock is set."""
    real, shift = 0.0, 0.0
    start = None if since is None else NOON + timedelta(seconds=since)
    clock = SteadyClock(start, lambda: NOON + timedelta(seconds=real + shift), lambda: real)
    before, at = clock(), real
    for passed, set_by in steps:
        real, shift = real + passed, shift + set_by
        now = clock()
        assert now >= NOON + timedelta(seconds=real + shift)
        assert now - before >= timedelta(seconds=real - at) - timedelta(microseconds=2)
        before, at = now, real


def test_machine_whose_clock_is_right_decides() -> None:
    clock = SteadyClock(NOON - timedelta(days=1), lambda: NOON, lambda: 0.0)
    assert clock() == NOON


def test_time_goes_on_from_the_latest_that_the_store_knows() -> None:
    passed = 0.0
    clock = SteadyClock(NOON + timedelta(hours=2), lambda: NOON, lambda: passed)
    assert clock() == NOON + timedelta(hours=2)
    passed = 90.0
    assert clock() == NOON + timedelta(hours=2, seconds=90)
