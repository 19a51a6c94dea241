"""Rankings as values that compare systems, and as a table of ranks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from textassay.analysis.contrast_models import Contrasts
from textassay.tasks.ranking.answers import trial_columns

Floats = npt.NDArray[np.float64]


def rank_table(main: pd.DataFrame, systems: Sequence[str]) -> pd.DataFrame:
    """One row per ranking, one column per system; empty where a system was not ranked.

    Args:
        main: Rankings on one criterion, as `read_rankings` gives them.
        systems: The columns, in their order.
    """
    ranks = main.pivot_table(index=trial_columns(main), columns="system", values="value", sort=False)
    return ranks.reindex(columns=list(systems))


def rank_contrasts(ranks: pd.DataFrame) -> Contrasts:
    """The ranks of a ranking of m texts as m - 1 values, which compare systems and have no other part.

    Ranks of one trial have a fixed sum: one of them follows from the others, so that they are no m values. Each value
    is a contrast of length 1, orthogonal to the others; below 0 where the systems with positive weights are ranked
    better.

    Args:
        ranks: As `rank_table` gives it.
    """
    table = ranks.to_numpy(dtype=float)
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
    people, items = (ranks.index.get_level_values(name).to_numpy(dtype=str)[order] for name in ("participant", "item"))
    return Contrasts(
        np.concatenate(values) if values else np.zeros(0),
        np.vstack(rows) if rows else np.zeros((0, table.shape[1])),
        tuple(map(str, ranks.columns)),
        people,
        items,
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
