"""Kendall's tau of a million short vectors against a loop over scipy.

The loop is timed on the first 2,000 vectors and scaled up to all of them: in full it takes minutes. Both sides must
give the same tau.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from _house import Row, best_of
from scipy.stats import kendalltau

from textassay.stats import kendall_tau_batch

VECTORS, LENGTH, TIMED = 1_000_000, 15, 2_000


def rows() -> Iterator[Row]:
    draw = np.random.Generator(np.random.PCG64(15))
    metric = draw.normal(size=(VECTORS, LENGTH))
    human = draw.normal(size=(VECTORS, LENGTH))
    ratings = draw.integers(1, 8, size=(VECTORS, LENGTH))
    yield measured("tau-b of 1M vectors with one vector, n = 15", metric, human[0])
    yield measured("tau-b of 1M pairs of vectors, n = 15", metric, human)
    yield measured("tau-b of 1M pairs with ratings 1 to 7, n = 15", metric, ratings)


def measured(what: str, x: np.ndarray, y: np.ndarray) -> Row:
    ours = best_of(5, lambda: kendall_tau_batch(x, y))
    partners = np.broadcast_to(y, x.shape)
    theirs = best_of(2, lambda: loop(x, partners)) * VECTORS / TIMED
    difference = np.abs(kendall_tau_batch(x, y).tau[:TIMED] - loop(x, partners)).max()
    if not difference < 1e-12:
        raise SystemExit(f"{what}: tau differs from scipy's by {difference}")
    return Row(what, ours, "scipy loop", theirs, 2_000, note=f"timed on {TIMED:,} vectors and scaled")


def loop(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.array([kendalltau(a, b).statistic for a, b in zip(x[:TIMED], y[:TIMED], strict=True)])
