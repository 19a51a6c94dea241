"""How often participants said why they answered so, by criterion and system; what they said is in the export only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textassay.analysis.judgements import in_order, said_unjudged
from textassay.analysis.options import RecipeOptions
from textassay.results import Analysis, Table

if TYPE_CHECKING:
    import pandas as pd

WORDS = "why_words"
"""Column with the number of words of each reason; not personal, unlike the words themselves."""


def reasons_given(table: pd.DataFrame, options: RecipeOptions, systems: Sequence[str] = ("system",)) -> list[Analysis]:
    """How many answers came with a reason; empty where nobody was asked for one.

    Args:
        table: The answers that count.
        options: The order of systems.
        systems: The columns that name the systems of a trial.
    """
    if WORDS not in table or table[WORDS].isna().all():
        return []
    main = said_unjudged(table)
    main = main[main[WORDS].notna()]
    rows = []
    for criterion, own in main.groupby("criterion", sort=False):
        shown = [set(each) for each in own[list(systems)].itertuples(index=False, name=None)]
        count = own[WORDS].to_numpy(dtype=float)
        for system in in_order(set().union(*shown), options.systems):
            words = count[[system in each for each in shown]]
            written = words[words > 0]
            mean = float(written.mean()) if len(written) else None
            rows.append((str(criterion), system, len(words), len(written), len(written) / len(words), mean))
    note = (
        "First answers to main trials of participants who count. The reasons may be personal; they are in the column "
        "'why' of an export with --personal."
    )
    columns = ("Criterion", "System", "Answers", "With a reason", "Share", "Mean words of a reason")
    tables = (Table("reasons", "Reasons that participants gave", columns, tuple(rows), note=note),)
    return [Analysis("reasons", "Reasons that participants gave", tables=tables, place="participants")]
