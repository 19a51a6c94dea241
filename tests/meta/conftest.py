"""Grids of shape (items, systems) that several modules are tested with."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.stats.samples import FloatArray


@pytest.fixture(scope="session")
def wmt_people() -> FloatArray:
    """Six items, five systems, three judgements missing: the input of the WMT cases."""
    rows = [
        [-0.0, None, -1.0, -0.0, -0.0, -1.0],
        [-0.0, -1.0, -0.0, -0.0, -1.0, -1.0],
        [-1.0, -1.0, -1.0, -1.0, None, -1.0],
        [-1.0, -0.0, -1.0, -0.0, None, -1.0],
        [-1.0, -1.0, -0.0, -1.0, -1.0, -1.0],
    ]
    return np.array(rows, dtype=float).T


@pytest.fixture(scope="session")
def wmt_metric() -> FloatArray:
    rows = [
        [0.25, 0.25, 0.25, 0.25, 0.25, 0.25],
        [0.375, -0.75, -0.25, 0.125, -1.25, -0.75],
        [-0.875, -1.125, -1.375, -0.625, -1.0, -0.625],
        [-0.875, 0.25, -0.75, -0.25, -0.125, -1.0],
        [-1.0, -1.375, 0.0, -1.25, -0.75, -0.875],
    ]
    return np.array(rows).T


@pytest.fixture
def gaps() -> tuple[FloatArray, FloatArray]:
    """12 items × 5 systems with ties on both sides and gaps on each."""
    random = np.random.Generator(np.random.PCG64(4))
    people, scores = random.integers(0, 4, (12, 5)).astype(float), random.integers(0, 6, (12, 5)).astype(float)
    people[random.random(people.shape) < 0.15] = np.nan
    scores[random.random(scores.shape) < 0.15] = np.nan
    return people, scores
