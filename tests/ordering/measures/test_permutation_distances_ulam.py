"""Ulam's distance, short and long."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import textassay.ordering.measures.permutation_distances as module
from textassay.ordering.measures.permutation_distances import moves


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
