"""Systems in the wrong order."""

from __future__ import annotations

import math

import numpy as np
import pytest

from textassay.meta.misordered import misordered_pairs, system_ranks

PEOPLE = np.array([4.0, 3.0, 3.0, 1.0, 5.0])
SCORES = np.array([0.2, 0.3, 0.1, 0.2, math.nan])
SYSTEMS = ("a", "b", "c", "d", "e")


def test_pairs_in_opposite_order_or_not_told_apart() -> None:
    """b before a; d as good as a and better than c; b and c are a tie for people, and e has no score."""
    spread = np.std([0.2, 0.3, 0.1, 0.2], ddof=1)
    found = misordered_pairs(PEOPLE, SCORES, SYSTEMS)
    assert [(each.better, each.worse, each.people) for each in found] == [("a", "d", 3), ("c", "d", 2), ("a", "b", 1)]
    assert [each.metric for each in found] == pytest.approx([0, -0.1 / spread, -0.1 / spread])


def test_a_constant_metric_tells_no_pair_apart() -> None:
    found = misordered_pairs(np.array([1.0, 2.0]), np.array([3.0, 3.0]), ("a", "b"))
    assert [(each.better, each.metric) for each in found] == [("b", 0.0)]
    assert misordered_pairs(np.array([1.0]), np.array([3.0]), ("a",)) == []


def test_ranks_and_shifts() -> None:
    found = system_ranks(PEOPLE, SCORES, SYSTEMS)
    assert [(each.system, each.people, each.metric, each.shift) for each in found] == [
        ("a", 1, 2.5, -1.5), ("b", 2.5, 1, 1.5), ("c", 2.5, 4, -1.5), ("d", 4, 2.5, 1.5),
    ]  # fmt: skip
