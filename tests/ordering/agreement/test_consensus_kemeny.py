"""Knots of the majority, and what is done with those that are too large."""

from __future__ import annotations

import numpy as np
import pytest

import textassay.ordering.agreement.consensus as module
from textassay.ordering.agreement.consensus import pair_shares


def test_knots_follow_the_majority() -> None:
    # a before all; b, c, d in a cycle; e after all
    shares = pair_shares(["abcde", "acdbe", "adbce"])
    assert module._knots(shares.before) == [[0], [1, 2, 3], [4]]


def test_moves_of_single_units_are_nearly_as_good(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.Generator(np.random.PCG64(9))
    for _ in range(10):
        shares = pair_shares(np.array([draw.permutation(9) for _ in range(5)]))
        with monkeypatch.context() as patch:
            best = shares.mean_tau(np.array(module.solve_kemeny(shares).order))
            patch.setattr(module, "LIMIT", 1)
            moved = module.solve_kemeny(shares)
        found = shares.mean_tau(np.array(moved.order))
        assert sorted(moved.order) == list(range(9))
        assert best - 0.06 <= found <= best + 1e-12
