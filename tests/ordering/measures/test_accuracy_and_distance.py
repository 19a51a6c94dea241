"""Displacement and windows."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import textassay.ordering.measures.accuracy_and_distance as module
from textassay.errors import UsageError
from textassay.ordering import within_window, within_window_batch
from textassay.ordering.measures.accuracy_and_distance import exchanges, moves


def test_windows() -> None:
    # c a b d against a b c d: c is two off, a and b one, d none
    assert [within_window("cabd", "abcd", window=window) for window in (0, 1, 2)] == [0.25, 0.75, 1]
    assert within_window_batch([[2, 0, 1, 3]], window=0).tolist() == [0.25]


@pytest.mark.parametrize("window", [-1, 0.5, True, "1"])
def test_what_is_no_window(window: object) -> None:
    with pytest.raises(UsageError, match="window must be a whole number"):
        within_window("ab", "ab", window=window)  # type: ignore[arg-type]


# --- Cayley's distance counts cycles --------------------------------------------------------------------------------


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


# --- Ulam's distance, short and long --------------------------------------------------------------------------------


@given(st.integers(1, 8).flatmap(lambda n: st.permutations(range(n))))
def test_like_going_through_all_subsequences(row: list[int]) -> None:
    longest = max(
        size for size in range(1, len(row) + 1) for part in combinations(row, size) if list(part) == sorted(part)
    )
    assert moves(np.array([row])).tolist() == [len(row) - longest]


def test_long_orders_give_the_same(monkeypatch: object) -> None:
    rows = np.argsort(np.random.Generator(np.random.PCG64(1)).random((50, 60)), axis=1)
    short = moves(rows).tolist()
    monkeypatch.setattr(module, "_SHORT", 10)  # type: ignore[attr-defined]
    assert moves(rows).tolist() == short
    assert moves(np.zeros((0, 3), dtype=int)).tolist() == []
