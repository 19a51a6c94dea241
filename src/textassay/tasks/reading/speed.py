"""Reading times as judgements: how fast each text was read."""

from __future__ import annotations

import numpy as np
import pandas as pd

from textassay.tasks.reading.preparation import TRIAL

WORDS, UNITS = "words a second", "units a second"
_CARRIED = ("block", "kind", "practice", "repeat", "position")
"""What tells whether a judgement counts, where it is known."""


def speeds(table: pd.DataFrame) -> pd.DataFrame:
    """One judgement a participant and text: words a second, or units a second where the words are not known.

    The higher, the better. Wrong answers to questions change nothing here.
    """
    units = table[table["question"].fillna("").astype(str) == ""] if "question" in table else table
    units = units.assign(rt_ms=pd.to_numeric(units["rt_ms"], errors="coerce").astype(float))
    units = units[np.isfinite(units["rt_ms"])]
    counted = "words" in units and bool(units["words"].notna().all())
    units = units.assign(amount=units["words"].astype(float) if counted else 1.0)
    by = [*TRIAL, *(column for column in _CARRIED if column in units)]
    totals = units.groupby(by, sort=False, dropna=False)[["amount", "rt_ms"]].sum().reset_index()
    totals = totals[totals["rt_ms"] > 0]
    judged: pd.DataFrame = totals[by].assign(
        criterion=WORDS if counted else UNITS, value=1000 * totals["amount"] / totals["rt_ms"]
    )
    return judged
