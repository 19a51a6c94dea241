"""The shortest path by trying all."""

from __future__ import annotations

from functools import cache
from itertools import permutations

import numpy as np


@cache
def _all(n: int) -> np.ndarray:
    return np.array(list(permutations(range(n))), dtype=np.int8)


def least_cost(distances: np.ndarray, start: int | None) -> float:
    """The least cost of all n! paths, or of those with the given first."""
    orders = _all(len(distances))
    if start is not None:
        orders = orders[orders[:, 0] == start]
    return float(distances[orders[:, :-1], orders[:, 1:]].sum(axis=1).min())


def random_distances(n: int, seed: int, *, symmetric: bool) -> np.ndarray:
    """Uniform numbers; every third matrix has many equal ones, every fifth some below 0."""
    drawn = np.random.default_rng(seed).random((n, n))
    drawn = drawn.round(1) if seed % 3 == 0 else drawn
    drawn = drawn - 0.3 if seed % 5 == 0 else drawn
    return (drawn + drawn.T) / 2 if symmetric else drawn
