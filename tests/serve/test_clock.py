"""The server's time never runs backwards, whether it goes on or is started again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.answers.store import Store
from textassay.serve import clock
from textassay.serve.clock import SteadyClock, resumed_clock

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@given(st.lists(st.tuples(st.floats(0, 1e4), st.floats(-1e6, 1e6))), st.one_of(st.none(), st.floats(-1e6, 1e6)))
def test_time_passes_at_least_as_fast_as_it_really_does(steps: list[tuple[float, float]], since: float | None) -> None:
    """Each step: seconds that really pass, and by how many the machine's clock is set."""
    real, shift = 0.0, 0.0
    start = None if since is None else NOON + timedelta(seconds=since)
    steady = SteadyClock(start, lambda: NOON + timedelta(seconds=real + shift), lambda: real)
    before, at = steady(), real
    for passed, set_by in steps:
        real, shift = real + passed, shift + set_by
        now = steady()
        assert now >= NOON + timedelta(seconds=real + shift)
        assert now - before >= timedelta(seconds=real - at) - timedelta(microseconds=2)
        before, at = now, real


def test_machine_whose_clock_is_right_decides() -> None:
    steady = SteadyClock(NOON - timedelta(days=1), lambda: NOON, lambda: 0.0)
    assert steady() == NOON


def test_time_goes_on_from_the_latest_that_the_store_knows() -> None:
    passed = 0.0
    steady = SteadyClock(NOON + timedelta(hours=2), lambda: NOON, lambda: passed)
    assert steady() == NOON + timedelta(hours=2)
    passed = 90.0
    assert steady() == NOON + timedelta(hours=2, seconds=90)


def test_server_that_is_started_again_knows_how_much_time_has_passed(tmp_path: Path) -> None:
    """Nothing was stored meanwhile, and the machine's clock was set back by an hour."""
    with Store.open(f"sqlite:///{(tmp_path / 'answers.db').as_posix()}") as store:
        assert resumed_clock(store, lambda: NOON, lambda: 1000.0)() == NOON
        back = NOON - timedelta(hours=1)
        assert resumed_clock(store, lambda: back, lambda: 1050.0)() == NOON + timedelta(seconds=50)
        assert resumed_clock(store, lambda: back, lambda: 1060.0)() == NOON + timedelta(seconds=60)


def test_clock_that_was_set_forward_is_believed_from_then_on(tmp_path: Path) -> None:
    with Store.open(f"sqlite:///{(tmp_path / 'answers.db').as_posix()}") as store:
        resumed_clock(store, lambda: NOON, lambda: 1000.0)
        later = NOON + timedelta(days=1)
        assert resumed_clock(store, lambda: later, lambda: 1010.0)() == later
        assert resumed_clock(store, lambda: NOON, lambda: 1020.0)() == later + timedelta(seconds=10)


def test_after_a_restart_of_the_machine_the_last_stored_time_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(f"sqlite:///{(tmp_path / 'answers.db').as_posix()}") as store:
        monkeypatch.setattr(clock, "boot_id", lambda: "the first time")
        resumed_clock(store, lambda: NOON, lambda: 1000.0)
        store.join([1], cohort="", now=NOON, release_after=timedelta(hours=1))
        back = NOON - timedelta(hours=1)
        for boot in ("the next time", None):
            monkeypatch.setattr(clock, "boot_id", lambda boot=boot: boot)
            assert resumed_clock(store, lambda: back, lambda: 5.0)() == NOON
