from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from textassay.serve import join_limit
from textassay.serve.join_limit import JoinLimit


@example(most=1, gaps=[62.395, 0.0])  # where (62.395 + 60) - 62.395 is more than 60
@given(most=st.integers(1, 5), gaps=st.lists(st.floats(0, 30), max_size=40))
def test_never_more_than_so_many_within_a_minute(most: int, gaps: list[float]) -> None:
    now, started = [0.0], []
    limit = JoinLimit(most, clock=lambda: now[0])
    for gap in gaps:
        now[0] += gap
        seconds = limit.seconds_to_wait("a")
        recent = [time for time in started if now[0] - time < 60]
        assert (seconds == 0) is (len(recent) < most)  # nobody waits without need
        if seconds:
            assert 60 - (now[0] - recent[0]) <= seconds <= 60
        else:
            started.append(now[0])


def test_waiting_as_long_as_told_is_enough_and_networks_do_not_count_for_each_other() -> None:
    now = [0.0]
    limit = JoinLimit(1, clock=lambda: now[0])
    assert limit.seconds_to_wait("a") == 0
    now[0] = 12.5
    seconds = limit.seconds_to_wait("a")
    assert seconds == 48
    assert limit.seconds_to_wait("b") == 0
    now[0] += seconds
    assert limit.seconds_to_wait("a") == 0


def test_no_limit() -> None:
    limit = JoinLimit(None)
    assert not any(limit.seconds_to_wait("a") for _ in range(1000))


def test_memory_is_bounded() -> None:
    limit = JoinLimit(1)
    for number in range(join_limit._MOST_NETWORKS + 10):
        assert limit.seconds_to_wait(str(number)) == 0
    assert len(limit._starts) == join_limit._MOST_NETWORKS
    assert limit.seconds_to_wait("5") == 0  # forgotten
    assert limit.seconds_to_wait(str(number)) > 0
