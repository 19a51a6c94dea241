"""How well the chosen actions suit an item (Gatt & Portet 2010).

P_AP is the share of the appropriate actions that were chosen, P_INAP that of the inappropriate ones, P = P_AP − P_INAP
from −1 to 1, and SP_AP the share of what was chosen that is appropriate. Where nothing is inappropriate P_INAP is 0.
Where nothing was chosen SP_AP is undefined, and P_AP and P where nothing is appropriate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import pandas as pd

from textassay.errors import DataError
from textassay.pairwise import Better
from textassay.tasks.decision.settings import ids

SCORES: dict[str, Better] = {"P": "higher", "P_AP": "higher", "P_INAP": "lower", "SP_AP": "higher"}
"""The scores, and which of their values are better."""
_NEEDED = ("participant", "item", "system", "chosen", "appropriate", "inappropriate")


@dataclass(frozen=True)
class ChoiceScores:
    """The scores of one answer."""

    p_ap: float
    p_inap: float
    sp_ap: float

    @property
    def p(self) -> float:
        """P_AP − P_INAP."""
        return self.p_ap - self.p_inap


def score_choice(chosen: frozenset[str], appropriate: frozenset[str], inappropriate: frozenset[str]) -> ChoiceScores:
    """The scores of a set of chosen actions.

    >>> found = score_choice(frozenset("abx"), frozenset("abcd"), frozenset("xy"))
    >>> found.p_ap, found.p_inap, found.p, round(found.sp_ap, 4)
    (0.5, 0.5, 0.0, 0.6667)
    """
    return ChoiceScores(
        p_ap=len(chosen & appropriate) / len(appropriate) if appropriate else math.nan,
        p_inap=len(chosen & inappropriate) / len(inappropriate) if inappropriate else 0.0,
        sp_ap=len(chosen & appropriate) / len(chosen) if chosen else math.nan,
    )


def with_scores(table: pd.DataFrame) -> pd.DataFrame:
    """The table with a column for each score.

    Raises:
        DataError: a column is missing; the message lists those that are there.
    """
    missing = [column for column in _NEEDED if column not in table.columns]
    if missing and not table.empty:
        there = ", ".join(map(str, table.columns)) or "none"
        raise DataError(f"scores of decisions need the column(s) {', '.join(missing)}; add them; there are: {there}")
    table = table.reindex(columns=[*table.columns, *missing])
    found = [
        score_choice(*(frozenset(ids(cell)) for cell in cells))
        for cells in zip(table["chosen"], table["appropriate"], table["inappropriate"], strict=True)
    ]
    values = {
        "P": [each.p for each in found],
        "P_AP": [each.p_ap for each in found],
        "P_INAP": [each.p_inap for each in found],
        "SP_AP": [each.sp_ap for each in found],
    }
    return table.assign(**{name: pd.Series(values[name], index=table.index, dtype=float) for name in SCORES})


def as_judgements(table: pd.DataFrame) -> pd.DataFrame:
    """The scores as judgements, each score a criterion; those that are undefined are omitted.

    Raises:
        DataError: a column is missing.
    """
    scores = with_scores(table)
    rest = [column for column in scores.columns if column not in SCORES]
    long = scores.melt(id_vars=rest, value_vars=list(SCORES), var_name="criterion", value_name="value")
    return long[long["value"].notna()].reset_index(drop=True)
