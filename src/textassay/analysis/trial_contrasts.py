"""Answers to trials that show several systems at once, as values that compare the systems within a trial."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from textassay.analysis.contrast_models import Contrasts

Floats = npt.NDArray[np.float64]


def trial_columns(table: pd.DataFrame) -> list[str]:
    """The columns that tell one trial from another; `trial` itself only where all rows have it."""
    told = ["trial"] if "trial" in table and table["trial"].notna().all() else []
    return ["participant", "item", *told]


def trial_table(main: pd.DataFrame, systems: Sequence[str]) -> pd.DataFrame:
    """One row per trial, one column per system; empty where a system was not shown.

    Args:
        main: Answers on one criterion; columns `participant, item, system, value`, and `trial` where it is known.
        systems: The columns, in their order.
    """
    values = main.pivot_table(index=trial_columns(main), columns="system", values="value", sort=False)
    return values.reindex(columns=list(systems))


def trial_contrasts(trials: pd.DataFrame) -> Contrasts:
    """The answers about the m texts of a trial as m - 1 values, which compare systems and have no other part.

    What all texts of a trial have in common is not in them. (Ranks have nothing but their differences: their sum is
    fixed, so that one follows from the others.) Each value is a contrast of length 1, orthogonal to the others; above 0
    where the systems with positive weights have the higher answers.

    Args:
        trials: As `trial_table` gives it.
    """
    table = trials.to_numpy(dtype=float)
    shown = np.isfinite(table)
    patterns, which = np.unique(shown, axis=0, return_inverse=True)
    values, rows, places = [], [], []
    for number, pattern in enumerate(patterns):
        own = np.flatnonzero(which.reshape(-1) == number)
        basis = np.zeros((int(pattern.sum()) - 1, len(pattern)))
        basis[:, pattern] = _helmert(int(pattern.sum()))
        values.append((np.where(shown, table, 0.0)[own] @ basis.T).ravel())
        rows.append(np.tile(basis, (len(own), 1)))
        places.append(np.repeat(own, len(basis)))
    order = np.concatenate(places) if places else np.zeros(0, dtype=np.intp)
    people, items = (trials.index.get_level_values(name).to_numpy(dtype=str)[order] for name in ("participant", "item"))
    return Contrasts(
        np.concatenate(values) if values else np.zeros(0),
        np.vstack(rows) if rows else np.zeros((0, table.shape[1])),
        tuple(map(str, trials.columns)),
        people,
        items,
        trials=order,
    )


def _helmert(size: int) -> Floats:
    """Orthogonal contrasts of length 1: each place against the mean of those before it.

    >>> _helmert(3).round(3).tolist()
    [[-0.707, 0.707, 0.0], [-0.408, -0.408, 0.816]]
    """
    rows = np.zeros((size - 1, size))
    for place in range(1, size):
        rows[place - 1, :place], rows[place - 1, place] = -1.0, place
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))
