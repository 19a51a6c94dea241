"""What varies how much in the answers to a pilot study, for power."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from textassay.errors import DataError
from textassay.stats import mixed_model

if TYPE_CHECKING:
    import pandas as pd

FACTORS = {
    "participant": ("participant",),
    "item": ("item",),
    "text": ("item", "system"),
    "liking": ("participant", "system"),
}
"""Assumption, less its `_sd` → the columns whose levels it is about."""


def spreads(answers: pd.DataFrame) -> dict[str, float]:
    """Standard deviations between participants, items, texts, likings, and of what is left, by a mixed model (REML).

    Args:
        answers: Columns `participant, item, system, value`, one row an answer.

    Raises:
        DataError: there are too few answers, or they do not tell the sources apart.
    """
    columns = {name: _joined(answers, names) for name, names in FACTORS.items()}
    systems = answers["system"].astype(str).to_numpy()
    levels = {name: len(set(column)) for name, column in columns.items()}
    if len(set(systems)) < 2 or min(levels.values()) < 2 or max(levels.values()) >= len(answers):
        counted = ", ".join(f"{name} {count}" for name, count in levels.items())
        raise DataError(
            f"{len(answers)} answers of a pilot do not tell what varies how much (levels: {counted}; systems "
            f"{len(set(systems))}); several participants must have judged each text, and several texts of each system"
        )
    model = mixed_model(answers["value"].to_numpy(dtype=float), {"system": systems}, columns)
    found = {**{f"{name}_sd": model.sd(name) for name in columns}, "noise_sd": model.sigma}
    if not model.converged or not all(math.isfinite(sd) for sd in found.values()):
        raise DataError("the mixed model of the pilot's answers did not converge; say what is assumed with --assume")
    return found


def _joined(answers: pd.DataFrame, names: tuple[str, ...]) -> np.ndarray:
    levels = answers.groupby(list(names), sort=False).ngroup()
    return np.array([f"{level}" for level in levels], dtype=object)
