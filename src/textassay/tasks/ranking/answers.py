"""A table of rankings as the statistics want it: which answers count, ranks within each trial, points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from textassay.analysis.contrast_models import Contrasts
from textassay.analysis.judgements import Judgements, need_columns, read_judgements


def read_rankings(table: pd.DataFrame) -> Judgements:
    """Sort a table of rankings into main answers and repeats, and rank again within each trial.

    As judgements, whose `value` is the rank; `k` is the number of texts ranked together.

    However ties were written (1 1 3, 1 1 2, 1.5 1.5 3), tied texts get the mean of their places. A trial of which only
    one text is left ranks nothing and is omitted.

    Raises:
        DataError: a column is missing; the message lists those that are there.
    """
    need_columns(table, ["rank"], "rankings")
    judged = read_judgements(table.assign(value=table["rank"]))
    main, alone = _ranked(judged.main)
    repeats, _ = _ranked(judged.repeats)
    warnings = [f"{alone} answer(s) rank a single text, which says nothing; they are omitted"] if alone else []
    return Judgements(main, repeats, (*judged.warnings, *warnings))


def _ranked(table: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The rows with their ranks within the trial, and how many stood alone."""
    trials = table.groupby([*trial_columns(table), "criterion"], sort=False)["value"]
    ranks = trials.rank(method="average") if len(table) else table["value"]
    sizes = trials.transform("size") if len(table) else table["value"]
    ranked = table.assign(value=ranks.astype(float), k=sizes.astype(int))
    return ranked[ranked["k"] > 1].reset_index(drop=True), int((ranked["k"] == 1).sum())


def trial_columns(table: pd.DataFrame) -> list[str]:
    """The columns that tell one trial from another; `trial` itself only where all rows have it."""
    told = ["trial"] if "trial" in table and table["trial"].notna().all() else []
    return ["participant", "item", *told]


def as_judgements(table: pd.DataFrame) -> pd.DataFrame:
    """Rankings as judgements: of k texts, the one with rank r gets k + 1 - r, so that more is better.

    With sets of equal size the values of all trials have the same sum, for every participant.
    """
    rankings = read_rankings(table)
    parts = [part.assign(value=part["k"] + 1 - part["value"]) for part in (rankings.main, rankings.repeats)]
    every = pd.concat([part for part in parts if len(part)] or parts[:1])
    return every.drop(columns="k").reset_index(drop=True)


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
