"""Each metric's correlation with people within items, as it is and at equal length of the texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from textassay.meta.alignment import ScoreGrid
from textassay.meta.given_covariate import GivenCovariate, given_covariate
from textassay.results import Record, Table, table_of_records
from textassay.stats import adjust_p

_NOTE = (
    "Do longer texts get better judgements, and metrics only follow? r: the correlation over texts with differences "
    "between items and between systems taken out; given length: with the number of words and its square taken out as "
    "well, so that a curved effect of length is not taken for one of the metric. p by Student's t on df; p holm is "
    "corrected for all rows. Signs are turned where less is better. A system whose texts are the references counts too."
)


def given_length_tables(
    grids: Sequence[ScoreGrid], lengths: Mapping[tuple[str, str], float], confidence: float = 0.95
) -> list[Table]:
    """One row per metric and criterion; no table where no figure is defined, as with one text per item.

    Args:
        grids: Judgements and scores, by criterion.
        lengths: Words of each text by item and system; a text without one does not count.
        confidence: Of the intervals.
    """
    found = []
    for grid in grids:
        length = np.array([[lengths.get((item, system), np.nan) for system in grid.systems] for item in grid.items])
        level = np.where(np.isnan(length), np.nan, 0.0)
        found += [
            (metric, grid.criterion, given_covariate(grid.people, scores, level),
             given_covariate(grid.people, scores, length))
            for metric, scores in grid.scores.items()
        ]  # fmt: skip
    if all(np.isnan(given.r) for *_, given in found):
        return []
    corrected = adjust_p([given.p for *_, given in found]).adjusted
    records = [_record(*each, float(p), confidence) for each, p in zip(found, corrected, strict=True)]
    title = "Metrics and people at equal length of the texts"
    return [table_of_records(records, name="given-length", title=title, note=_NOTE)]


def _record(
    metric: str, criterion: str, plain: GivenCovariate, given: GivenCovariate, p_holm: float, confidence: float
) -> Record:
    return {
        "metric": metric,
        "criterion": criterion,
        "r": plain.r,
        "r given length": given.r,
        "ci": given.interval(confidence),
        "p": given.p,
        "p_holm": p_holm,
        "df": given.df,
        "n": given.cells,
        "why undefined": given.reason,
    }
