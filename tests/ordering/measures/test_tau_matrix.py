"""Tau of all pairs."""

from __future__ import annotations

import math

import numpy as np
import pytest

import textassay.ordering.measures.tau as module
from textassay.errors import DataError
from textassay.ordering import tau, tau_matrix


def drawn(m: int, n: int, seed: int) -> np.ndarray:
    return np.argsort(np.random.Generator(np.random.PCG64(seed)).random((m, n)), axis=1)


@pytest.mark.parametrize("n", [2, 5, 40])
def test_like_one_pair_after_the_other(n: int) -> None:
    rows, columns = drawn(6, n, 1), drawn(4, n, 2)
    expected = [[tau(one, other) for other in columns] for one in rows]
    assert tau_matrix(rows, columns) == pytest.approx(np.array(expected))
    names = [[f"u{unit}" for unit in row] for row in rows.tolist()]
    others = [[f"u{unit}" for unit in row] for row in columns.tolist()]
    assert tau_matrix(names, others) == pytest.approx(np.array(expected))
    own = tau_matrix(rows)
    assert own == pytest.approx(own.T)
    assert np.diag(own) == pytest.approx(np.ones(6))


def test_blocks_and_long_orders_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = drawn(5, 30, 3)
    whole = tau_matrix(rows)
    monkeypatch.setattr(module, "_AT_ONCE", 50)
    assert tau_matrix(rows) == pytest.approx(whole)
    monkeypatch.setattr(module, "_LONG", 10)
    assert tau_matrix(rows) == pytest.approx(whole)


def test_one_unit_has_no_tau() -> None:
    assert math.isnan(tau_matrix(["a", "a"])[0, 1])


def test_orders_of_other_units_are_refused() -> None:
    with pytest.raises(DataError, match=r"orders\[1\]"):
        tau_matrix(["abc", "abd"])
    with pytest.raises(DataError, match=r"orders\[0\]"):
        tau_matrix(["abc"], ["abd"])
