"""Krippendorff's alpha of 100,000 ratings against the package krippendorff.

Two raters, 50,000 units. On a scale of 101 values both are timed and must give the same alpha. On continuous ratings
krippendorff asks for a table of values × values × units, which no memory holds, so it is not called.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import get_args

import krippendorff
import numpy as np
from _house import Row, best_of

from textassay.stats import krippendorff_alpha
from textassay.stats.agreement.krippendorff_alpha import Level

UNITS = 50_000
LONGEST = 0.1
"""Seconds that continuous ratings may take."""


def rows() -> Iterator[Row]:
    draw = np.random.Generator(np.random.PCG64(20))
    truth = draw.normal(size=UNITS)
    scale = np.clip(np.round(50 + 20 * truth + 10 * draw.normal(size=(2, UNITS))), 0, 100)
    continuous = np.exp(truth + draw.normal(size=(2, UNITS)))
    for level in get_args(Level):
        yield continuous_row(level, continuous)
    for level in get_args(Level):
        yield scale_row(level, scale)


def continuous_row(level: Level, ratings: np.ndarray) -> Row:
    ours = best_of(5, lambda: krippendorff_alpha(ratings, level=level))
    note = f"peer out of memory; bar {LONGEST} s{'' if ours <= LONGEST else '  <-- above'}"
    return Row(f"{level} alpha, 100,000 continuous ratings", ours, "krippendorff", math.nan, math.nan, note=note)


def scale_row(level: Level, ratings: np.ndarray) -> Row:
    found: list[float] = []
    ours = best_of(5, lambda: krippendorff_alpha(ratings, level=level))
    theirs = best_of(1, lambda: found.append(krippendorff.alpha(reliability_data=ratings, level_of_measurement=level)))
    difference = abs(krippendorff_alpha(ratings, level=level).alpha - found[0])
    if not difference < 1e-12:
        raise SystemExit(f"alpha, {level}: differs from krippendorff's by {difference}")
    return Row(f"{level} alpha, 100,000 ratings of 101 values", ours, "krippendorff", theirs, 50)
