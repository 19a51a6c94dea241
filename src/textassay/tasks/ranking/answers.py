"""A table of rankings as the statistics want it: which answers count, ranks within each trial, points."""

from __future__ import annotations

import pandas as pd

from textassay.analysis.judgements import Judgements, need_columns, read_judgements
from textassay.analysis.trial_contrasts import trial_columns


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


def as_judgements(table: pd.DataFrame) -> pd.DataFrame:
    """Rankings as judgements: of k texts, the one with rank r gets k + 1 - r, so that more is better.

    With sets of equal size the values of all trials have the same sum, for every participant.
    """
    rankings = read_rankings(table)
    parts = [part.assign(value=part["k"] + 1 - part["value"]) for part in (rankings.main, rankings.repeats)]
    every = pd.concat([part for part in parts if len(part)] or parts[:1])
    return every.drop(columns="k").reset_index(drop=True)
