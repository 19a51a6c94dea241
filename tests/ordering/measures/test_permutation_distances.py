"""Cayley's distance counts cycles."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from textassay.ordering.measures.permutation_distances import exchanges


@given(st.integers(1, 40).flatmap(lambda n: st.permutations(range(n))))
def test_like_exchanging_until_all_are_right(row: list[int]) -> None:
    now, done = list(row), 0
    for place in range(len(now)):
        while now[place] != place:
            other = now[place]
            now[place], now[other] = now[other], now[place]
            done += 1
    assert exchanges(np.array([row])).tolist() == [done]


def test_one_long_cycle() -> None:
    for n in (2, 3, 4, 5, 127, 128, 129):
        assert exchanges(np.roll(np.arange(n), 1)[None]).tolist() == [n - 1]
